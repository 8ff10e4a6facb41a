import { UserError } from 'n8n-workflow';

/** The service's own words about an error (docs/dev/portal-api.md#errors); '' for what it does not say. */
export interface Words {
	message: string;
	errorCode: string;
	/** What is wrong with single fields. */
	errors: Array<{ fieldName: string; message: string; errorCode: string }>;
}

/** Why a request failed, in n8n's terms: n8n 2.37 and later decide by it when to poll again. */
export interface Cause {
	cause:
		'configuration-invalid' | 'credential-invalid' | 'rate-limited' | 'temporarily-unavailable';
	/** How long Portal.io asks to wait. */
	retryAfterMs?: number;
}

/** What there was of a response. */
export interface Answer {
	/** HTTP status as three digits; '' when there was no response, or it could not be read. */
	status: string;
	/** Code of the connection failure, such as ECONNRESET; '' when there was a response. */
	code: string;
	/** Headers of the response, by lower-case name. */
	headers: Record<string, unknown>;
}

/** What a program can decide by. */
interface Facts {
	/** HTTP status of the response as three digits; '' without a response. */
	status: string;
	/** What the service said, to be kept with an execution. */
	words?: Words;
	/** The service has no such route, which is not the same as no record with that ID. */
	isMissingRoute?: boolean;
	cause?: Cause;
	/** How the login failed that the request needed. */
	login?: Answer;
}

interface Parts {
	/** The words of the service, one line each. */
	said: string[];
	/** That the request may have been processed, and whether the step may be run again; or ''. */
	doubt: string;
	/** What was done before the failure, and what was not. */
	progress: string[];
	/** What to do. */
	advice: string[];
	/** Of a request that failed; undefined for anything else. */
	facts: Facts | undefined;
}

/**
 * What went wrong, in the user's words. It is a value that travels: whoever knows more returns another
 * one with it, and n8n's own error is made of it once (nodes/shared/failure.ts).
 */
export class PortalError extends UserError implements Parts {
	readonly said: string[];
	readonly doubt: string;
	readonly progress: string[];
	readonly advice: string[];
	readonly facts: Facts | undefined;

	/** @param what happened, which becomes the message */
	constructor(what: string, parts: Partial<Parts> = {}) {
		const { said = [], doubt = '', progress = [], advice = [], facts } = parts;
		const lines = [...said, doubt, ...progress, ...advice];
		super(what, { description: lines.filter((line) => line !== '').join('\n') });
		this.said = said;
		this.doubt = doubt;
		this.progress = progress;
		this.advice = advice;
		this.facts = facts;
	}

	/** Any error in the user's words as this value. */
	static from(error: Error & { description?: string | null }): PortalError {
		if (error instanceof PortalError) return error;
		return new PortalError(error.message, { advice: [error.description ?? ''] });
	}

	/** The same error with another `what` or `doubt`, or with lines behind those that it has. */
	with({ what = this.message, ...more }: Partial<Parts> & { what?: string }): PortalError {
		const joined = (name: 'advice' | 'progress' | 'said') => [...this[name], ...(more[name] ?? [])];
		return new PortalError(what, {
			...{ doubt: this.doubt, facts: this.facts, ...more },
			...{ said: joined('said'), progress: joined('progress'), advice: joined('advice') },
		});
	}
}

/** The status of the response that an error is about; '' for none. */
export const statusOf = (error: unknown): string =>
	(error instanceof PortalError ? error.facts?.status : undefined) ?? '';

/** Whether a failure lasts until somebody changes the credential or a setting of n8n. */
export function isLasting(error: unknown): boolean {
	const { cause } = (error instanceof PortalError ? error.facts?.cause : undefined) ?? {};
	return cause === 'credential-invalid' || cause === 'configuration-invalid';
}

/** Whether the same may succeed later although nobody has changed anything. */
export function mayPass(error: unknown): boolean {
	const { cause } = (error instanceof PortalError ? error.facts?.cause : undefined) ?? {};
	const isTransient = cause === 'rate-limited' || cause === 'temporarily-unavailable';
	return isTransient || statusOf(error).startsWith('5');
}

/** How a request ended: facts only, and nothing of the request itself. */
export interface Reading extends Answer {
	/** The body: parsed JSON, text that is not JSON, or '' for an empty one. */
	data?: unknown;
	/** The request is known not to have been sent. */
	wasNotSent?: boolean;
	/** It was not sent because of the credential. */
	credential?: PortalError;
	/** It was not sent because of a setting of n8n. */
	refusal?: Refusal;
	/** What is wrong with a successful response. */
	unusable?: Unusable;
}

/** A request that brought nothing usable. */
export type Failure = Reading;

/** `domains`: *Allowed Domains* of the credential; `ssrf`: n8n's protection of private addresses. */
export type Refusal = 'domains' | 'ssrf';

/**
 * `large`: over MAX_RESPONSE_BYTES; `foreign`: not from the API; `empty`: nothing to a read; `error`:
 * the body says that it failed.
 */
export type Unusable = 'empty' | 'error' | 'foreign' | 'large';

/**
 * How far the clock of the service is ahead of the local one.
 *
 * @param dateHeader the `Date` header of a response
 * @param now the local time in milliseconds
 * @returns milliseconds; undefined where the header says nothing
 */
export function readClockLead(dateHeader: unknown, now: number): number | undefined {
	const lead = typeof dateHeader === 'string' ? Date.parse(dateHeader) - now : Number.NaN;
	return Number.isNaN(lead) ? undefined : lead;
}

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

/** A clock that is off by more than this may be why a signature is refused, in milliseconds. */
const NOTABLE_SKEW_MS = 60_000;

/**
 * Says by how much the clock of the n8n server differs from that of the service, which checks the
 * signed date of a request. How much it permits is not documented.
 *
 * @param dateHeader the `Date` header of a response
 * @param now the local time in milliseconds
 * @returns a sentence for the user; empty when the clocks agree within a minute
 */
export function describeSkew(dateHeader: unknown, now: number): string {
	const ahead = -(readClockLead(dateHeader, now) ?? 0);
	if (Math.abs(ahead) < NOTABLE_SKEW_MS) return '';
	const minutes = Math.round(Math.abs(ahead) / 60_000);
	const some = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
	const amount = minutes === 1 ? '1 minute' : some;
	const direction = ahead > 0 ? 'ahead of' : 'behind';
	return `The clock of the n8n server is about ${amount} ${direction} that of Portal.io: set it right.`;
}
