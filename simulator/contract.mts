import { readFileSync } from 'node:fs';

import type { RequestHandler } from 'express';
import { parse } from 'yaml';

import type { Json } from './json.mts';
import { openApiMiddleware } from './validator.mts';

/** One entry of the contract: a method on a path. */
export interface Operation {
	/** As in openapi.yaml; ends in `.alternate` for the second path of an operation. */
	id: string;
	/** The operation's name, without `.alternate`: what handlers are keyed by. */
	name: string;
	method: string;
	/** The path of openapi.yaml, with its parameters in braces. */
	path: string;
	isAlternate: boolean;
	/** The property schemas of the form body, by wire name; undefined when it takes no form. */
	form: Record<string, Json> | undefined;
	/** Its body is known from no document (`x-body: assumed`): a form, or under a setting JSON. */
	hasAssumedBody: boolean;
	/** Its body is too large to be held: it is read as it comes, after every other check. */
	isStreamed: boolean;
	/** The status that the contract gives an answer without a body; undefined: it has none. */
	emptyStatus: number | undefined;
	segments: string[];
}

const text = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');
// through JSON: the aliases of the YAML become separate objects, which the validator may change
const readDocument = (): Json =>
	JSON.parse(JSON.stringify(parse(text, { merge: true, maxAliasCount: -1 })));
const document = readDocument();

/** The camelCase of a PascalCase name: what a form field is called in a JSON body. */
export const camelCase = (name: string): string => name[0]!.toLowerCase() + name.slice(1);

/** What the bodies are in which no document says what they are. */
export type AssumedBodies = 'form' | 'json';

/**
 * The contract with every assumed form body as a JSON body instead: camelCase keys, and lists of
 * objects as they are, not as text. An empty body can be either.
 */
function withJsonBodies(): Json {
	const changed = readDocument();
	for (const entry of Object.values<Json>(changed.paths).flatMap((path) =>
		Object.values<Json>(path),
	)) {
		if (entry['x-body'] !== 'assumed') continue;
		const { content } = entry.requestBody;
		const { schema } = content['application/x-www-form-urlencoded'];
		const properties = Object.entries<Json>(schema.properties ?? {}).map(([name, property]) => [
			camelCase(name),
			property.contentSchema ?? property,
		]);
		const json = {
			type: 'object',
			required: (schema.required ?? []).map(camelCase),
			properties: Object.fromEntries(properties),
		};
		if (properties.length > 0) delete content['application/x-www-form-urlencoded'];
		content['application/json'] = { schema: json };
	}
	return changed;
}

function readOperations(): Operation[] {
	const found: Operation[] = [];
	for (const [path, item] of Object.entries<Json>(document.paths)) {
		for (const method of ['get', 'post', 'put', 'delete']) {
			const entry = item[method];
			if (!entry) continue;
			const body = entry.requestBody?.content ?? {};
			const form = body['application/x-www-form-urlencoded'] ?? body['multipart/form-data'];
			const empty = Object.entries<Json>(entry.responses).find(
				([, response]) => !response.content && !response.$ref,
			);
			found.push({
				id: entry.operationId,
				name: entry.operationId.replace(/\.alternate$/, ''),
				method: method.toUpperCase(),
				path,
				isAlternate: entry['x-alternate'] === true,
				form: form && (form.schema.properties ?? {}),
				isStreamed: entry['x-streamed'] === true,
				hasAssumedBody: entry['x-body'] === 'assumed',
				emptyStatus: empty && Number(empty[0]),
				segments: path.split('/'),
			});
		}
	}
	return found;
}

/** Every operation of the contract. */
export const operations: readonly Operation[] = readOperations();

const hasAlternate = new Set(operations.filter((one) => one.isAlternate).map((one) => one.name));

/** The operations that exist under the `routes` setting (operations.md, *Alternate paths*). */
export function operationsFor(routes: 'both' | 'specification' | 'alternate'): Operation[] {
	return operations.filter((operation) => {
		if (routes === 'both' || !hasAlternate.has(operation.name)) return true;
		return operation.isAlternate === (routes === 'alternate');
	});
}

/**
 * The operation for a method and a raw path (without query); 'no route' or 'no method' when there is
 * none. A literal segment wins over a parameter; case and trailing slashes count.
 */
export function matchRoute(
	routes: Operation[],
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
	// only the most literal path counts: /catalog/categories is never read as /catalog/{ItemId}
	const path_ = fitting[0]!.path;
	return fitting.find((one) => one.path === path_ && one.method === method) ?? 'no method';
}

/** The validator's two halves: `answers` watches what is sent, `requests` refuses what came in. */
export interface ContractMiddleware {
	answers: RequestHandler[];
	requests: RequestHandler[];
}

const made: Partial<Record<AssumedBodies, ContractMiddleware>> = {};

/**
 * The express middleware that holds requests and answers to the contract. Made once for the process:
 * it keeps no state of a server, and compiling the schemas is the slow part of a start.
 */
export function contractMiddleware(assumedBodies: AssumedBodies): ContractMiddleware {
	const known = made[assumedBodies];
	if (known) return known;
	const all = openApiMiddleware({
		apiSpec: assumedBodies === 'json' ? withJsonBodies() : document,
		validateApiSpec: false,
		validateSecurity: false,
		fileUploader: false,
		validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
		validateResponses: { allErrors: true },
	}) as RequestHandler[];
	// Answers are watched from before authentication on, requests checked after it. The validator
	// offers no such order, but names its parts.
	const requests = all.filter((one) => one.name === 'requestMiddleware');
	if (requests.length !== 1 || !all.some((one) => one.name === 'responseMiddleware')) {
		throw new Error('express-openapi-validator no longer names its middleware as expected');
	}
	const middleware = { answers: all.filter((one) => one !== requests[0]), requests };
	made[assumedBodies] = middleware;
	return middleware;
}
