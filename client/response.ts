import { jsonParse, type IHttpRequestOptions, type IN8nHttpFullResponse } from 'n8n-workflow';
import { untilAborted } from './concurrency';
import { toFailure, type Failure, type ServiceMessage } from './errors';
import { isRecord, textUnder, valueUnder } from './responseShape';
import { readRetryAfter } from './retry';
import { markUtc } from './time';

export type RequestOutcome = { data: unknown; clockLeadMs?: number } | { failure: Failure };

/**
 * Maximum size of a decompressed response. n8n itself sets no limit. A proposal with 10,000 items needs a tenth of
 * this.
 */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

export const REQUEST_TIMEOUT_MS = 300_000;

/** Options with which n8n neither parses the body nor throws for an error status. */
const STREAM_OPTIONS = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
} as const satisfies Partial<IHttpRequestOptions>;

type SendRequest = (request: IHttpRequestOptions) => Promise<unknown>;

/**
 * Sends a request once, and returns the data only if it came from the API and is complete. A GET must return something;
 * a change can be acknowledged with nothing, with text, or with the JSON `true`.
 *
 * n8n's own timeout stops applying when the response begins. After that, a read that waits for more bytes can wait forever, even
 * if the stream is destroyed. So the whole request races against its time limit.
 */
export async function sendAndRead(
	send: SendRequest,
	request: IHttpRequestOptions,
	timeout: number,
): Promise<RequestOutcome> {
	const limit = AbortSignal.timeout(timeout);
	const asStream = { ...request, ...STREAM_OPTIONS, timeout, abortSignal: limit };
	const fail = (error: unknown) => ({ failure: toFailure(error) });
	const reading = readOutcome(send, asStream, limit).catch(fail);
	return (await untilAborted(reading, limit)) ?? { failure: { code: 'ETIMEDOUT' } };
}

async function readOutcome(
	send: SendRequest,
	request: IHttpRequestOptions,
	limit: AbortSignal,
): Promise<RequestOutcome> {
	const { statusCode, headers = {}, body } = (await send(request)) as IN8nHttpFullResponse;
	const lead = Date.parse(String(headers.date)) - Date.now();
	const clockLeadMs = Number.isNaN(lead) ? undefined : lead;
	const data = await readBody(body, limit);
	const status = String(statusCode);
	// Treat 206 as a failure, because Portal.io returns it when it gives up on a request.
	if (!status.startsWith('2') || status === '206') {
		// Keep no other header, because a header such as `Location` can repeat a login's URL, which contains the
		// password.
		const requiredMs = readRetryAfter(headers['retry-after'], clockLeadMs);
		const retryAfterMs = status === '503' ? capWait(requiredMs) : requiredMs;
		return { failure: { status, clockLeadMs, retryAfterMs, data: data ?? '' } };
	}
	const unusable = findFlaw(data, String(headers['content-type']), request.method!);
	if (unusable === undefined) return { data, clockLeadMs };
	return { failure: unusable === 'error' ? { unusable, data } : { unusable } };
}

/** Longest wait after a 503. A maintenance page can announce an hour, but Portal.io is often back earlier. */
const MAX_OUTAGE_WAIT_MS = 5 * 60_000;

const capWait = (milliseconds: number | undefined): number | undefined =>
	milliseconds === undefined ? undefined : Math.min(milliseconds, MAX_OUTAGE_WAIT_MS);

/** Returns parsed JSON, or text if the body is not JSON; undefined if the body is too large or the time is up. */
async function readBody(body: unknown, limit: AbortSignal): Promise<unknown> {
	// Return the body as it is, because n8n's workflow evaluation mocks responses with bodies that are not streams.
	if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) {
		return body ?? '';
	}
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		bytes += chunk.byteLength;
		// Return from the loop, which destroys the stream and closes the connection.
		if (bytes > MAX_RESPONSE_BYTES || limit.aborted) return undefined;
		chunks.push(chunk);
	}
	const text = Buffer.concat(chunks)
		.toString()
		.replace(/^\uFEFF/, '');
	return jsonParse<unknown>(markUtc(text), { fallbackValue: text });
}

/** Returns why the data in a successful response cannot be used; undefined if it can. */
function findFlaw(data: unknown, contentType: string, method: string): Failure['unusable'] {
	if (data === undefined) return 'large';
	if (data === '' || data === null) return method === 'GET' ? 'empty' : undefined;
	if (typeof data === 'object') {
		const errorCode = textUnder(valueUnder(data, 'responseStatus'), 'errorCode');
		return errorCode === '' ? undefined : 'error';
	}
	// Reject web pages and truncated JSON, which begin with one of these characters.
	const isText = typeof data === 'string' && !/html/i.test(contentType) && !/^\s*[<{["]/.test(data);
	return method !== 'GET' && (isText || data === true) ? undefined : 'notFromApi';
}

export function readServiceMessage(body: unknown): ServiceMessage | undefined {
	if (typeof body === 'string') {
		const message = body.trim();
		// Ignore markup, malformed JSON, and long text, because an error message is none of these.
		if (!/^[^<{[]/.test(message) || message.length > 500) return undefined;
		return { message, errorCode: '', errors: [], lines: [message], isFromApi: false };
	}
	const status = valueUnder(body, 'responseStatus');
	const textOf = (name: string) => textUnder(body, name) || textUnder(status, name);
	const message = textOf('message');
	const errorCode = textOf('errorCode');
	const fieldErrors = valueUnder(status, 'errors');
	const errors = (Array.isArray(fieldErrors) ? fieldErrors : []).filter(isRecord).map((error) => ({
		fieldName: textUnder(error, 'fieldName'),
		message: textUnder(error, 'message'),
		errorCode: textUnder(error, 'errorCode'),
	}));
	const summary = message.includes(errorCode) ? message : `${message} (${errorCode})`.trim();
	const fieldLines = errors.map((error) =>
		[error.fieldName, error.message || error.errorCode].filter(Boolean).join(': '),
	);
	const lines = [summary, ...fieldLines.filter((line) => line !== message)].filter(Boolean);
	// Accept both shapes. The API's framework writes `responseStatus`, and the documented errors have an `errorCode`.
	const hasShape = isRecord(status) || errorCode !== '';
	const isFromApi = hasShape && !/handler for request not found/i.test(message);
	return lines.length === 0 ? undefined : { message, errorCode, errors, lines, isFromApi };
}

/**
 * Returns whether the user API key might have expired. Also returns true for a wrong signature, which has the same
 * status, but not for HTML, which comes from a proxy.
 */
export const mayBeRejectedKey = ({ status, data }: Failure) =>
	status === '401' && !(typeof data === 'string' && /^\s*</.test(data));
