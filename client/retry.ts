/** Which failures are worth another attempt, and after how long. Portal.io documents no rate limits. */
import { readClockLead } from './clockSkew';
import type { Failure } from './response';

/** Failures of a connection that may not happen again. */
const TRANSIENT_CODES = new Set([
	'EAI_AGAIN',
	'ECONNABORTED',
	'ECONNREFUSED',
	'ECONNRESET',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EPIPE',
	'ERR_NETWORK',
	'ETIMEDOUT',
]);
/** Of gateways between n8n and the service, and of a request that the service gave up (206). */
const TRANSIENT_STATUSES = new Set(
	[206, 408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524].map(String),
);

/** A longer wait is reported as an error instead. */
export const MAX_WAIT_MS = 120_000;
const FIRST_WAIT_MS = 400;

/** A wait that no service means: its header is broken. */
const MAX_PLAUSIBLE_WAIT_MS = 24 * 60 * 60_000;

/**
 * What a failure says about its request.
 *
 * @param now in milliseconds since 1970, for a `Retry-After` header that is a point in time
 */
export function classifyFailure(failure: Failure, now: number) {
	// Without a user key the request was not sent: what counts is how the login failed.
	const { status, code, headers } = failure.credential?.facts?.login ?? failure;
	const isTransient = TRANSIENT_STATUSES.has(status) || TRANSIENT_CODES.has(code);
	// A rate limit comes before any work. A gateway may give up while the service is still at work.
	const isRefused = status === '429' || (/^[34]/.test(status) && !isTransient);
	return {
		/** Whether another attempt may succeed. */
		isTransient,
		/** Whether it was done for all that is known: only then may a creation not be repeated. */
		mayHaveBeenProcessed: failure.wasNotSent !== true && !isRefused,
		/** Whether the service reports a rate limit. */
		isRateLimited: status === '429',
		/** Whether it asks for fewer requests. */
		isThrottled: status === '429' || status === '503',
		/** How long the service asks to wait, in milliseconds. */
		retryAfter: readRetryAfter(headers, now),
	};
}

/** Reads `Retry-After`: seconds, an HTTP date, or seconds or milliseconds since 1970. */
function readRetryAfter(headers: Failure['headers'], now: number): number | undefined {
	const { 'retry-after': header, date } = headers;
	const text = typeof header === 'string' ? header.trim() : '';
	if (!/^([\d.]+$|[a-z]{3})/i.test(text)) return undefined;
	const number = Number(text);
	if (number * 1000 <= MAX_PLAUSIBLE_WAIT_MS) return number * 1000;
	const isMilliseconds = number > MAX_PLAUSIBLE_WAIT_MS * 1000;
	const time = Number.isNaN(number) ? Date.parse(text) : isMilliseconds ? number : number * 1000;
	const wait = time - now - (readClockLead(date, now) ?? 0);
	return Math.abs(wait) <= MAX_PLAUSIBLE_WAIT_MS ? Math.max(0, wait) : undefined;
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
