import type { IHttpRequestOptions } from 'n8n-workflow';
import { CredentialError } from '../auth/account';

/** An answer of the service, read to its end. */
export interface Answer {
	status: number;
	/** By lower-case name. */
	headers: Record<string, unknown>;
	/** What JSON said; text that is no JSON; '' for nothing. */
	data: unknown;
	/** Whether it was larger than MAX_ANSWER_BYTES, and is not here. */
	isLarge: boolean;
}

/** Why a request brought nothing that can be used: facts only, and nothing of the request. */
export interface Failure {
	/** Of the answer, as three digits; '' when there was none, or it could not be read. */
	status: string;
	/** Of the connection's failure, such as ECONNRESET; '' when there was an answer. */
	code: string;
	/** Of the answer, by lower-case name. */
	headers: Record<string, unknown>;
	/** The body of an answer that says no. */
	data?: unknown;
	/** The request was not sent, because of the credential. */
	credential?: CredentialError;
	/** What is wrong with an answer that says yes. */
	unusable?: Unusable;
}

/** `large`: over MAX_ANSWER_BYTES; `foreign`: not what the API says; `empty`: nothing to a read. */
export type Unusable = 'empty' | 'foreign' | 'large';

/** How a request ended. */
export type Outcome = { answer: unknown } | { failure: Failure };

/**
 * The most that is read of an answer, in bytes after decompression. n8n has no such limit, and a
 * service gone wrong could take all memory of it; a proposal with 10,000 items has a tenth of it.
 */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** For the end of an answer after its beginning, where n8n's own limit no longer holds: as long. */
const ANSWER_MILLISECONDS = 300_000;

/** Asks n8n for the answer as it comes, whatever its status, so that it can be judged here. */
export const AS_IT_COMES = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
} as const satisfies Partial<IHttpRequestOptions>;

/** What n8n gives for a request that was made with AS_IT_COMES. */
interface Response {
	statusCode: number;
	headers?: Record<string, unknown>;
	body: unknown;
}

interface Source extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): unknown;
}

/**
 * Waits for an answer and judges it: what is returned as `answer` came from the service, to its end.
 *
 * @param response of a request that was made with AS_IT_COMES
 * @param method a GET has to bring something; a change may be acknowledged with nothing, or with text
 * (operations.md, rule 5)
 */
export async function outcomeOf(response: Promise<unknown>, method: string): Promise<Outcome> {
	const answer = await answerTo(response);
	if ('code' in answer) return { failure: answer };
	const { status, headers, data, isLarge } = answer;
	if (status < 200 || status > 299) {
		return { failure: { status: String(status), code: '', headers, data } };
	}
	const unusable = isLarge ? 'large' : flawOf(answer, method);
	if (unusable === undefined) return { answer: data };
	return { failure: { status: '', code: '', headers, unusable } };
}

/**
 * Reads the answer to a request that was made with AS_IT_COMES to its end, which the connection has
 * to reach; of one that is too large no more than that it is.
 */
export async function answerTo(response: Promise<unknown>): Promise<Answer | Failure> {
	try {
		const { statusCode, headers = {}, body } = (await response) as Response;
		const answer = { status: statusCode, headers, isLarge: false };
		// n8n's evaluation of workflows answers in the place of services, with the data itself.
		if (!isSource(body)) return { ...answer, data: body ?? '' };
		const text = await readText(body);
		if (text === undefined) return { ...answer, data: '', isLarge: true };
		return { ...answer, data: parse(text) };
	} catch (error) {
		return failureOf(error);
	}
}

/** What a failed request tells, as n8n throws it. Of the error itself nothing is kept. */
export function failureOf(error: unknown): Failure {
	const { cause, code } = (error ?? {}) as { cause?: unknown; code?: unknown };
	const reason = (cause as { code?: unknown } | undefined)?.code ?? code;
	return {
		status: '',
		code: typeof reason === 'string' ? reason : '',
		headers: {},
		credential: [error, cause].find((one) => one instanceof CredentialError),
	};
}

const isSource = (body: unknown): body is Source =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

async function readText(source: Source): Promise<string | undefined> {
	const late = AbortSignal.timeout(ANSWER_MILLISECONDS);
	const giveUp = () => source.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' }));
	late.addEventListener('abort', giveUp);
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	try {
		for await (const piece of source) {
			bytes += piece.byteLength;
			// Leaving the loop destroys the source, and with it the connection.
			if (bytes > MAX_ANSWER_BYTES) return undefined;
			pieces.push(piece);
		}
	} finally {
		late.removeEventListener('abort', giveUp);
	}
	return Buffer.concat(pieces)
		.toString()
		.replace(/^\uFEFF/, '');
}

function parse(text: string): unknown {
	try {
		return text === '' ? '' : (JSON.parse(text) as unknown);
	} catch {
		return text;
	}
}

/** Why an answer that says yes is none of the API's; undefined when it may be. */
function flawOf({ data, headers }: Answer, method: string): Unusable | undefined {
	if (data === '' || data === null) return method === 'GET' ? 'empty' : undefined;
	if (typeof data === 'object') return undefined;
	const type = String(headers['content-type'] ?? '');
	const isText = typeof data === 'string' && !/json|html/i.test(type) && !/^\s*[<{[]/.test(data);
	return method !== 'GET' && isText ? undefined : 'foreign';
}
