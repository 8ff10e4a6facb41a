import { UserError } from 'n8n-workflow';

/** Portal.io's own message about an error (docs/dev/portal-api.md#errors). Absent texts are ''. */
export interface ServiceMessage {
	message: string;
	errorCode: string;
	errors: Array<{ fieldName: string; message: string; errorCode: string }>;
	/** Summary and field errors, as a user reads them. */
	lines: string[];
	/** False for the message of a gateway or proxy. */
	isFromApi: boolean;
}

export interface ResponseFacts {
	/** HTTP status, such as '404'; undefined if there was no readable response. */
	status?: string;
	/** Connection error, such as ECONNRESET; undefined if there was a response. */
	code?: string;
	retryAfterMs?: number;
	/** Milliseconds by which Portal.io's clock is ahead of the n8n server's. */
	clockLeadMs?: number;
}

/** A request that failed. Contains nothing from the request itself, which has secrets. */
export interface Failure extends ResponseFacts {
	/** Parsed JSON, or the body as text. */
	data?: unknown;
	/** Also true if `credentialError` or `blockedBy` is set. */
	wasNotSent?: boolean;
	/** Error for an invalid credential field or a failed login. */
	credentialError?: PortalError;
	/** Setting that blocked the request: *Allowed Domains*, or n8n's SSRF protection. */
	blockedBy?: 'domains' | 'ssrf';
	/** Reason why a response with a success status has no usable data. */
	unusable?: 'empty' | 'error' | 'notFromApi' | 'large';
}

/** Cause in n8n's terms, from which n8n 2.37 and later decide when to poll again. */
export interface FailureCause {
	cause:
		| 'configuration-invalid'
		| 'credential-invalid'
		| 'rate-limited'
		| 'temporarily-unavailable';
	retryAfterMs?: number;
}

interface FailureFacts {
	status?: string;
	serviceMessage?: ServiceMessage;
	/** True if Portal.io does not have the endpoint. Most responses with status 404 are about a record. */
	isMissingRoute?: boolean;
	cause?: FailureCause;
	code?: string;
	/** Facts of the failed login before the request. */
	login?: ResponseFacts & {
		/** True if Portal.io itself rejected the email or password. */
		isRejected?: boolean;
	};
}

type ErrorParts = Pick<PortalError, 'advice' | 'doubt' | 'facts' | 'progress' | 'serviceLines'>;

/** An error in the user's words. nodes/shared/nodeError.ts converts it to an error of n8n. */
export class PortalError extends UserError {
	readonly serviceLines: string[];
	/**
	 * Warning that the request might have been processed, with advice on running the step again; '' if there is no
	 * doubt.
	 */
	readonly doubt: string;
	/** Changes that were made before the failure, and those that were not. */
	readonly progress: string[];
	readonly advice: string[];
	/** Facts of the failed request; undefined if none failed. */
	readonly facts: FailureFacts | undefined;

	constructor(what: string, parts: Partial<ErrorParts> = {}) {
		const { serviceLines = [], doubt = '', progress = [], advice = [], facts } = parts;
		const lines = [...serviceLines, doubt, ...progress, ...advice];
		super(what, { description: lines.filter((line) => line !== '').join('\n') });
		this.serviceLines = serviceLines;
		this.doubt = doubt;
		this.progress = progress;
		this.advice = advice;
		this.facts = facts;
	}

	/** Converts any error, with its message and description. */
	static from(error: Error & { description?: string | null }): PortalError {
		if (error instanceof PortalError) return error;
		return new PortalError(error.message, { advice: [error.description ?? ''] });
	}

	/** Returns a copy with some parts replaced. Appends `progress` and `advice` to those of the original. */
	with({ what = this.message, ...more }: Partial<ErrorParts> & { what?: string }): PortalError {
		const progress = [...this.progress, ...(more.progress ?? [])];
		const advice = [...this.advice, ...(more.advice ?? [])];
		return new PortalError(what, { ...this, ...more, progress, advice });
	}
}

/**
 * An error about a credential. It has no status, because n8n repeats a login that failed with status 401, and
 * a wrong password would count twice against the account.
 */
export class CredentialError extends PortalError {
	constructor(what: string, advice = '') {
		super(what, { advice: [advice], facts: { cause: { cause: 'credential-invalid' } } });
	}
}

const factsOf = (error: unknown): FailureFacts =>
	(error instanceof PortalError && error.facts) || {};

/** Returns the status of the response that caused an error, or '' if there was no response. */
export const httpStatusOf = (error: unknown): string => factsOf(error).status ?? '';

/** Returns the status of the response that caused an error, or '' if it did not come from the API. */
export const apiStatusOf = (error: unknown): string =>
	factsOf(error).serviceMessage?.isFromApi === true ? httpStatusOf(error) : '';

/** Returns whether Portal.io has no such record or, because the status is the same, no such endpoint. */
export const isNotFound = (error: unknown): error is PortalError => apiStatusOf(error) === '404';

/** Returns whether the credential or an n8n setting must be corrected. */
export const isSetupError = (error: unknown): boolean =>
	factsOf(error).cause?.cause.endsWith('-invalid') === true;

/** Returns whether the same request might succeed later. */
export const isTemporaryError = (error: unknown): boolean =>
	(factsOf(error).cause !== undefined && !isSetupError(error)) ||
	httpStatusOf(error).startsWith('5');

type ThrownError = Record<string, unknown>;

/** Extracts the facts of an error from n8n. The error itself contains the request with its secrets. */
export function toFailure(error: unknown): Failure {
	const errors: ThrownError[] = [];
	let cause = error;
	// Stop after four, because an error can be its own cause.
	while (typeof cause === 'object' && cause !== null && errors.length < 4) {
		const thrown = cause as ThrownError;
		errors.push(thrown);
		// Take the first, because Node.js reports an error for each IP address of a host.
		cause = thrown.cause ?? (Array.isArray(thrown.errors) ? thrown.errors[0] : undefined);
	}
	const codes = errors.map(({ code }) => code).filter((code) => typeof code === 'string');
	const credentialError = errors.find((thrown) => thrown instanceof PortalError);
	const blockedBy = errors.map(detectBlocker).find((blocker) => blocker !== undefined);
	const wasNotSent =
		credentialError !== undefined || blockedBy !== undefined || errors.some(failedToConnect);
	return { code: codes.at(-1), wasNotSent, credentialError, blockedBy };
}

/** Returns whether the connection or the server's certificate failed, so nothing was sent. */
const failedToConnect = ({ syscall, code }: ThrownError) =>
	syscall === 'connect' ||
	syscall === 'getaddrinfo' ||
	/CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_/.test(String(code));

/** Recognizes n8n's errors about blocked requests by name and message, because they have no code. */
function detectBlocker({ name, message }: ThrownError): Failure['blockedBy'] {
	if (String(name).startsWith('SsrfBlocked')) return 'ssrf';
	const isAboutDomains = /^(Domain not allowed|No allowed domains specified)|prevent use within/;
	return isAboutDomains.test(String(message)) ? 'domains' : undefined;
}
