import { jsonParse, type IHttpRequestOptions, type IN8nHttpFullResponse } from 'n8n-workflow';
import { CredentialError } from './account';
import { markUtc } from './time';
import { isErrorBody } from './words';

/** A response of the service, read to its end. */
interface Response {
	status: number;
	/** By lower-case name. */
	headers: Record<string, unknown>;
	/** Parsed JSON, text that is not JSON, or '' for an empty body. */
	data: unknown;
	/** Whether the body was larger than MAX_RESPONSE_BYTES and was not kept. */
	isTooLarge: boolean;
}

/** Why a request brought nothing usable: facts only, and nothing of the request itself. */
export interface Failure {
	/** HTTP status as three digits; '' when there was no response, or it could not be read. */
	status: string;
	/** Code of the connection failure, such as ECONNRESET; '' when there was a response. */
	code: string;
	/** Headers of the response, by lower-case name. */
	headers: Record<string, unknown>;
	/** The body of an error response. */
	data?: unknown;
	/** The request is known not to have been sent. */
	wasNotSent?: boolean;
	/** It was not sent because of the credential. */
	credential?: CredentialError;
	/** It was not sent because of a setting of n8n. */
	refusal?: Refusal;
	/** What is wrong with a successful response. */
	unusable?: Unusable;
}

/** `domains`: *Allowed Domains* of the credential; `ssrf`: n8n's protection of private addresses. */
export type Refusal = 'domains' | 'ssrf';

/**
 * `large`: over MAX_RESPONSE_BYTES; `foreign`: not from the API; `empty`: nothing to a read; `error`:
 * the body says that it failed.
 */
export type Unusable = 'empty' | 'error' | 'foreign' | 'large';

/** How a request ended. */
export type Outcome = { data: unknown; headers: Record<string, unknown> } | { failure: Failure };

/**
 * The most that is read of a response, in bytes after decompression. n8n has no such limit, and a
 * broken service could take all of its memory. A proposal with 10,000 items has a tenth of it.
 */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** How long a request may take with its response, unless it has a limit of its own: as in n8n. */
export const REQUEST_TIMEOUT_MS = 300_000;

/** Asks n8n for the response as it comes, whatever its status, so that it can be judged here. */
const AS_STREAM = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
} as const satisfies Partial<IHttpRequestOptions>;

/** Sends a request through n8n with these options. */
export type SendWith = (
	options: typeof AS_STREAM & { timeout: number; abortSignal: AbortSignal },
) => Promise<unknown>;

interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): unknown;
}

/**
 * Sends a request and judges its response: returned `data` came from the service, complete.
 *
 * @param method a GET must return something; a change may be acknowledged with nothing, or with text
 * @param timeoutMs for the request with its response, to the end of its body
 */
export async function toOutcome(
	send: SendWith,
	method: string,
	timeoutMs: number,
): Promise<Outcome> {
	const read = await readResponse(send, timeoutMs);
	if ('code' in read) return { failure: read };
	const { status, headers, data, isTooLarge } = read;
	// 206: the service has given up the request.
	if (status < 200 || status > 299 || status === 206) {
		return { failure: { status: String(status), code: '', headers, data } };
	}
	const unusable = isTooLarge ? 'large' : findFlaw(read, method);
	if (unusable === undefined) return { data, headers };
	const said = unusable === 'error' ? { data } : {};
	return { failure: { status: '', code: '', headers, ...said, unusable } };
}

/**
 * Sends a request and reads its response to the end.
 *
 * n8n's own timeout ends when the response begins. In its stream, a read that waits for the next bytes
 * is ended by nothing, not even by destroying the stream: so all of it races against the limit.
 */
export async function readResponse(send: SendWith, timeoutMs: number): Promise<Response | Failure> {
	const limit = AbortSignal.timeout(timeoutMs);
	let giveUp = () => {};
	const timedOut = new Promise<Failure>((resolve) => {
		giveUp = () => resolve({ status: '', code: 'ETIMEDOUT', headers: {} });
	});
	limit.addEventListener('abort', giveUp);
	try {
		return await Promise.race([timedOut, readAll(send, timeoutMs, limit)]);
	} finally {
		limit.removeEventListener('abort', giveUp);
	}
}

async function readAll(
	send: SendWith,
	timeout: number,
	abortSignal: AbortSignal,
): Promise<Response | Failure> {
	try {
		const response = await send({ ...AS_STREAM, timeout, abortSignal });
		const { statusCode, headers = {}, body } = response as IN8nHttpFullResponse;
		const read = { status: statusCode, headers, isTooLarge: false };
		// n8n's evaluation of workflows stands in for services and gives the data itself.
		if (!isByteStream(body)) return { ...read, data: body ?? '' };
		const text = await readText(body, abortSignal);
		if (text === undefined) return { ...read, data: '', isTooLarge: true };
		return { ...read, data: jsonParse<unknown>(markUtc(text), { fallbackValue: text }) };
	} catch (error) {
		return toFailure(error);
	}
}

/** The facts about a failed request, from the error that n8n throws. Nothing else of it is kept. */
export function toFailure(error: unknown): Failure {
	const errors = withCauses(error);
	const codes = errors.map(({ code }) => code).filter((code) => typeof code === 'string');
	const credential = errors.find((one) => one instanceof CredentialError);
	const refusal = errors.map(refusalOf).find((one) => one !== undefined);
	const wasNotSent = credential !== undefined || refusal !== undefined || errors.some(isUnsent);
	return { status: '', code: codes.at(-1) ?? '', headers: {}, wasNotSent, credential, refusal };
}

interface Thrown {
	name?: unknown;
	message?: unknown;
	code?: unknown;
	syscall?: unknown;
	cause?: unknown;
	errors?: unknown;
}

/** How many causes of an error are looked at: it may be its own. */
const MAX_CAUSES = 4;

/** An error, its cause, the cause of that and so on. */
function withCauses(error: unknown): Thrown[] {
	const errors: Thrown[] = [];
	for (let one = error; isObject(one) && errors.length < MAX_CAUSES;) {
		errors.push(one);
		// The attempts to connect to each address of a host are several.
		one = one.cause ?? (Array.isArray(one.errors) ? one.errors[0] : undefined);
	}
	return errors;
}

/** Whether there was no connection yet, or none that is trusted: nothing was sent before that. */
const isUnsent = ({ syscall, code }: Thrown) =>
	syscall === 'connect' ||
	syscall === 'getaddrinfo' ||
	/^(CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_)/.test(String(code));

const isObject = (value: unknown): value is Thrown => typeof value === 'object' && value !== null;

/** What n8n refused to send by a setting; it says so in the name or the message of its error alone. */
function refusalOf({ name, message }: Thrown): Refusal | undefined {
	if (/^SsrfBlocked/.test(String(name))) return 'ssrf';
	const isAboutDomains = /^(Domain not allowed|No allowed domains specified)|prevent use within/;
	return isAboutDomains.test(String(message)) ? 'domains' : undefined;
}

const isByteStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

async function readText(stream: ByteStream, limit: AbortSignal): Promise<string | undefined> {
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

/** Why a successful response cannot have come from the API; undefined when it can. */
function findFlaw({ data, headers }: Response, method: string): Unusable | undefined {
	if (data === '' || data === null) return method === 'GET' ? 'empty' : undefined;
	if (typeof data === 'object') return isErrorBody(data) ? 'error' : undefined;
	const type = String(headers['content-type'] ?? '');
	const isText = typeof data === 'string' && !/json|html/i.test(type) && !/^\s*[<{[]/.test(data);
	return method !== 'GET' && isText ? undefined : 'foreign';
}
