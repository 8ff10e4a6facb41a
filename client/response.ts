import { jsonParse, type IHttpRequestOptions, type IN8nHttpFullResponse } from 'n8n-workflow';
import { untilAborted } from './concurrency';
import { isRecord, markUtc, valueUnder } from './data';
import { PortalError, type Answer, type Failure, type Words } from './errors';

export type Outcome = { data: unknown; headers: Answer['headers'] } | { failure: Failure };

/**
 * The limit of a response after decompression: n8n has none, and a broken service could fill its memory.
 * A proposal with 10,000 items has a tenth of it.
 */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** The same as in n8n. */
export const REQUEST_TIMEOUT_MS = 300_000;

/** Makes n8n return the unchanged response, with any status. */
const AS_STREAM = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
} as const satisfies Partial<IHttpRequestOptions>;

export type SendWith = (
	options: typeof AS_STREAM & { timeout: number; abortSignal: AbortSignal },
) => Promise<unknown>;

/**
 * Sends a request and judges its response: `data` came from the service, complete. A GET must return
 * something; a change may be acknowledged with nothing, or with text.
 */
export async function toOutcome(
	send: SendWith,
	method: string,
	timeoutMs: number,
): Promise<Outcome> {
	const response = await readResponse(send, timeoutMs);
	const { status, code, headers, data } = response;
	// 206: the service has given up the request.
	if (!status.startsWith('2') || status === '206') return { failure: response };
	const unusable = response.unusable ?? findFlaw(data, headers, method);
	if (unusable === undefined) return { data, headers };
	const failure = { status: '', code, headers, unusable };
	return { failure: unusable === 'error' ? { ...failure, data } : failure };
}

/** Why a successful response cannot have come from the API; undefined if it can. */
function findFlaw(data: unknown, headers: Answer['headers'], method: string): Failure['unusable'] {
	if (data === '' || data === null) return method === 'GET' ? 'empty' : undefined;
	if (typeof data === 'object') {
		return textUnder(valueUnder(data, 'responseStatus'), 'errorCode') === '' ? undefined : 'error';
	}
	const type = String(headers['content-type'] ?? '');
	const isText = typeof data === 'string' && !/json|html/i.test(type) && !/^\s*[<{[]/.test(data);
	return method !== 'GET' && isText ? undefined : 'foreign';
}

/**
 * Sends a request and reads its response to the end, with any status.
 *
 * n8n's own timeout ends when the response begins. In its stream, nothing ends a read that waits for the
 * next bytes, not even destroying the stream: so all of it races against the limit.
 */
export async function readResponse(send: SendWith, timeoutMs: number): Promise<Failure> {
	const limit = AbortSignal.timeout(timeoutMs);
	const response = await untilAborted(readAll(send, timeoutMs, limit), limit);
	return response ?? { status: '', code: 'ETIMEDOUT', headers: {} };
}

async function readAll(
	send: SendWith,
	timeout: number,
	abortSignal: AbortSignal,
): Promise<Failure> {
	try {
		const response = await send({ ...AS_STREAM, timeout, abortSignal });
		const { statusCode, headers = {}, body } = response as IN8nHttpFullResponse;
		const answer = { status: String(statusCode), code: '', headers };
		// n8n's evaluation of workflows returns the data itself in place of services.
		const isStream = typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
		if (!isStream) return { ...answer, data: body ?? '' };
		const text = await readText(body as AsyncIterable<Uint8Array>, abortSignal);
		if (text === undefined) return { ...answer, data: '', unusable: 'large' };
		return { ...answer, data: jsonParse<unknown>(markUtc(text), { fallbackValue: text }) };
	} catch (error) {
		return toFailure(error);
	}
}

async function readText(
	stream: AsyncIterable<Uint8Array>,
	limit: AbortSignal,
): Promise<string | undefined> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.byteLength;
		// Leaving the loop destroys the stream, and with it the connection.
		if (bytes > MAX_RESPONSE_BYTES || limit.aborted) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks)
		.toString()
		.replace(/^\uFEFF/, '');
}

interface Thrown {
	name?: unknown;
	message?: unknown;
	code?: unknown;
	syscall?: unknown;
	cause?: unknown;
	errors?: unknown;
}

/** Keeps only the facts of an error that n8n throws: it holds the request with its secrets. */
export function toFailure(error: unknown): Failure {
	const errors: Thrown[] = [];
	// An error may be its own cause.
	for (let one = error; typeof one === 'object' && one !== null && errors.length < 4;) {
		const thrown: Thrown = one;
		errors.push(thrown);
		// There is one for each address of a host.
		one = thrown.cause ?? (Array.isArray(thrown.errors) ? thrown.errors[0] : undefined);
	}
	const codes = errors.map(({ code }) => code).filter((code) => typeof code === 'string');
	const credential = errors.find((one) => one instanceof PortalError);
	const refusal = errors.map(refusalOf).find((one) => one !== undefined);
	const wasNotSent = credential !== undefined || refusal !== undefined || errors.some(isUnsent);
	return { status: '', code: codes.at(-1) ?? '', headers: {}, wasNotSent, credential, refusal };
}

/** Whether there was no connection yet, or none that is trusted: nothing was sent before that. */
const isUnsent = ({ syscall, code }: Thrown) =>
	syscall === 'connect' ||
	syscall === 'getaddrinfo' ||
	/^(CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_)/.test(String(code));

/** Recognizes a request that a setting of n8n blocked. Only the name or message of the error shows it. */
function refusalOf({ name, message }: Thrown): Failure['refusal'] {
	if (/^SsrfBlocked/.test(String(name))) return 'ssrf';
	const isAboutDomains = /^(Domain not allowed|No allowed domains specified)|prevent use within/;
	return isAboutDomains.test(String(message)) ? 'domains' : undefined;
}

/** The words in the body of an error response, if any. */
export function readWords(body: unknown): Words | undefined {
	if (typeof body === 'string') {
		const message = body.trim();
		// A longer text is a page.
		const isMessage = /^[^<{[]/.test(message) && message.length <= 500;
		return isMessage ? { message, errorCode: '', errors: [] } : undefined;
	}
	const status = valueUnder(body, 'responseStatus');
	const either = (name: string) => textUnder(body, name) || textUnder(status, name);
	const listed = valueUnder(status, 'errors');
	const errors = (Array.isArray(listed) ? listed : []).filter(isRecord).map((one) => ({
		fieldName: textUnder(one, 'fieldName'),
		message: textUnder(one, 'message'),
		errorCode: textUnder(one, 'errorCode'),
	}));
	const words = { message: either('message'), errorCode: either('errorCode'), errors };
	return linesOf(words).length > 0 ? words : undefined;
}

function textUnder(record: unknown, name: string): string {
	const value = valueUnder(record, name);
	return typeof value === 'string' ? value.trim() : '';
}

/** The words as a user reads them, one line each, the field errors after the summary. */
export function linesOf({ message, errorCode, errors }: Words): string[] {
	const hasCode = message.includes(errorCode);
	const fields = errors.map((one) =>
		[one.fieldName, one.message || one.errorCode].filter(Boolean).join(': '),
	);
	return [
		(hasCode ? message : `${message} (${errorCode})`).trim(),
		...fields.filter((line) => line !== message),
	].filter(Boolean);
}

/** Whether a body is a web page, which the API never returns. */
export const isPage = (body: unknown) => typeof body === 'string' && /^\s*</.test(body);

/**
 * Whether the API wrote the body of an error response: its framework writes `responseStatus`, and what is
 * documented has an `errorCode`. A gateway or proxy writes anything else.
 */
export function isFromApi(body: unknown): boolean {
	const words = readWords(body);
	if (!isRecord(body) || words === undefined) return false;
	const hasShape = isRecord(valueUnder(body, 'responseStatus')) || words.errorCode !== '';
	return hasShape && !/handler for request not found/i.test(words.message);
}

/** Whether the user key may be why the service refused: it says that of a signature, too. */
export const isRefusedKey = ({ status, data }: Failure) => status === '401' && !isPage(data);
