/** Which failures are worth another try, and after how long (specification: *Rate limits: not shown*). */
import type { Failure } from './answer';

/** What a failure tells about the fate of its request. */
export interface Fate {
	/** Whether another try may help. */
	isPassing: boolean;
	/** Whether the service certainly has not taken the request: then even a creation may be repeated. */
	isUntaken: boolean;
	/** Whether the service may have done what was asked, although it failed. */
	isUncertain: boolean;
	/** Whether the service asks for fewer requests. */
	isThrottled: boolean;
	/** How long the service asks to wait, in milliseconds. */
	retryAfter?: number;
}

/** The failures of a connection that never came about. */
const NEVER_CONNECTED = new Set(['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);
/** The failures of a connection that broke, or of a service that did not answer. */
const BROKEN = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_NETWORK', 'ETIMEDOUT']);
const PASSING_STATUSES = new Set(['429', '502', '503', '504']);

/** No wait is longer, whatever the service asks for: the error says so instead. */
const LONGEST_WAIT = 120_000;
const FIRST_WAIT = 400;

/** The failures of reading an answer: HTTP or its compression was broken, or the execution stopped. */
const UNREADABLE = /^(HPE_|Z_|ERR_STREAM_|ERR_CANCELED$|ERR_BAD_RESPONSE$)/;

/** @param now in milliseconds since 1970, for a `Retry-After` header that is a date */
export function fateOf({ status, code, headers, unusable }: Failure, now: number): Fate {
	const isBroken = BROKEN.has(code);
	return {
		isPassing: PASSING_STATUSES.has(status) || NEVER_CONNECTED.has(code) || isBroken,
		isUntaken: status === '429' || NEVER_CONNECTED.has(code),
		isUncertain:
			status.startsWith('5') || isBroken || UNREADABLE.test(code) || unusable !== undefined,
		isThrottled: status === '429' || status === '503',
		retryAfter: readRetryAfter(headers['retry-after'], now),
	};
}

function readRetryAfter(header: unknown, now: number): number | undefined {
	const text = typeof header === 'string' ? header.trim() : '';
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * How long to wait before another try.
 *
 * @param tries how many were made
 * @param chance a random number from 0 to 1: requests that failed together do not return together
 * @returns milliseconds; undefined when the service asks for more than is worth waiting
 */
export function waitBefore(
	tries: number,
	{ retryAfter }: Fate,
	chance: number,
): number | undefined {
	const growing = FIRST_WAIT * 2 ** (tries - 1) * (0.5 + chance);
	if (retryAfter === undefined) return Math.min(growing, LONGEST_WAIT);
	if (retryAfter > LONGEST_WAIT) return undefined;
	return retryAfter + growing;
}
