/** What the service says of itself: its operations with their routes, requests and responses. */

import type { Operation } from '../../contract.mts';
import { itemProperties } from '../../itemsField.mts';
import type { Json } from '../../json.mts';
import { deepestFirst } from '../answers.mts';
import { entryOf, fieldsOf, resolve, type Field } from '../fields.mts';
import { ofOperation, theirName } from '../names.mts';
import type { AnswerChanges, OtherService } from '../settings.mts';
import { requestNames } from './requestNames.mts';
import { pascalCase, Types, type Class, type Property, type TypeRef } from './types.mts';

/** An operation as the framework shows it. */
export interface Described {
	request: Class;
	method: string;
	routes: string[];
	/** Undefined when a success has no body. */
	response: TypeRef | undefined;
}

/** All that the discovery pages show. */
export interface Model {
	operations: Described[];
	types: Types;
}

const itemTypes: Record<string, Json> = {
	itemId: { type: 'integer' },
	itemType: { type: 'string', enum: ['Part', 'Labor', 'CustomItem', 'Fee'] },
	quantity: { type: 'number' },
	parentId: { type: 'integer' },
};

/** The type of an entry of the field `Items`, which the contract leaves to its handler. */
function entryType(service: OtherService, operation: Operation, types: Types, field: string) {
	const name = `${requestNames[operation.name]}Entry`;
	types.classes.set(name, {
		name,
		properties: itemProperties.map((own) => ({
			name: pascalCase(theirName(service, operation, `${field}[].${own}`)),
			type: types.of(itemTypes[own], name + pascalCase(own)),
			isRequired: own === 'itemId' || own === 'itemType',
		})),
	});
	return { kind: 'list', of: { kind: 'class', name } } satisfies TypeRef;
}

function requestProperty(
	service: OtherService,
	operation: Operation,
	types: Types,
	{ name, schema, isRequired }: Field,
): Property {
	const theirs = pascalCase(theirName(service, operation, name));
	const type = schema.contentSchema
		? entryType(service, operation, types, name)
		: types.of(schema, requestNames[operation.name]! + theirs, pascalCase(name));
	return { name: theirs, type, isRequired };
}

/** The type of a success, and whether it has one. */
function responseType(operation: Operation, types: Types): TypeRef | undefined {
	if (operation.emptyStatus !== undefined) return undefined;
	const { responses } = entryOf(operation).entry;
	const { schema } = resolve(responses['200']).content['application/json'];
	return types.of(schema, `${requestNames[operation.name]}Response`);
}

/** The class with the last field of a path, and that field's name. */
function atPath(types: Types, type: TypeRef, path: string): [Class, string] | undefined {
	if (type.kind === 'list') return atPath(types, type.of, path);
	const owner = type.kind === 'class' ? types.classes.get(type.name) : undefined;
	const [first, ...rest] = path.split('.').map(pascalCase);
	if (!owner || rest.length === 0) return owner && [owner, first!];
	const next = owner.properties.find((one) => one.name === first);
	return next && atPath(types, next.type, rest.join('.'));
}

const changedTypes: Record<string, (type: TypeRef) => TypeRef> = {
	text: () => ({ kind: 'scalar', name: 'String' }),
	number: () => ({ kind: 'scalar', name: 'Double' }),
	boolean: () => ({ kind: 'scalar', name: 'Boolean' }),
	list: (type) => ({ kind: 'list', of: type }),
	null: (type) => type,
};

/** Changes the types as responses are changed. A type that several responses share has all changes. */
function applyChanges(types: Types, response: TypeRef, changes: AnswerChanges): void {
	const change = (path: string, apply: (owner: Class, name: string) => void) => {
		const place = atPath(types, response, path);
		if (place) apply(...place);
	};
	const { rename, remove = [], add = {}, types: others = {} } = changes;
	for (const [path, type] of Object.entries(others)) {
		change(path, ({ properties }, name) => {
			const found = properties.find((one) => one.name === name);
			if (found) found.type = changedTypes[type]!(found.type);
		});
	}
	for (const path of remove) {
		change(path, (owner, name) => {
			owner.properties = owner.properties.filter((one) => one.name !== name);
		});
	}
	for (const [path, value] of Object.entries(add)) {
		change(path, ({ properties }, name) => {
			if (properties.some((one) => one.name === name)) return;
			const type = types.of({ type: typeof value === 'number' ? 'number' : typeof value }, name);
			properties.push({ name, type, isRequired: false });
		});
	}
	for (const [path, theirs] of deepestFirst(rename)) {
		change(path, ({ properties }, name) => {
			const found = properties.find((one) => one.name === name);
			if (found) found.name = pascalCase(theirs);
		});
	}
}

/** Describes the operations of a service, given with its own paths. */
export function describe(service: OtherService, operations: readonly Operation[]): Model {
	const types = new Types(service.values);
	const described = new Map<string, Described>();
	for (const operation of operations) {
		const name = requestNames[operation.name]!;
		const known = described.get(name) ?? {
			request: { name, properties: [] },
			method: operation.method,
			routes: [],
			response: responseType(operation, types),
		};
		described.set(name, known);
		known.routes.push(operation.path);
		for (const field of fieldsOf(operation)) {
			const property = requestProperty(service, operation, types, field);
			const { properties } = known.request;
			if (!properties.some((one) => one.name === property.name)) properties.push(property);
		}
	}
	for (const operation of operations) {
		const { response } = described.get(requestNames[operation.name]!)!;
		for (const changes of [service.answers?.['*'], ofOperation(service.answers, operation)]) {
			if (response && changes) applyChanges(types, response, changes);
		}
	}
	return { operations: [...described.values()], types };
}
