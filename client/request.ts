import type { IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { PortalError } from './errors';

/** A request as plain data, which operations declare and tests compare. */
export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'DELETE' | 'GET' | 'POST'>;
	/** Path from the `path` template, which keeps each value within its path segment. */
	path: string;
	query?: RequestFields;
	/** Other paths that Portal.io documents for the same request (docs/assumptions.md#several-documented-paths). */
	alternates?: Array<{ path: string; query?: RequestFields }>;
	form?: RequestFields;
	json?: object;
	/** True for an idempotent POST, such as one that sets values. */
	isRepeatable?: boolean;
	/**
	 * True if the change concerns a record that the same step has created, so running the step again would create
	 * another record.
	 */
	followsCreation?: boolean;
}

/** Builds a path with percent-encoded values. Throws for values that would change the path: '', '.', and '..'. */
export function path(parts: TemplateStringsArray, ...values: Array<string | number>): string {
	let result = parts[0]!;
	for (const [index, value] of values.entries()) {
		const text = String(value);
		if (['', '.', '..'].includes(text)) throw new Error(`'${text}' cannot be part of a URL`);
		result += encodeURIComponent(text) + parts[index + 1]!;
	}
	return result;
}

/** Converts a request to n8n's request options. The credential later completes the URL and serializes a JSON body. */
export function toHttpRequest(request: ServiceRequest): IHttpRequestOptions {
	const { method, query = {}, form, json } = request;
	const search = encodeFields(query);
	const url = search === '' ? request.path : `${request.path}?${search}`;
	return { method, url, json: true, body: form === undefined ? json : encodeFields(form) };
}

/** Returns a warning that a request might have been processed, with advice on running the step again. */
export function describeDoubt({ method, isRepeatable, followsCreation }: ServiceRequest): string {
	const doubt = 'Portal.io might have processed the request.';
	if (followsCreation === true) return doubt;
	if (isRepeatable === true) return `${doubt} You can safely run the step again.`;
	return method === 'DELETE'
		? `${doubt} You can safely run the step again. If the record is then not found, the first run deleted it.`
		: `${doubt} Check in Portal.io before you run the step again, to avoid duplicates.`;
}

/** Index of the path that exists in Portal.io, by `<base URL> <method> <path without its IDs>`. */
const workingPaths = new Map<string, number>();

const toRouteKey = (baseUrl: string, { method, path }: ServiceRequest) =>
	`${baseUrl} ${method} ${path.replace(/\/\d+/g, '/*')}`;

/** Returns the path that worked for the last request of this kind; undefined if none has worked yet. */
export function workingPath(baseUrl: string, request: ServiceRequest): string | undefined {
	const index = workingPaths.get(toRouteKey(baseUrl, request));
	return index === undefined ? undefined : [request, ...(request.alternates ?? [])][index]!.path;
}

/**
 * Calls `attempt` with each path of a request until it reaches one that exists in Portal.io, and remembers that path.
 */
export async function tryEachPath(
	baseUrl: string,
	{ alternates = [], ...first }: ServiceRequest,
	attempt: (request: ServiceRequest) => Promise<unknown>,
): Promise<unknown> {
	const requests = [
		first,
		...alternates.map((alternate) => ({ ...first, query: undefined, ...alternate })),
	];
	const route = toRouteKey(baseUrl, first);
	let missingRoute: PortalError | undefined;
	for (const index of new Set([workingPaths.get(route) ?? 0, ...requests.keys()])) {
		const response = await attempt(requests[index]!).catch((error: PortalError) => {
			// Try the next path, even for a change, because nothing is processed if the route is missing.
			if (error.facts?.isMissingRoute === true) return (missingRoute = error);
			throw error;
		});
		if (response === missingRoute) continue;
		workingPaths.set(route, index);
		return response;
	}
	throw missingRoute!;
}

/** Value of a field. A field with undefined or null is not sent. */
export type FieldValue = string | number | boolean | object | null | undefined;

export type RequestFields = Record<string, FieldValue>;

/**
 * Content type of a form. It has no charset, because the signature covers the content type, and n8n could change the
 * charset.
 */
export const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';

/** Percent-encodes a value, even text that was cut in the middle of an emoji. */
const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed());

/** Quotes a list entry if it contains characters at which Portal.io would split it. */
const quoteListEntry = (entry: string) =>
	/[,"[\]{}]/.test(entry) ? `"${entry.replaceAll('"', '""')}"` : entry;

/**
 * Serializes a form body or a query string. A list of plain values repeats the field under its own name, whereas n8n
 * would append `[]` to the name. A list of objects becomes JSON in one field (assumed). A space becomes `%20`, because
 * not every decoder reads `+` as a space.
 */
export function encodeFields(fields: RequestFields): string {
	const pairs: string[] = [];
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined || value === null) continue;
		const isList = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
		const text = typeof value === 'object' ? JSON.stringify(value) : value;
		for (const entry of isList ? value.map(String).map(quoteListEntry) : [text]) {
			pairs.push(`${encode(name)}=${encode(entry)}`);
		}
	}
	return pairs.join('&');
}
