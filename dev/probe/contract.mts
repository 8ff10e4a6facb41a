/** The contract that the service is compared with: `dev/simulator/openapi.yaml`. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { Json } from './model.mts';

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

const document: Json = JSON.parse(
	JSON.stringify(
		parse(readFileSync(contractFile, 'utf8'), {
			merge: true,
			maxAliasCount: -1,
		}),
	),
);

const FORMATS: Record<string, Endpoint['format']> = {
	'application/x-www-form-urlencoded': 'form',
	'application/json': 'json',
	'multipart/form-data': 'multipart',
};

/** Follows a reference within the contract. */
const resolved = (one: Json): Json =>
	one?.$ref === undefined
		? one
		: one.$ref
				.slice(2)
				.split('/')
				.reduce((part: Json, key: string) => part[key], document);

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

/** The other documented path of an operation. */
export const twinOf = ({ operation }: Endpoint): Endpoint | undefined =>
	endpoints.find(
		(one) =>
			one.operation === `${operation}.alternate` || `${one.operation}.alternate` === operation,
	);

const ajv = new Ajv2020({ allErrors: true, logger: false, strict: false, verbose: true });
ajv.addSchema(document, 'contract');
const validators = new Map<string, ValidateFunction>();

function validatorOf({ operation, response }: Endpoint): ValidateFunction {
	const known = validators.get(operation);
	if (known !== undefined) return known;
	const schema = JSON.parse(JSON.stringify(response), (key, value) =>
		key === '$ref' ? `contract${value}` : value,
	);
	const validate = ajv.compile(schema);
	validators.set(operation, validate);
	return validate;
}

/** Each schema of the contract with the record that it is part of, and its place in there. */
const places = new Map<object, [record: string, place: string]>();
for (const [record, schema] of Object.entries<Json>(document.components.schemas)) {
	keepPlaces(schema, record, '');
}

function keepPlaces(schema: Json, record: string, place: string): void {
	if (typeof schema !== 'object' || schema === null) return;
	places.set(schema, [record, place]);
	for (const [name, member] of Object.entries<Json>(schema.properties ?? {})) {
		keepPlaces(member, record, `${place}.${name}`);
	}
	keepPlaces(schema.items, record, `${place}[]`);
}

/** A name that no API gives a field may be a value of the account, as where a map is keyed by it. */
export const shownName = (name: string) => (/^[A-Za-z_]\w{0,60}$/.test(name) ? name : '(a value)');

/**
 * Adds to the records how the body of a successful response differs from the contract. A record
 * without a name in the contract has that of the operation that returns it.
 */
export function compareRecords(
	endpoint: Endpoint,
	data: unknown,
	records: Record<string, Record<string, string>>,
): void {
	if (endpoint.response === undefined || data === '') return;
	const validate = validatorOf(endpoint);
	if (validate(data)) return;
	for (const error of validate.errors ?? []) {
		const { parentSchema = {}, instancePath, params } = error;
		const difference = inWords(error);
		if (difference === undefined) continue;
		const unnamed = instancePath
			.split('/')
			.slice(1)
			.map((part) => (/^\d+$/.test(part) ? '[]' : `.${shownName(part)}`));
		const [record, place] = places.get(parentSchema) ?? [endpoint.operation, unnamed.join('')];
		const member = params.additionalProperty ?? params.missingProperty;
		const path = member === undefined ? place : `${place}.${shownName(member)}`;
		const field = path.replace(/^\./, '') || 'the record';
		records[record] = { ...records[record], [field]: difference };
	}
}

const typeOf = (value: unknown) =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

function inWords({ keyword, params, data }: ErrorObject): string | undefined {
	if (keyword === 'additionalProperties') return 'not in the contract';
	if (keyword === 'required') return 'absent';
	if (keyword === 'type') return `${typeOf(data)}, not ${params.type}`;
	if (keyword === 'enum' || keyword === 'const') return 'a value that is not listed';
	return ['anyOf', 'oneOf', 'allOf'].includes(keyword) ? undefined : `another ${keyword}`;
}
