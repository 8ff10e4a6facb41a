import type { Failure } from './errors';
import type { ServiceRequest } from './request';
import { DAY_MS } from './time';

export const DEFAULT_ATTEMPTS = 4;

/** A request that would have to wait longer fails, since it would hold up an n8n worker. */
export const MAX_WAIT_MS = 120_000;

/**
 * Gateways send these statuses, and Portal.io sends 206 for a request that it gave up. A status alone does
 * not repeat a change: `mayHaveBeenProcessed` decides.
 */
const TRANSIENT_STATUS = /^(206|408|425|429|50[234]|52[0-4])$/;

/** The codes of connections that broke or could not be opened. */
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

/** A request without a user API key was not sent, so the failure of its login decides. */
const decisiveFailure = (failure: Failure) => failure.credentialError?.facts?.login ?? failure;

export function isTransient(failure: Failure): boolean {
	const { status, code } = decisiveFailure(failure);
	if (status !== undefined) return TRANSIENT_STATUS.test(status);
	return code !== undefined && CONNECTION_FAILURES.has(code);
}

/** Portal.io documents no rate limit; these statuses require fewer requests from any server. */
export function isThrottled(failure: Failure): boolean {
	const { status } = decisiveFailure(failure);
	return status === '429' || status === '503';
}

export const requiredWaitMs = (failure: Failure): number =>
	decisiveFailure(failure).retryAfterMs ?? 0;

export function mayHaveBeenProcessed(failure: Failure): boolean {
	if (failure.wasNotSent === true) return false;
	// A rate limit is checked before any work.
	if (failure.status === '429') return false;
	// A gateway reports a timeout with 408, for example, while Portal.io may still be working.
	return !/^[34]/.test(String(failure.status)) || isTransient(failure);
}

/** Decides about a request that failed in its `attempt`, counted from 1. */
export function shouldRetry(
	request: ServiceRequest,
	failure: Failure,
	attempt: number,
	maxAttempts: number,
): boolean {
	if (attempt >= maxAttempts) return false;
	// The next attempt would fail in the same way.
	if (!isTransient(failure)) return false;
	// The error says how long to wait.
	if (requiredWaitMs(failure) >= MAX_WAIT_MS) return false;
	// A second read does no harm, and a repeatable change has the same result.
	if (request.method === 'GET' || request.isRepeatable === true) return true;
	// Another change could be made twice.
	return !mayHaveBeenProcessed(failure);
}

/**
 * Returns the wait before the next attempt in milliseconds: exponential backoff with jitter (0 to 1), so that
 * requests that failed together are not repeated together.
 */
export const backoff = (failure: Failure, attempt: number, jitter: number): number =>
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
