import type { Failure } from './errors';
import type { ServiceRequest } from './request';
import { DAY_MS } from './time';

export const DEFAULT_ATTEMPTS = 4;

/** Longest wait before an attempt. A longer one would hold up an n8n worker, so the request fails. */
export const MAX_WAIT_MS = 120_000;

/**
 * Statuses of gateways, and 206, which Portal.io returns when it gives up on a request. A change is only retried if
 * `mayHaveBeenProcessed` also allows it.
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

/** Returns the failure of the login if there was one, because the request was then not sent. */
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
	// A server checks the rate limit before any work.
	if (failure.status === '429') return false;
	// A transient 4xx status such as 408 comes from a gateway that timed out while Portal.io might still be working.
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
	// The next attempt would fail in the same way.
	if (!isTransient(failure)) return false;
	// Fail instead of waiting this long. The error says how long to wait.
	if (requiredWaitMs(failure) >= MAX_WAIT_MS) return false;
	// A second read does no harm, and a repeatable change has the same result.
	if (request.method === 'GET' || request.isRepeatable === true) return true;
	// Retry any other change only if it was certainly not processed.
	return !mayHaveBeenProcessed(failure);
}

/**
 * Returns the wait before the next attempt in milliseconds: exponential backoff with jitter (0 to 1), so that
 * requests that failed together are not repeated together.
 */
export const backoffMs = (failure: Failure, attempt: number, jitter: number): number =>
	requiredWaitMs(failure) + Math.min(400 * 2 ** (attempt - 1) * (0.5 + jitter), MAX_WAIT_MS);

/**
 * Reads `Retry-After` as milliseconds from now. It contains seconds, an HTTP date, or seconds or
 * milliseconds since 1970 by Portal.io's clock. Returns undefined for more than a day.
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
