import type { Failure } from './errors';
import type { ServiceRequest } from './request';
import { DAY_MS } from './time';

export const DEFAULT_ATTEMPTS = 4;

/**
 * Longest wait before an attempt. If Portal.io requires a longer wait, the request fails, because waiting would hold up
 * an n8n worker.
 */
export const MAX_WAIT_MS = 120_000;

/**
 * Statuses of temporary failures: the usual ones, plus 206, which Portal.io returns when it gives up on a request. See
 * `shouldRetry` for which requests are retried.
 */
const TRANSIENT_STATUS = /^(206|408|425|429|50[234]|52[0-4])$/;

/** Error codes for connections that broke or could not be opened. */
const CONNECTION_FAILURES = new Set([
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

/**
 * Returns the facts about the login if the login failed, because the request itself was then not sent. Otherwise,
 * returns the failure of the request.
 */
const decisiveFailure = (failure: Failure) => failure.credentialError?.facts?.login ?? failure;

export function isTransient(failure: Failure): boolean {
	const { status, code } = decisiveFailure(failure);
	if (status !== undefined) return TRANSIENT_STATUS.test(status);
	return code !== undefined && CONNECTION_FAILURES.has(code);
}

/** Returns whether the server limits the rate. Portal.io documents no rate limit, so these are the usual statuses. */
export function isThrottled(failure: Failure): boolean {
	const { status } = decisiveFailure(failure);
	return status === '429' || status === '503';
}

export const requiredWaitMs = (failure: Failure): number =>
	decisiveFailure(failure).retryAfterMs ?? 0;

export function mayHaveBeenProcessed(failure: Failure): boolean {
	if (failure.wasNotSent === true) return false;
	// The request was not processed, because servers check the rate limit before they do any work.
	if (failure.status === '429') return false;
	// Any other 3xx or 4xx status is a rejection, so the request was not processed. The exception is a transient
	// status, such as 408, which comes from a gateway that timed out while Portal.io might still be working.
	return !/^[34]/.test(String(failure.status)) || isTransient(failure);
}

/** Returns whether to retry a request after attempt number `attempt`, counted from 1. */
export function shouldRetry(
	request: ServiceRequest,
	failure: Failure,
	attempt: number,
	maxAttempts: number,
): boolean {
	if (attempt >= maxAttempts) return false;
	// Do not retry a permanent failure, because another attempt would fail in the same way.
	if (!isTransient(failure)) return false;
	// Fail instead of waiting this long. The error says how long to wait.
	if (requiredWaitMs(failure) >= MAX_WAIT_MS) return false;
	// Retry a read, which does no harm, and a repeatable change, which has the same result the second time.
	if (request.method === 'GET' || request.isRepeatable === true) return true;
	// Retry any other change only if it was certainly not processed.
	return !mayHaveBeenProcessed(failure);
}

/**
 * Returns the wait in milliseconds before the next attempt: the time that the server requires, plus exponential
 * backoff. `jitter`, from 0 to 1, keeps requests that failed together from being retried together.
 */
export const backoffMs = (failure: Failure, attempt: number, jitter: number): number =>
	requiredWaitMs(failure) + Math.min(400 * 2 ** (attempt - 1) * (0.5 + jitter), MAX_WAIT_MS);

/**
 * Converts `Retry-After` to milliseconds from now. The header can contain a number of seconds, or a time by Portal.io's
 * clock: an HTTP date, or a Unix time in seconds or milliseconds. Returns undefined if the header contains neither, or
 * if the time is more than a day away.
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
