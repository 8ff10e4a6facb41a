import {
	jsonParse,
	type IDataObject,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';
import { untilAborted } from './concurrency';
import { PortalError, readRetryAfter, toFailure, type Failure, type Words } from './errors';

/** What the service returned, with the lead of its clock as in `Answer`; or why that cannot be used. */
export type Outcome = { data: unknown; clockLeadMs?: number } | { failure: Failure };

/** After decompression; n8n has no limit. A proposal with 10,000 items has a tenth of it. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

export const REQUEST_TIMEOUT_MS = 300_000;

/** Makes n8n return the unchanged response, with any status. */
const AS_STREAM = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
} as const satisfies Partial<IHttpRequestOptions>;

type Send = (request: IHttpRequestOptions) => Promise<unknown>;

/**
 * Sends a request and judges its response: `data` came from the service, complete. A GET must return
 * something; a change may be acknowledged with nothing, with text, or with the JSON `true`.
 *
 * n8n's own timeout ends when the response begins. In its stream, nothing ends a read that waits for the
 * next bytes, not even destroying the stream: so all of it races against the limit.
 */
export async function toOutcome(
	send: Send,
	request: IHttpRequestOptions,
	timeout: number,
): Promise<Outcome> {
	const limit = AbortSignal.timeout(timeout);
	const asStream = { ...request, ...AS_STREAM, timeout, abortSignal: limit };
	const fail = (error: unknown) => ({ failure: toFailure(error) });
	const reading = readOutcome(send, asStream, limit).catch(fail);
	return (await untilAborted(reading, limit)) ?? { failure: { code: 'ETIMEDOUT' } };
}

async function readOutcome(
	send: Send,
	request: IHttpRequestOptions,
	limit: AbortSignal,
): Promise<Outcome> {
	const { statusCode, headers = {}, body } = (await send(request)) as IN8nHttpFullResponse;
	const lead = Date.parse(String(headers.date)) - Date.now();
	const clockLeadMs = Number.isNaN(lead) ? undefined : lead;
	const data = await readBody(body, limit);
	const status = String(statusCode);
	// 206: the service has given up the request.
	if (!status.startsWith('2') || status === '206') {
		// No other header is kept: `Location` may repeat the URL of a login, which has the password.
		const retryAfterMs = readRetryAfter(headers['retry-after'], clockLeadMs);
		return { failure: { status, clockLeadMs, retryAfterMs, data: data ?? '' } };
	}
	const unusable = findFlaw(data, String(headers['content-type']), request.method!);
	if (unusable === undefined) return { data, clockLeadMs };
	return { failure: unusable === 'error' ? { unusable, data } : { unusable } };
}

/** Reads a body as JSON, or as text if it is not JSON; undefined if it is too large. */
async function readBody(body: unknown, limit: AbortSignal): Promise<unknown> {
	// n8n's evaluation of workflows returns the data itself in place of services.
	if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) {
		return body ?? '';
	}
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		bytes += chunk.byteLength;
		// Leaving the loop destroys the stream, and with it the connection.
		if (bytes > MAX_RESPONSE_BYTES || limit.aborted) return undefined;
		chunks.push(chunk);
	}
	const text = Buffer.concat(chunks)
		.toString()
		.replace(/^\uFEFF/, '');
	return jsonParse<unknown>(markUtc(text), { fallbackValue: text });
}

/** Why a successful response cannot be used; undefined if it can. */
function findFlaw(data: unknown, contentType: string, method: string): Failure['unusable'] {
	if (data === undefined) return 'large';
	if (data === '' || data === null) return method === 'GET' ? 'empty' : undefined;
	if (typeof data === 'object') {
		const errorCode = textUnder(valueUnder(data, 'responseStatus'), 'errorCode');
		return errorCode === '' ? undefined : 'error';
	}
	// A page, or JSON that was cut off, begins with one of these.
	const isText = typeof data === 'string' && !/html/i.test(contentType) && !/^\s*[<{["]/.test(data);
	return method !== 'GET' && (isText || data === true) ? undefined : 'foreign';
}

export function readWords(body: unknown): Words | undefined {
	if (typeof body === 'string') {
		const message = body.trim();
		// A longer text is a page.
		if (!/^[^<{[]/.test(message) || message.length > 500) return undefined;
		return { message, errorCode: '', errors: [], lines: [message], isFromApi: false };
	}
	const status = valueUnder(body, 'responseStatus');
	const either = (name: string) => textUnder(body, name) || textUnder(status, name);
	const [message, errorCode] = [either('message'), either('errorCode')];
	const listed = valueUnder(status, 'errors');
	const errors = (Array.isArray(listed) ? listed : []).filter(isRecord).map((one) => ({
		fieldName: textUnder(one, 'fieldName'),
		message: textUnder(one, 'message'),
		errorCode: textUnder(one, 'errorCode'),
	}));
	const summary = message.includes(errorCode) ? message : `${message} (${errorCode})`.trim();
	const fields = errors.map((one) =>
		[one.fieldName, one.message || one.errorCode].filter(Boolean).join(': '),
	);
	const lines = [summary, ...fields.filter((line) => line !== message)].filter(Boolean);
	// The framework of the API writes `responseStatus`, and what is documented has an `errorCode`.
	const hasShape = isRecord(status) || errorCode !== '';
	const isFromApi = hasShape && !/handler for request not found/i.test(message);
	return lines.length === 0 ? undefined : { message, errorCode, errors, lines, isFromApi };
}

function textUnder(record: unknown, name: string): string {
	const value = valueUnder(record, name);
	return typeof value === 'string' ? value.trim() : '';
}

/** Whether the user key may be the reason for a rejection: the service names it for a wrong signature, too. A page is not its own. */
export const isRefusedKey = ({ status, data }: Failure) =>
	status === '401' && !(typeof data === 'string' && /^\s*</.test(data));

/** Says that a response does not have its documented shape. */
export class ShapeError extends PortalError {
	constructor(what: string, response: unknown) {
		super(`Unexpected response: Portal.io did not return ${what}`, {
			advice: [
				`It returned ${describe(response)}. Check the 'Environment' and 'Base URL' of the credential. If this continues, contact support@portal.io.`,
			],
		});
	}
}

/**
 * Finds the records of a list in a response: a bare array, the list under the documented name in any
 * case, or the only array. Without one, the list is empty if the property `count` is 0; otherwise this
 * throws a ShapeError.
 */
export function takeList(response: unknown, name: string, count?: string): IDataObject[] {
	let list = Array.isArray(response) ? response : valueUnder(response, name);
	// If the value under the name is not a list, no other array is the list either.
	if (list === undefined && isRecord(response)) {
		const lists = Object.values(response).filter((value) => Array.isArray(value));
		if (lists.length === 1) list = lists[0];
	}
	if (isRecords(list)) return list;
	const isEmpty = count !== undefined && valueUnder(response, count) === 0;
	if (isEmpty && !Array.isArray(list)) return [];
	throw new ShapeError(`the list '${name}'`, response);
}

export const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isRecords = (value: unknown): value is IDataObject[] =>
	Array.isArray(value) && value.every(isRecord);

export const asRecord = (value: unknown): IDataObject | undefined =>
	isRecord(value) ? value : undefined;

/** The value of an object under a name in any case. */
export function valueUnder(response: unknown, name: string): unknown {
	if (!isRecord(response)) return undefined;
	if (name in response) return response[name];
	const lower = name.toLowerCase();
	for (const key in response) if (key.toLowerCase() === lower) return response[key];
	return undefined;
}

/** The list of records under a name, which may be absent. Throws a ShapeError for any other value. */
export function listOrNone<T = IDataObject>(response: unknown, name: string): T[] {
	const value = valueUnder(response, name) ?? [];
	if (isRecords(value)) return value as T[];
	throw new ShapeError(`the list '${name}'`, value);
}

/** Describes a response without its values, which may be confidential. */
function describe(response: unknown): string {
	if (Array.isArray(response)) return 'an array with entries that are not records';
	if (!isRecord(response)) return (response ?? '') === '' ? 'nothing' : `a ${typeof response}`;
	const names = Object.keys(response).slice(0, 5);
	return names.length === 0
		? 'an empty object'
		: `an object with ${names.map((name) => `'${name.slice(0, 40)}'`).join(', ')}`;
}

const ISO =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?)? ?(Z|([+-]\d{2}):?(\d{2}))?$/i;

/**
 * Parses a date of the service, in UTC unless it names a time zone (docs/dev/portal-api.md#bodies), to
 * milliseconds since 1970. Undefined for anything else, and for the year 1: a missing date.
 */
export function parseTime(date: unknown): number | undefined {
	const parts = typeof date === 'string' ? ISO.exec(date) : null;
	if (parts === null) return undefined;
	const [, day, time = '00:00', decimals = '', , hours = '+00', minutes = '00'] = parts;
	const seconds = Date.parse(`${day}T${time}${hours}:${minutes}`);
	return seconds > 0 ? seconds + Number(decimals) * 1000 : undefined;
}

/** A date of a record or event without a time zone, in JSON without spaces. */
const WITHOUT_ZONE =
	/([{,]"(?:created|\w{0,50}date)":"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?)"/gi;

/** Marks the dates in a JSON text as UTC: without a zone, n8n would read them in that of the workflow. */
export const markUtc = (json: string): string => json.replace(WITHOUT_ZONE, '$1Z"');
