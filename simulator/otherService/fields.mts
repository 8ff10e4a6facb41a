import { readContract, type Operation } from '../contract.mts';
import type { Json } from '../json.mts';

/** A parameter or a field of the body, as the contract has it. */
export interface Field {
	name: string;
	in: 'path' | 'query' | 'body';
	isRequired: boolean;
	schema: Json;
}

/** The contract, separate from the document that the validator uses and changes. */
export const contract: Json = readContract();

/** Follows a `$ref` of the contract. */
export function resolve(entry: Json): Json {
	if (entry?.$ref === undefined) return entry;
	const keys: string[] = entry.$ref.slice(2).split('/');
	return resolve(keys.reduce((part, key) => part[key], contract));
}

/** The operation's entry in the contract. Its path there is found by ID: a service can change it. */
export function entryOf(operation: Operation): { path: string; item: Json; entry: Json } {
	for (const [path, item] of Object.entries<Json>(contract.paths)) {
		const entry = item[operation.method.toLowerCase()];
		if (entry?.operationId === operation.id) return { path, item, entry };
	}
	throw new Error(`The contract has no operation ${operation.id}`);
}

/** The content type of the body that the contract expects; undefined without a body. */
export function contentTypeOf(operation: Operation): string | undefined {
	return Object.keys(entryOf(operation).entry.requestBody?.content ?? {})[0];
}

function readFields(operation: Operation): Field[] {
	const { item, entry } = entryOf(operation);
	const parameters = [...(item.parameters ?? []), ...(entry.parameters ?? [])]
		.map(resolve)
		.map((one) => ({ name: one.name, in: one.in, isRequired: !!one.required, schema: one.schema }));
	const content: Json = Object.values(entry.requestBody?.content ?? {})[0];
	const { properties = {}, required = [] } = content?.schema ?? {};
	const body = Object.entries<Json>(properties).map(([name, schema]) => ({
		name,
		in: 'body' as const,
		isRequired: required.includes(name),
		schema,
	}));
	return [...parameters, ...body].map((one) => ({ ...one, schema: resolve(one.schema) }));
}

const known = new Map<string, Field[]>();

/** All fields of an operation: path, query and body. */
export function fieldsOf(operation: Operation): Field[] {
	const fields = known.get(operation.id) ?? readFields(operation);
	known.set(operation.id, fields);
	return fields;
}
