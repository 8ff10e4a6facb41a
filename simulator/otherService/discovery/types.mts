/** The service's types: .NET classes and enumerations, made from the schemas of the contract. */

import type { Json } from '../../json.mts';
import { resolve } from '../fields.mts';

/** A type of a property. */
export type TypeRef =
	| { kind: 'scalar'; name: 'String' | 'Int32' | 'Int64' | 'Double' | 'Boolean' | 'DateTime' }
	| { kind: 'enum' | 'class'; name: string }
	| { kind: 'list'; of: TypeRef }
	| { kind: 'texts' };

/** A property, with its name in .NET. */
export interface Property {
	name: string;
	type: TypeRef;
	isRequired: boolean;
}

/** A class with its properties. */
export interface Class {
	name: string;
	properties: Property[];
}

/** A name as .NET writes it. */
export const pascalCase = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

const scalar = (name: (TypeRef & { kind: 'scalar' })['name']): TypeRef => ({
	kind: 'scalar',
	name,
});

/** The type of a simple schema. */
function scalarOf(type: string | undefined, format: string | undefined): TypeRef {
	if (type === 'integer') return scalar(format === 'int64' ? 'Int64' : 'Int32');
	if (type === 'number') return scalar('Double');
	if (type === 'boolean') return scalar('Boolean');
	return scalar(format === 'date-time' ? 'DateTime' : 'String');
}

/** The last part of a `$ref`. */
const refName = (schema: Json): string | undefined => schema?.$ref?.split('/').at(-1);

/** Collects the classes and enumerations that responses and requests need. */
export class Types {
	readonly classes = new Map<string, Class>();
	/** Values of the enumerations, by name. */
	readonly enums = new Map<string, string[]>();
	readonly #values: Record<string, Record<string, string>>;

	/** `values` are the service's own values of a field, by the contract's name of it. */
	constructor(values: Record<string, Record<string, string>> = {}) {
		this.#values = values;
	}

	/** The type of a schema. `hint` names what has no name of its own; `field` is where it is used. */
	of(schema: Json, hint: string, field = hint): TypeRef {
		const name = refName(schema) ?? hint;
		const { type, format, items, oneOf, properties, ...rest } = resolve(schema) ?? {};
		if (oneOf) return this.of(oneOf[0], hint, field);
		if (rest.enum) return this.#enumOf(rest.enum, name, field);
		if (type === 'array') return { kind: 'list', of: this.of(items, hint, field) };
		if (properties && !(rest.additionalProperties?.type === 'string')) {
			return this.#classOf(properties, rest.required ?? [], name);
		}
		if (type === 'object') return { kind: 'texts' };
		return scalarOf([type].flat()[0], format);
	}

	#enumOf(values: string[], name: string, field: string): TypeRef {
		const own = this.#values[field] ?? {};
		this.enums.set(
			name,
			values.map((one) => own[one] ?? one),
		);
		return { kind: 'enum', name };
	}

	#classOf(properties: Json, required: string[], name: string): TypeRef {
		const type: TypeRef = { kind: 'class', name };
		if (this.classes.has(name)) return type;
		const made: Class = { name, properties: [] };
		// before its properties: a category has categories
		this.classes.set(name, made);
		for (const [own, schema] of Object.entries<Json>(properties)) {
			const property = pascalCase(own);
			made.properties.push({
				name: property,
				type: this.of(schema, name + property, property),
				isRequired: required.includes(own),
			});
		}
		return type;
	}
}
