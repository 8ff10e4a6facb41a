/** Which failures are worth another attempt, and after how long. Portal.io documents no rate limits. */
import type { Failure } from './response';

/** Failures of a connection that was never established. */
const NEVER_CONNECTED = new Set(['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Failures of a connection that broke, or of a service that did not respond. */
const BROKEN = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_NETWORK', 'ETIMEDOUT']);
/** Gateways between n8n and the service, Cloudflare's among them. */
const GATEWAY_STATUSES = new Set([408, 425, 502, 503, 504, 520, 521, 522, 523, 524].map(String));

/** A longer wait is reported as an error instead. */
export const MAX_WAIT_MS = 120_000;
const FIRST_WAIT_MS = 400;

/** Failures while reading a response: HTTP or its compression was broken, or the execution stopped. */
const UNREADABLE = /^(HPE_|Z_|ERR_STREAM_|ERR_CANCELED$|ERR_BAD_RESPONSE$)/;

interface Verdict {
	/** Whether another attempt may succeed. */
	isTransient: boolean;
	/** Whether the service certainly did not process it: then a creation may be repeated. */
	wasNotProcessed: boolean;
	/** Whether the service may have done what was asked although the request failed. */
	mayHaveBeenProcessed: boolean;
}

const verdict = (isTransient: boolean, processed: 'no' | 'perhaps' | 'refused'): Verdict => ({
	isTransient,
	wasNotProcessed: processed === 'no',
	mayHaveBeenProcessed: processed === 'perhaps',
});

function judge({ status, code, unusable }: Pick<Failure, 'status' | 'code' | 'unusable'>): Verdict {
	// A rate limit comes before any work.
	if (status === '429') return verdict(true, 'no');
	// Nothing has left the n8n server.
	if (NEVER_CONNECTED.has(code)) return verdict(true, 'no');
	// The request may have arrived, and only its response was lost.
	if (BROKEN.has(code)) return verdict(true, 'perhaps');
	// The service may still be at work on it when the gateway gives up.
	if (GATEWAY_STATUSES.has(status)) return verdict(true, 'perhaps');
	// It failed somewhere in its work, and would again.
	if (status.startsWith('5')) return verdict(false, 'perhaps');
	// There was a response: to something that was done, as far as anybody knows.
	if (UNREADABLE.test(code) || unusable !== undefined) return verdict(false, 'perhaps');
	// The service said no, or the failure is one of this side: it stays the same.
	return verdict(false, 'refused');
}

/**
 * What a failure tells about its request.
 *
 * @param now in milliseconds since 1970, for a `Retry-After` header that is a date
 */
export function classifyFailure(failure: Failure, now: number) {
	const { credential } = failure;
	// Without a user key the request was not sent: what counts is how the login failed.
	const { status, code, headers } = credential?.login ?? failure;
	const judged = judge({ ...failure, status, code });
	return {
		...(credential === undefined ? judged : verdict(judged.isTransient, 'no')),
		/** Whether a gateway responded for a service that it could not reach in time. */
		isGateway: GATEWAY_STATUSES.has(status),
		/** Whether the service reports a rate limit. */
		isRateLimited: status === '429',
		/** Whether it asks for fewer requests. */
		isThrottled: status === '429' || status === '503',
		/** How long the service asks to wait, in milliseconds. */
		retryAfter: readRetryAfter(headers['retry-after'], now),
	};
}

function readRetryAfter(header: unknown, now: number): number | undefined {
	// A header that is no text counts as missing.
	const text = typeof header === 'string' ? header.trim() : '';
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * How long to wait before another attempt: exponential backoff with jitter.
 *
 * @param attempts how many were made
 * @param jitter a random number from 0 to 1, so that requests that failed together spread out
 * @returns milliseconds; undefined when the service asks for more than is worth waiting
 */
export function backoff(
	attempts: number,
	{ retryAfter }: { retryAfter?: number },
	jitter: number,
): number | undefined {
	const growing = FIRST_WAIT_MS * 2 ** (attempts - 1) * (0.5 + jitter);
	if (retryAfter === undefined) return Math.min(growing, MAX_WAIT_MS);
	if (retryAfter > MAX_WAIT_MS) return undefined;
	return retryAfter + growing;
}
