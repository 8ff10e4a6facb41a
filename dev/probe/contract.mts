/** The contract that the service is compared with: `dev/simulator/openapi.yaml`. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses of a service nobody has typed
export type Json = any;

/** An endpoint of the contract. */
export interface Endpoint {
	/** Ends in `.alternate` for the second documented path of an operation. */
	operation: string;
	method: string;
	/** With its parameters in braces. */
	path: string;
	format: 'form' | 'json' | 'multipart' | 'none';
	/** The names of what it sends, in its body and its query. */
	fields: string[];
	response: Json;
}

export const contractFile = new URL('../simulator/openapi.yaml', import.meta.url);

const document: Json = parse(readFileSync(contractFile, 'utf8'), {
	merge: true,
	maxAliasCount: -1,
});

const FORMATS: Record<string, Endpoint['format']> = {
	'application/x-www-form-urlencoded': 'form',
	'application/json': 'json',
	'multipart/form-data': 'multipart',
};

/** Follows a reference within the contract. */
function resolved(one: Json): Json {
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

/** How records differ from the contract: by the name of the record, then by the field. */
export type Differences = Record<string, Record<string, string>>;

/** A name that no API gives a field may be a value of the account, as where a map is keyed by it. */
export const safeName = (name: string) => (/^[A-Za-z_]\w{0,60}$/.test(name) ? name : '(a value)');

/**
 * Adds how the body of a successful response differs from the contract. A record without a name in
 * the contract has that of the operation that returns it.
 */
export function compareRecords(endpoint: Endpoint, data: unknown, found: Differences): void {
	function compare(schema: Json, value: Json, record: string, place: string): void {
		if (schema.$ref !== undefined) {
			compare(resolved(schema), value, schema.$ref.split('/').at(-1), '');
			return;
		}
		if (schema.oneOf !== undefined) {
			// In this contract always: a record or null.
			if (value !== null) compare(schema.oneOf[0], value, record, place);
			return;
		}
		const { type, items = {}, properties = {}, required = [], additionalProperties = {} } = schema;
		const placeOf = (name: string) => [place, safeName(name)].filter((one) => one !== '').join('.');
		const report = (at: string, difference: string) => {
			(found[record] ??= {})[at || 'the record'] = difference;
		};
		if (!isOfType(type, value)) {
			report(place, `${typeOf(value)}, not ${[type].flat().join(' or ')}`);
		} else if (schema.enum?.includes(value) === false) {
			report(place, 'a value that is not listed');
		} else if (Array.isArray(value)) {
			for (const entry of value) compare(items, entry, record, `${place}[]`);
		} else if (typeOf(value) === 'object') {
			for (const name of required) if (!(name in value)) report(placeOf(name), 'absent');
			for (const [name, member] of Object.entries<Json>(value)) {
				const known = properties[name] ?? additionalProperties;
				if (known === false) report(placeOf(name), 'not in the contract');
				else compare(known, member, record, placeOf(name));
			}
		}
	}
	if (endpoint.response !== undefined && data !== '') {
		compare(endpoint.response, data, endpoint.operation, '');
	}
}

const typeOf = (value: unknown) =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const isOfType = (type: string | string[] | undefined, value: unknown) =>
	type === undefined ||
	[type]
		.flat()
		.some((one) => one === typeOf(value) || (one === 'integer' && Number.isInteger(value)));
