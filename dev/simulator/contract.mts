import type { RequestHandler } from 'express';
import OpenApiValidator from 'express-openapi-validator';

import type { Json } from './json.mts';
import { camelCase, operations, readContract, type Operation } from './openapi.mts';

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
		apiSpec: assumedBodies === 'json' ? withJsonBodies() : readContract(),
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
