/** Which failures are worth another attempt, and after how long. Portal.io documents no rate limits. */
import type { Failure } from './response';

/** What a failure tells about its request. */
export interface Classification {
	/** Whether another attempt may succeed. */
	isTransient: boolean;
	/** Whether the service certainly did not process the request: then a creation may be repeated. */
	wasNotProcessed: boolean;
	/** Whether the service may have done what was asked although the request failed. */
	mayHaveBeenProcessed: boolean;
	/** Whether the service reports a rate limit. */
	isThrottled: boolean;
	/** How long the service asks to wait, in milliseconds. */
	retryAfter?: number;
}

/** Failures of a connection that was never established. */
const NEVER_CONNECTED = new Set(['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Failures of a connection that broke, or of a service that did not respond. */
const BROKEN = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_NETWORK', 'ETIMEDOUT']);
const TRANSIENT_STATUSES = new Set(['429', '502', '503', '504']);

/** A longer wait is reported as an error instead. */
const MAX_WAIT_MS = 120_000;
const FIRST_WAIT_MS = 400;

/** Failures while reading a response: HTTP or its compression was broken, or the execution stopped. */
const UNREADABLE = /^(HPE_|Z_|ERR_STREAM_|ERR_CANCELED$|ERR_BAD_RESPONSE$)/;

/** @param now in milliseconds since 1970, for a `Retry-After` header that is a date */
export function classifyFailure(
	{ status, code, headers, unusable }: Failure,
	now: number,
): Classification {
	const isBroken = BROKEN.has(code);
	return {
		isTransient: TRANSIENT_STATUSES.has(status) || NEVER_CONNECTED.has(code) || isBroken,
		wasNotProcessed: status === '429' || NEVER_CONNECTED.has(code),
		mayHaveBeenProcessed:
			status.startsWith('5') || isBroken || UNREADABLE.test(code) || unusable !== undefined,
		isThrottled: status === '429' || status === '503',
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
	{ retryAfter }: Classification,
	jitter: number,
): number | undefined {
	const growing = FIRST_WAIT_MS * 2 ** (attempts - 1) * (0.5 + jitter);
	if (retryAfter === undefined) return Math.min(growing, MAX_WAIT_MS);
	if (retryAfter > MAX_WAIT_MS) return undefined;
	return retryAfter + growing;
}
