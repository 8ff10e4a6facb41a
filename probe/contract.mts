/** The contract that the service is compared with: `simulator/openapi.yaml`. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { isIdentifier, UNNAMED } from './identifiers.mts';
import type { Differences, Format } from './model.mts';

/** A JSON schema, as far as the probe reads it. */
export interface Schema {
	type?: string;
	enum?: unknown[];
	required?: string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	contentSchema?: Schema;
}

/** An endpoint of the contract. */
export interface Endpoint {
	/** Ends in `.alternate` for the second documented path of an operation. */
	operation: string;
	method: string;
	/** With its parameters in braces. */
	path: string;
	isAlternate: boolean;
	/** docs/portal-api.md: `spec`, `docs`, `assumed` or `confirmed`. */
	mark: string;
	/** What its body is; `none` when it has none. */
	format: Format | 'multipart' | 'none';
	/** The fields of its body by name. */
	fields: Record<string, Schema>;
	required: string[];
	/** Its query parameters by name. */
	query: Record<string, Schema>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the document is checked by its own tests
type Json = Record<string, any>;

/** The contract as it is written, for what asks it something else. */
export const document: Json = JSON.parse(
	JSON.stringify(
		parse(readFileSync(new URL('../simulator/openapi.yaml', import.meta.url), 'utf8'), {
			merge: true,
			maxAliasCount: -1,
		}),
	),
);

const FORMATS: Record<string, Format | 'multipart'> = {
	'application/x-www-form-urlencoded': 'form',
	'application/json': 'json',
	'multipart/form-data': 'multipart',
};

/** Follows a reference within the contract. */
export const resolved = (one: Json): Json =>
	one.$ref === undefined
		? one
		: one.$ref
				.slice(2)
				.split('/')
				.reduce((part: Json, key: string) => part[key], document);

function readEndpoint(method: string, path: string, entry: Json, shared: Json[]): Endpoint {
	const [type, body] = Object.entries<Json>(entry.requestBody?.content ?? {})[0] ?? [];
	const parameters: Json[] = [...shared, ...(entry.parameters ?? [])].map(resolved);
	const query = parameters.filter((one) => one.in === 'query');
	return {
		operation: entry.operationId,
		method: method.toUpperCase(),
		path,
		isAlternate: entry['x-alternate'] === true,
		mark: entry['x-mark'],
		format: FORMATS[type ?? ''] ?? 'none',
		fields: body?.schema.properties ?? {},
		required: body?.schema.required ?? [],
		query: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
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

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, logger: false });
ajv.addSchema(document, 'contract');
const validators = new Map<string, ValidateFunction | undefined>();

/** What the contract says of successful responses; undefined when it says nothing. */
export function responseSchema({ method, path }: Endpoint): Json | undefined {
	const response = document.paths[path][method.toLowerCase()].responses['200'];
	return response && resolved(response).content?.['application/json']?.schema;
}

/** Checks successful responses of an endpoint; undefined when the contract says nothing of them. */
function validatorOf(endpoint: Endpoint): ValidateFunction | undefined {
	const { operation } = endpoint;
	if (!validators.has(operation)) {
		const schema = responseSchema(endpoint);
		const at = (one: Json): Json => ({ ...one });
		validators.set(operation, schema && ajv.compile(relocated(at(schema)) as object));
	}
	return validators.get(operation);
}

/** A schema of the document that stands alone: its references lead into the document. */
const relocated = (schema: Json): Json =>
	JSON.parse(JSON.stringify(schema), (key, value) =>
		key === '$ref' && String(value).startsWith('#') ? `contract${value}` : value,
	);

/** What a record is keyed by may be a value of the account: a name, an email, an ID. */
const memberName = (name: string) => (isIdentifier(name) ? name : UNNAMED);

/** The path of a field without the places in lists: `areas[].options[].id`. */
const fieldPath = (instancePath: string, name?: string) =>
	[...instancePath.split('/').slice(1), ...(name === undefined ? [] : [name])]
		.map((part) => (/^\d+$/.test(part) && part !== name ? '[]' : memberName(part)))
		.join('.')
		.replaceAll('.[]', '[]') || 'the response';

const typeOf = (value: unknown) =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** How the body of a successful response differs from what the contract says of it. */
export function compareWithContract(endpoint: Endpoint, data: unknown): Differences {
	const found = { added: new Set<string>(), absent: new Set<string>(), types: new Set<string>() };
	const validate = validatorOf(endpoint);
	if (validate !== undefined && data !== '' && !validate(data)) {
		for (const error of validate.errors ?? []) sortIn(error, found);
	}
	const sorted = (set: Set<string>) => [...set].sort();
	return { added: sorted(found.added), absent: sorted(found.absent), types: sorted(found.types) };
}

function sortIn(
	{ keyword, instancePath, params, data }: ErrorObject,
	found: Record<keyof Differences, Set<string>>,
): void {
	if (keyword === 'additionalProperties') {
		found.added.add(fieldPath(instancePath, params.additionalProperty));
	} else if (keyword === 'required') {
		found.absent.add(fieldPath(instancePath, params.missingProperty));
	} else if (keyword === 'type') {
		found.types.add(`${fieldPath(instancePath)}: ${typeOf(data)}, not ${params.type}`);
	} else if (keyword === 'enum' || keyword === 'const') {
		found.types.add(`${fieldPath(instancePath)}: a value that the contract does not list`);
	} else if (keyword !== 'anyOf' && keyword !== 'oneOf' && keyword !== 'allOf') {
		found.types.add(`${fieldPath(instancePath)}: another ${keyword}`);
	}
}
