/** Which failures are worth another attempt, and after how long. Portal.io documents no rate limits. */
import type { Failure } from './response';

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

/**
 * What a failure tells about its request.
 *
 * @param now in milliseconds since 1970, for a `Retry-After` header that is a date
 */
export function classifyFailure({ status, code, headers, unusable }: Failure, now: number) {
	const isBroken = BROKEN.has(code);
	return {
		/** Whether another attempt may succeed. */
		isTransient: TRANSIENT_STATUSES.has(status) || NEVER_CONNECTED.has(code) || isBroken,
		/** Whether the service certainly did not process it: then a creation may be repeated. */
		wasNotProcessed: status === '429' || NEVER_CONNECTED.has(code),
		/** Whether the service may have done what was asked although the request failed. */
		mayHaveBeenProcessed:
			status.startsWith('5') || isBroken || UNREADABLE.test(code) || unusable !== undefined,
		/** Whether the service reports a rate limit. */
		isThrottled: status === '429' || status === '503',
		/** How long the service asks to wait, in milliseconds. */
		retryAfter: readRetryAfter(headers['retry-after'], now),
	};
}

export type Classification = ReturnType<typeof classifyFailure>;

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
