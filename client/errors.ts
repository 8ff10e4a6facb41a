import { UserError } from 'n8n-workflow';

/** The service's own words about an error (docs/dev/portal-api.md#errors); '' where there are none. */
export interface Words {
	message: string;
	errorCode: string;
	/** Problems with single fields. */
	errors: Array<{ fieldName: string; message: string; errorCode: string }>;
	/** All of them as a user reads them, the field errors after the summary. */
	lines: string[];
	/** Whether the API wrote them, and not a gateway or proxy. */
	isFromApi: boolean;
}

export interface Answer {
	/** HTTP status as three digits; absent when there was no response, or it could not be read. */
	status?: string;
	/** Code of the connection failure, such as ECONNRESET; absent when there was a response. */
	code?: string;
	/** For how long the service wants no further request, in milliseconds, if it says. */
	retryAfterMs?: number;
	/** By how much the service's clock is ahead of that of the n8n server, in milliseconds, if it says. */
	clockLeadMs?: number;
}

/** A request without a usable response: facts only, and nothing of the request itself. */
export interface Failure extends Answer {
	/** The body: parsed JSON, text that is not JSON, or '' for an empty one. */
	data?: unknown;
	/** The request is known not to have been sent; in the next two cases, too. */
	wasNotSent?: boolean;
	credential?: PortalError;
	/** *Allowed Domains* of the credential, or n8n's protection of private addresses. */
	refusal?: 'domains' | 'ssrf';
	/** A success that cannot be used: without a body, with an error, not by the API, or too large. */
	unusable?: 'empty' | 'error' | 'foreign' | 'large';
}

/** In n8n's terms: n8n 2.37 and later decide by it when to poll again. */
export interface Cause {
	cause:
		| 'configuration-invalid'
		| 'credential-invalid'
		| 'rate-limited'
		| 'temporarily-unavailable';
	retryAfterMs?: number;
}

interface Facts {
	status?: string;
	words?: Words;
	/** The service has no such route, which is not the same as no record with that ID. */
	isMissingRoute?: boolean;
	cause?: Cause;
	/** Code of the connection failure, where there was no response. */
	code?: string;
	/** The failure of the login that the request needed. */
	login?: Answer & {
		/** Portal.io rejected the email or password in its own words. */
		isRejected?: boolean;
	};
}

type Parts = Pick<PortalError, 'advice' | 'doubt' | 'facts' | 'progress' | 'said'>;

/**
 * An error in the user's words; its lists have a line in each entry. nodes/shared/failure.ts converts it
 * to n8n's own error, once.
 */
export class PortalError extends UserError {
	/** The service's words. */
	readonly said: string[];
	/** That the request may have been processed, and whether the step may be run again; '' if not. */
	readonly doubt: string;
	/** The changes that were made before the failure, and those that were not. */
	readonly progress: string[];
	readonly advice: string[];
	/** Undefined if no request failed. */
	readonly facts: Facts | undefined;

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

	/** Keeps the message and description of any error. */
	static from(error: Error & { description?: string | null }): PortalError {
		if (error instanceof PortalError) return error;
		return new PortalError(error.message, { advice: [error.description ?? ''] });
	}

	/** A copy with another `what` or `doubt`, and with further lines. */
	with({ what = this.message, ...more }: Partial<Parts> & { what?: string }): PortalError {
		const progress = [...this.progress, ...(more.progress ?? [])];
		const advice = [...this.advice, ...(more.advice ?? [])];
		return new PortalError(what, { ...this, ...more, progress, advice });
	}
}

/**
 * Says what to change in a credential. It has no status: n8n would repeat an exchange that failed with
 * 401, and a wrong password would count twice against the account.
 */
export class CredentialError extends PortalError {
	constructor(what: string, advice = '') {
		super(what, { advice: [advice], facts: { cause: { cause: 'credential-invalid' } } });
	}
}

const factsOf = (error: unknown): Facts => (error instanceof PortalError && error.facts) || {};

/** The status of the response that an error is about; '' for none. */
export const statusOf = (error: unknown): string => factsOf(error).status ?? '';

/** Whether the service has the endpoint, but no record with the ID. */
export const isNotFound = (error: unknown): error is PortalError =>
	statusOf(error) === '404' && factsOf(error).isMissingRoute !== true;

/** Whether a failure lasts until somebody changes the credential or a setting of n8n. */
export const isLasting = (error: unknown): boolean =>
	factsOf(error).cause?.cause.endsWith('-invalid') === true;

/** Whether the same request may succeed later, without any change. */
export const mayPass = (error: unknown): boolean =>
	(factsOf(error).cause !== undefined && !isLasting(error)) || statusOf(error).startsWith('5');

type Thrown = Record<string, unknown>;

/** Keeps only the facts of an error that n8n throws: it holds the request with its secrets. */
export function toFailure(error: unknown): Failure {
	const errors: Thrown[] = [];
	// An error may be its own cause.
	for (let one = error; typeof one === 'object' && one !== null && errors.length < 4;) {
		const thrown = one as Thrown;
		errors.push(thrown);
		// There is one for each address of a host.
		one = thrown.cause ?? (Array.isArray(thrown.errors) ? thrown.errors[0] : undefined);
	}
	const codes = errors.map(({ code }) => code).filter((code) => typeof code === 'string');
	const credential = errors.find((one) => one instanceof PortalError);
	const refusal = errors.map(refusalOf).find((one) => one !== undefined);
	const wasNotSent = credential !== undefined || refusal !== undefined || errors.some(isUnsent);
	return { code: codes.at(-1), wasNotSent, credential, refusal };
}

/** Whether there was no connection yet, or none that is trusted: nothing was sent before that. */
const isUnsent = ({ syscall, code }: Thrown) =>
	syscall === 'connect' ||
	syscall === 'getaddrinfo' ||
	/CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_/.test(String(code));

/** Recognizes a request that a setting of n8n blocked. Only the name or message of the error shows it. */
function refusalOf({ name, message }: Thrown): Failure['refusal'] {
	if (String(name).startsWith('SsrfBlocked')) return 'ssrf';
	const isAboutDomains = /^(Domain not allowed|No allowed domains specified)|prevent use within/;
	return isAboutDomains.test(String(message)) ? 'domains' : undefined;
}
