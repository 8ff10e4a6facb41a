import type { Failure } from './errors';
import { DAY_MS } from './time';

/** Codes, and statuses of gateways and of a request that the service gave up (206). */
const TRANSIENT =
	/^(206|408|425|429|50[234]|52[0-4]|EAI_AGAIN|ECONN(ABORTED|REFUSED|RESET)|E(HOST|NET)UNREACH|EPIPE|ERR_NETWORK|ETIMEDOUT)$/;

/** What a failure means for its request. Portal.io documents no rate limits. */
export function classifyFailure(failure: Failure) {
	// Without a user key the request was not sent: what counts is how the login failed.
	const { status, code, retryAfterMs } = failure.credential?.facts?.login ?? failure;
	const isTransient = TRANSIENT.test(String(status ?? code));
	// A rate limit comes before any work. A gateway may give up while the service is still at work.
	const isRefused = status === '429' || (/^[34]/.test(String(status)) && !isTransient);
	return {
		isTransient,
		/** A creation must then not be repeated. */
		mayHaveBeenProcessed: failure.wasNotSent !== true && !isRefused,
		/** Whether the service requires fewer requests. */
		isThrottled: status === '429' || status === '503',
		retryAfterMs,
	};
}

/** A longer wait is reported as an error instead. */
export const MAX_WAIT_MS = 120_000;

/**
 * Reads `Retry-After` as milliseconds from now: it has seconds, an HTTP date, or seconds or milliseconds
 * since 1970 by the clock of the service. A header that asks for more than a day is broken.
 */
export function readRetryAfter(header: unknown, clockLeadMs = 0): number | undefined {
	const text = String(header).trim();
	if (!/^([\d.]+$|[a-z])/i.test(text)) return undefined;
	const number = Number(text);
	if (number * 1000 <= DAY_MS) return number * 1000;
	const time = Number.isNaN(number) ? Date.parse(text) : number > 1e11 ? number : number * 1000;
	const wait = time - Date.now() - clockLeadMs;
	return Math.abs(wait) <= DAY_MS ? Math.max(0, wait) : undefined;
}

/**
 * The wait before another attempt, in milliseconds: exponential backoff with jitter (0 to 1), so that
 * requests that failed together spread out. Undefined if the service requires too long a wait.
 */
export function backoff(
	attempts: number,
	retryAfterMs: number | undefined,
	jitter: number,
): number | undefined {
	const growing = 400 * 2 ** (attempts - 1) * (0.5 + jitter);
	if (retryAfterMs === undefined) return Math.min(growing, MAX_WAIT_MS);
	return retryAfterMs > MAX_WAIT_MS ? undefined : retryAfterMs + growing;
}
