/** Reads the contract. */
import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import type { Json } from './json.mts';

const text = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');

/** The contract. Each call returns an object of its own, because the validator changes what it gets. */
export const readContract = (): Json =>
	// Through JSON: the aliases of the YAML become separate objects.
	JSON.parse(JSON.stringify(parse(text, { merge: true, maxAliasCount: -1 })));

const document = readContract();

/** The documents state it, nobody does, or the probe has seen the service take it. */
export type Mark = 'spec' | 'docs' | 'assumed' | 'confirmed';

const FORMATS = {
	'application/x-www-form-urlencoded': 'form',
	'application/json': 'json',
	'multipart/form-data': 'multipart',
} as const;

/** One operation of the contract: a method on a path. */
export interface Operation {
	/** As in openapi.yaml; ends in `.alternate` or `.newest` for a further path of an operation. */
	id: string;
	/** The operation's name, without that ending; handlers are keyed by it. */
	name: string;
	method: string;
	/** The path of openapi.yaml, with its parameters in braces. */
	path: string;
	/** How sure it is; what the marks mean: docs/portal-api.md. */
	mark: Mark;
	isAlternate: boolean;
	format: (typeof FORMATS)[keyof typeof FORMATS] | 'none';
	/** The schemas of the form fields, by wire name; undefined when it takes no form. */
	form: Record<string, Json> | undefined;
	/** The names of what it takes in its query and its body. */
	fields: string[];
	/** The schema of the JSON that a success returns; undefined where it returns none. */
	response: Json;
	/** Whether its body is not documented (`x-body: assumed`): a form, or JSON if set so. */
	hasAssumedBody: boolean;
	/** Whether its body is streamed, after every other check, because it is too large for memory. */
	isStreamed: boolean;
	segments: string[];
}

/** Follows a reference within the contract. */
export function resolved(one: Json): Json {
	const [, ...keys] = one?.$ref?.split('/') ?? [];
	return keys.length === 0 ? one : keys.reduce((part: Json, key: string) => part[key], document);
}

/** A PascalCase name in camelCase, as responses and JSON call a field of a form. */
export const camelCase = (name: string): string => name[0]!.toLowerCase() + name.slice(1);

function readOperation(method: string, path: string, entry: Json): Operation {
	const [type, body] = Object.entries<Json>(entry.requestBody?.content ?? {})[0] ?? [];
	const format = FORMATS[type as keyof typeof FORMATS] ?? 'none';
	const properties: Record<string, Json> = body?.schema.properties ?? {};
	const parameters: Json[] = (entry.parameters ?? []).map(resolved);
	const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
	return {
		id: entry.operationId,
		name: entry.operationId.replace(/\.(alternate|newest)$/, ''),
		method: method.toUpperCase(),
		path,
		mark: entry['x-mark'],
		isAlternate: entry['x-alternate'] === true,
		format,
		form: ['form', 'multipart'].includes(format) ? properties : undefined,
		fields: [...query, ...Object.keys(properties)],
		response: resolved(entry.responses['200'])?.content?.['application/json']?.schema,
		hasAssumedBody: entry['x-body'] === 'assumed',
		isStreamed: entry['x-streamed'] === true,
		segments: path.split('/'),
	};
}

/** Every operation of the contract, in its order. */
export const operations: readonly Operation[] = Object.entries<Json>(document.paths).flatMap(
	([path, methods]) =>
		['get', 'post', 'put', 'delete'].flatMap((method) =>
			methods[method] ? [readOperation(method, path, methods[method])] : [],
		),
);

/** @throws for an operation that the contract does not have */
export function operationWith(id: string): Operation {
	const found = operations.find((one) => one.id === id);
	if (found === undefined) throw new Error(`The contract has no ${id}`);
	return found;
}

/**
 * Finds the operation for a method and a raw path (without query), or returns 'no route' or
 * 'no method'. A literal segment wins over a parameter; case and trailing slashes matter.
 */
export function matchRoute(
	routes: readonly Operation[],
	method: string,
	path: string,
): Operation | 'no route' | 'no method' {
	const segments = path.split('/');
	const literals = (operation: Operation) =>
		operation.segments.filter((segment) => !segment.startsWith('{')).length;
	const fitting = routes
		.filter(
			(operation) =>
				operation.segments.length === segments.length &&
				operation.segments.every((segment, index) =>
					segment.startsWith('{') ? segments[index] !== '' : segment === segments[index],
				),
		)
		.sort((left, right) => literals(right) - literals(left));
	if (fitting.length === 0) return 'no route';
	// Only the most literal path counts: /catalog/categories never matches /catalog/{ItemId}
	const path_ = fitting[0]!.path;
	return fitting.find((one) => one.path === path_ && one.method === method) ?? 'no method';
}
