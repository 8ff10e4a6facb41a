import type { IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { PortalError } from './errors';

/** A request to the service as plain data: what an operation declares. */
export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'DELETE' | 'GET' | 'POST'>;
	/** Built with the `path` template, so that no value leaves its segment. */
	path: string;
	query?: Fields;
	/**
	 * Further documented paths, in the order to try them where the service does not have the first
	 * (docs/assumptions.md#several-documented-paths).
	 */
	alternates?: Array<{ path: string; query?: Fields }>;
	/** An empty object sends an empty form. */
	form?: Fields;
	json?: object;
	/** Whether a POST is idempotent, such as one that sets a value. */
	isRepeatable?: boolean;
	/**
	 * Whether it completes a record that the same step has created: the request does no harm twice, but
	 * running the step again would create another record.
	 */
	followsCreation?: boolean;
}

/**
 * Builds a path from a template, each value percent-encoded so that it cannot leave its segment. Throws
 * for an empty value or a dot segment, which the HTTP client would resolve away.
 */
export function path(parts: TemplateStringsArray, ...values: Array<string | number>): string {
	let built = parts[0]!;
	for (const [index, value] of values.entries()) {
		const text = String(value);
		if (['', '.', '..'].includes(text)) throw new Error(`'${text}' cannot be part of a URL`);
		built += encodeURIComponent(text) + parts[index + 1]!;
	}
	return built;
}

/** The request for n8n. The credential completes its URL, and serializes the body with its type. */
export function toHttpRequest(request: ServiceRequest): IHttpRequestOptions {
	const { method, path, query = {}, form, json } = request;
	const search = encodeFields(query);
	const url = search === '' ? path : `${path}?${search}`;
	return { method, url, json: true, body: form === undefined ? json : encodeFields(form) };
}

/** Says that a request may have been processed, and whether the step may be run again. */
export function doubtAbout({ method, isRepeatable, followsCreation }: ServiceRequest): string {
	const doubt = 'Portal.io may have processed the request.';
	if (followsCreation === true) return doubt;
	if (isRepeatable === true) return `${doubt} You can safely run the step again.`;
	return method === 'DELETE'
		? `${doubt} You can safely run the step again: if it then finds no record, the first run deleted it.`
		: `${doubt} Check in Portal.io before you run the step again, to avoid duplicates.`;
}

/** Which of its paths the service has, by `<base URL> <method> <path without its IDs>`. */
const found = new Map<string, number>();

/** Calls `attempt` for each path of a request until the service has it; this process remembers which. */
export async function onAnyPath(
	baseUrl: string,
	{ alternates = [], ...first }: ServiceRequest,
	attempt: (request: ServiceRequest) => Promise<unknown>,
): Promise<unknown> {
	const requests = [first, ...alternates.map((one) => ({ ...first, query: undefined, ...one }))];
	const route = `${baseUrl} ${first.method} ${first.path.replace(/\/\d+/g, '/*')}`;
	let missing: PortalError | undefined;
	for (const index of new Set([found.get(route) ?? 0, ...requests.keys()])) {
		const response = await attempt(requests[index]!).catch((error: PortalError) => {
			// A service without this route has done nothing, not even a change.
			if (error.facts?.isMissingRoute === true) return (missing = error);
			throw error;
		});
		if (response === missing) continue;
		found.set(route, index);
		return response;
	}
	throw missing!;
}

/** A value of a form field or query parameter; undefined and null leave the field out. */
export type FieldValue = string | number | boolean | object | null | undefined;

export type Fields = Record<string, FieldValue>;

/** The content type of every form, without a charset: what is signed is exactly this. */
export const FORM = 'application/x-www-form-urlencoded';

/** Half of an emoji, which remains after a cut, cannot be encoded. */
const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed());

/** Portal.io would split an entry at these characters, unless it is quoted. */
const quoted = (entry: string) =>
	/[,"[\]{}]/.test(entry) ? `"${entry.replaceAll('"', '""')}"` : entry;

/**
 * Serializes fields for a form body or a query string. A list of plain values becomes a repeated field,
 * where n8n would write `Name[]`; a list of objects becomes JSON in one field (assumed). A space becomes
 * `%20`, since not every decoder reads `+` as one.
 */
export function encodeFields(fields: Fields): string {
	const pairs: string[] = [];
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined || value === null) continue;
		const isList = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
		const one = typeof value === 'object' ? JSON.stringify(value) : value;
		for (const entry of isList ? value.map(String).map(quoted) : [one]) {
			pairs.push(`${encode(name)}=${encode(entry)}`);
		}
	}
	return pairs.join('&');
}
