/** Reads `/openapi` and `/swagger.json`: Swagger 2.0, or OpenAPI 3. */
import { MAX_DEPTH, METHODS, typeOf, type Described, type Shape } from './described.mts';

interface Schema {
	$ref?: string;
	type?: string | string[];
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	allOf?: Schema[];
	oneOf?: Schema[];
	anyOf?: Schema[];
}
interface Parameter extends Omit<Schema, 'required'> {
	name?: string;
	in?: string;
	required?: boolean;
	schema?: Schema;
}
interface Body {
	content?: Record<string, { schema?: Schema }>;
	schema?: Schema;
}
interface Operation {
	parameters?: Parameter[];
	requestBody?: Body;
	responses?: Record<string, Body>;
}
interface Document {
	basePath?: string;
	paths?: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>;
}

/** Shapes of the schemas of one document. */
class Reader {
	private readonly document: object;

	constructor(document: object) {
		this.document = document;
	}

	resolve<Part extends { $ref?: string }>(part: Part): Part {
		if (part.$ref === undefined) return part;
		const keys = part.$ref.replace(/^#\//, '').split('/');
		const found = keys.reduce<unknown>(
			(one, key) => (one as Record<string, unknown> | undefined)?.[key],
			this.document,
		);
		return (found ?? {}) as Part;
	}

	shapeOf(schema: Schema, depth = 0): Shape {
		if (depth > MAX_DEPTH) return { type: 'unknown' };
		const { type, properties, required, items, allOf, oneOf, anyOf } = this.resolve(schema);
		const [variant] = oneOf ?? anyOf ?? [];
		if (variant !== undefined) return this.shapeOf(variant, depth + 1);
		const parts = (allOf ?? []).map((one) => this.shapeOf(one, depth + 1));
		if (properties !== undefined || parts.length > 0) {
			const own = Object.entries(properties ?? {}).map(([name, one]) => [
				name,
				this.shapeOf(one, depth + 1),
			]);
			return {
				type: 'object',
				fields: Object.assign({}, ...parts.map(({ fields }) => fields), Object.fromEntries(own)),
				required: [...parts.flatMap((one) => one.required ?? []), ...(required ?? [])],
			};
		}
		if (items !== undefined) return { type: 'list', entries: this.shapeOf(items, depth + 1) };
		const [first] = [type].flat().filter((one) => one !== 'null');
		return { type: typeOf(first) };
	}

	bodyOf(body: Body | undefined): Shape | undefined {
		const { content, schema } = this.resolve((body ?? {}) as Body & { $ref?: string });
		const found = schema ?? Object.values(content ?? {})[0]?.schema;
		return found && this.shapeOf(found);
	}
}

function requestOf(operation: Operation, shared: Parameter[], reader: Reader): Shape {
	const request: Required<Pick<Shape, 'fields' | 'required'>> = { fields: {}, required: [] };
	// A body repeats what may also be in the query, sometimes in another case: the body is right.
	const add = (shape: Shape | undefined) => {
		for (const [name, field] of Object.entries(shape?.fields ?? {})) {
			const known = Object.keys(request.fields).find(
				(one) => one.toLowerCase() === name.toLowerCase(),
			);
			if (known !== undefined) Reflect.deleteProperty(request.fields, known);
			request.fields[name] = field;
		}
		request.required.push(...(shape?.required ?? []));
	};
	for (const parameter of [...shared, ...(operation.parameters ?? [])]) {
		const { name = '', in: place, required, schema, ...own } = reader.resolve(parameter);
		if (place === 'body') add(schema && reader.shapeOf(schema));
		else if (place !== 'header' && place !== 'cookie') {
			// The framework writes lists and objects outside of bodies as text.
			const shape = reader.shapeOf(schema ?? own);
			add({
				type: 'object',
				fields: { [name]: shape.type === 'string' ? { type: 'unknown' } : shape },
				required: required ? [name] : [],
			});
		}
	}
	add(reader.bodyOf(operation.requestBody));
	return { type: 'object', ...request };
}

/** @returns undefined when the page is something else */
export function readOpenApi(page: unknown): Described[] | undefined {
	const document = (page ?? {}) as Document;
	if (typeof document.paths !== 'object' || document.paths === null) return undefined;
	const reader = new Reader(document);
	const base = (document.basePath ?? '').replace(/\/$/, '');
	return Object.entries(document.paths).flatMap(([path, { parameters = [], ...methods }]) =>
		Object.entries(methods as Record<string, Operation>)
			.filter(([method]) => METHODS.includes(method.toUpperCase()))
			.map(([method, operation]) => {
				const { responses = {} } = operation;
				const success = Object.keys(responses).find((status) => status.startsWith('2'));
				return {
					methods: [method.toUpperCase()],
					path: base + path,
					request: requestOf(operation, parameters, reader),
					response: reader.bodyOf(responses[success ?? 'default']),
				};
			}),
	);
}
