import type { RequestHandler } from 'express';
import OpenApiValidator from 'express-openapi-validator';

import type { Json } from './json.mts';
import { readContract } from './openapi.mts';

/** One operation of the contract: a method on a path. */
export interface Operation {
	/** As in openapi.yaml; ends in `.alternate` or `.newest` for a further path of an operation. */
	id: string;
	/** The operation's name, without that ending; handlers are keyed by it. */
	name: string;
	method: string;
	/** The path of openapi.yaml, with its parameters in braces. */
	path: string;
	isAlternate: boolean;
	/** The schemas of the form fields, by wire name; undefined when it takes no form. */
	form: Record<string, Json> | undefined;
	/** Whether its body is not documented (`x-body: assumed`): a form, or JSON if set so. */
	hasAssumedBody: boolean;
	/** Whether its body is streamed, after every other check, because it is too large for memory. */
	isStreamed: boolean;
	segments: string[];
}

const document = readContract();

/** A PascalCase name in camelCase, as a form field is named in a JSON body. */
export const camelCase = (name: string): string => name[0]!.toLowerCase() + name.slice(1);

/** The format of bodies that are not documented. */
export type AssumedBodies = 'form' | 'json';

/**
 * The contract with JSON bodies in place of the assumed forms: camelCase keys, and lists of objects
 * as lists instead of text. An empty body can be either.
 */
function withJsonBodies(): Json {
	const changed = readContract();
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
			found.push({
				id: entry.operationId,
				name: entry.operationId.replace(/\.(alternate|newest)$/, ''),
				method: method.toUpperCase(),
				path,
				isAlternate: entry['x-alternate'] === true,
				form: form && (form.schema.properties ?? {}),
				isStreamed: entry['x-streamed'] === true,
				hasAssumedBody: entry['x-body'] === 'assumed',
				segments: path.split('/'),
			});
		}
	}
	return found;
}

/** Every operation of the contract. */
export const operations: readonly Operation[] = readOperations();

/** Which paths exist of an operation that has several. */
export type Routes = 'all' | 'specification' | 'alternate' | 'newest';

/** The ends of the IDs of the paths, in the order of preference. */
const ENDINGS: Record<Exclude<Routes, 'all'>, string[]> = {
	specification: [''],
	alternate: ['.alternate', ''],
	newest: ['.newest', '.alternate'],
};

/** The operations that exist with the given `routes` setting. */
export function operationsFor(routes: Routes): Operation[] {
	if (routes === 'all') return [...operations];
	return [...Map.groupBy(operations, ({ name }) => name)].flatMap(([name, paths]) => {
		if (paths.length === 1) return paths;
		const ids = ENDINGS[routes].map((ending) => name + ending);
		return paths.filter(
			({ id }) => id === ids.find((one) => paths.some((path) => path.id === one)),
		);
	});
}

/**
 * Finds the operation for a method and a raw path (without query), or returns 'no route' or
 * 'no method'. A literal segment wins over a parameter; case and trailing slashes matter.
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
	// only the most literal path counts: /catalog/categories never matches /catalog/{ItemId}
	const path_ = fitting[0]!.path;
	return fitting.find((one) => one.path === path_ && one.method === method) ?? 'no method';
}

/** The two parts of the validator: `answers` checks responses, `requests` checks requests. */
export interface ContractMiddleware {
	answers: RequestHandler[];
	requests: RequestHandler[];
}

const cache: Partial<Record<AssumedBodies, ContractMiddleware>> = {};

/**
 * The Express middleware that validates requests and responses against the contract. Created once
 * per process: it keeps no state of a server, and compiling the schemas is the slow part of a
 * start.
 */
export function contractMiddleware(assumedBodies: AssumedBodies): ContractMiddleware {
	const known = cache[assumedBodies];
	if (known) return known;
	const all = OpenApiValidator.middleware({
		apiSpec: assumedBodies === 'json' ? withJsonBodies() : document,
		validateApiSpec: false,
		validateSecurity: false,
		fileUploader: false,
		validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
		validateResponses: { allErrors: true },
	}) as RequestHandler[];
	// Responses are checked from before authentication on, requests only after it. The validator
	// offers no such order, but its parts can be told apart by name.
	const requests = all.filter((one) => one.name === 'requestMiddleware');
	if (requests.length !== 1 || !all.some((one) => one.name === 'responseMiddleware')) {
		throw new Error('express-openapi-validator no longer names its middleware as expected');
	}
	const middleware = { answers: all.filter((one) => one !== requests[0]), requests };
	cache[assumedBodies] = middleware;
	return middleware;
}
