/** The contract that the service is compared with: `dev/simulator/openapi.yaml`. */
import type { Json } from '../simulator/json.mts';
import { contractFile, readContract } from '../simulator/openapi.mts';

export { contractFile, type Json };

/** An endpoint of the contract. */
export interface Endpoint {
	/** Ends in `.alternate` or `.newest` for a further documented path of an operation. */
	operation: string;
	method: string;
	/** With its parameters in braces. */
	path: string;
	format: 'form' | 'json' | 'multipart' | 'none';
	/** The names of what it sends, in its body and its query. */
	fields: string[];
	response: Json;
}

const document = readContract();

const FORMATS: Record<string, Endpoint['format']> = {
	'application/x-www-form-urlencoded': 'form',
	'application/json': 'json',
	'multipart/form-data': 'multipart',
};

/** Follows a reference within the contract. */
export function resolved(one: Json): Json {
	const [, ...keys] = one?.$ref?.split('/') ?? [];
	return keys.length === 0 ? one : keys.reduce((part: Json, key: string) => part[key], document);
}

function readEndpoint(method: string, path: string, entry: Json, shared: Json[]): Endpoint {
	const [type, body] = Object.entries<Json>(entry.requestBody?.content ?? {})[0] ?? [];
	const parameters: Json[] = [...shared, ...(entry.parameters ?? [])].map(resolved);
	const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
	return {
		operation: entry.operationId,
		method: method.toUpperCase(),
		path,
		format: FORMATS[type ?? ''] ?? 'none',
		fields: [...query, ...Object.keys(body?.schema.properties ?? {})],
		response: resolved(entry.responses['200'])?.content?.['application/json']?.schema,
	};
}

/** Every endpoint, in the order of the contract. */
export const endpoints: readonly Endpoint[] = Object.entries<Json>(document.paths).flatMap(
	([path, { parameters = [], ...methods }]) =>
		Object.entries<Json>(methods).map(([method, entry]) =>
			readEndpoint(method, path, entry, parameters),
		),
);

/** @throws for an operation that the contract does not have */
export function endpointOf(operation: string): Endpoint {
	const found = endpoints.find((one) => one.operation === operation);
	if (found === undefined) throw new Error(`The contract has no ${operation}`);
	return found;
}

/** The operation that an endpoint belongs to, by the ID of the one with its first path. */
export const operationOf = (id: string) => id.replace(/\.(alternate|newest)$/, '');

/** What responses and JSON call a field of a form. */
export const camelCase = (field: string) => field.replace(/^./, (first) => first.toLowerCase());
