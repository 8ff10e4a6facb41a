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
	/** The status that the contract gives an answer without a body; undefined: it has none. */
	emptyStatus: number | undefined;
	segments: string[];
}

const text = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');
// through JSON: the aliases of the YAML become separate objects, which the validator may change
const document = JSON.parse(JSON.stringify(parse(text, { merge: true, maxAliasCount: -1 })));

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

let middleware: ContractMiddleware | undefined;

/**
 * The express middleware that holds requests and answers to the contract. Made once for the process:
 * it keeps no state of a server, and compiling the schemas is the slow part of a start.
 */
export function contractMiddleware(): ContractMiddleware {
	if (middleware) return middleware;
	const all = openApiMiddleware({
		apiSpec: document,
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
	middleware = { answers: all.filter((one) => one !== requests[0]), requests };
	return middleware;
}
