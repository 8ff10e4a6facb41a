import { jsonParse, type IHttpRequestOptions, type IN8nHttpFullResponse } from 'n8n-workflow';
import { untilAborted } from './concurrency';
import { toFailure, type Failure, type Words } from './errors';
import { isRecord, textUnder, valueUnder } from './guards';
import { readRetryAfter } from './retry';
import { markUtc } from './time';

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

/** Whether the user key may be the reason for a rejection: the service names it for a wrong signature, too. A page is not its own. */
export const isRefusedKey = ({ status, data }: Failure) =>
	status === '401' && !(typeof data === 'string' && /^\s*</.test(data));
