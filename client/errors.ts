import { UserError } from 'n8n-workflow';

/** Advice if a response might come from the wrong server. */
export const CHECK_URL = "Check 'Environment' and 'Base URL' in the credential.";
/** Advice if the cause can only be Portal.io itself. */
export const CONTACT_SUPPORT = 'If this continues, contact support@portal.io.';

/** Portal.io's own message about an error (docs/dev/portal-api.md#errors). Missing text is ''. */
export interface ServiceMessage {
	message: string;
	errorCode: string;
	errors: Array<{ fieldName: string; message: string; errorCode: string }>;
	/** Summary and field errors, as a user sees them. */
	lines: string[];
	/** False for the message of a gateway or proxy. */
	isFromApi: boolean;
}

export interface ResponseFacts {
	/** HTTP status, such as '404'; undefined if there was no readable response. */
	status?: string;
	/** Code of a connection error, such as ECONNRESET; undefined if there was a response. */
	code?: string;
	retryAfterMs?: number;
	/** Milliseconds by which Portal.io's clock is ahead of the n8n server's. */
	clockLeadMs?: number;
}

/** Facts about a failed request. They contain nothing from the request itself, which contains secrets. */
export interface Failure extends ResponseFacts {
	/** Body of the response: parsed JSON, or text. */
	data?: unknown;
	/** True if the request was certainly not sent, as with `credentialError` or `blockedBy`. */
	wasNotSent?: boolean;
	/** Error for an invalid credential field or a failed login. */
	credentialError?: PortalError;
	/** Setting that blocked the request: *Allowed Domains*, or n8n's SSRF protection. */
	blockedBy?: 'domains' | 'ssrf';
	/** Reason why a response with a success status has no usable data. */
	unusable?: 'empty' | 'error' | 'notFromApi' | 'large';
}

/** Cause in n8n's terms. n8n 2.37 and later use it to decide when to poll again. */
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
	/**
	 * True if Portal.io does not have the endpoint. Status 404 alone does not show this, because it usually means a
	 * missing record.
	 */
	isMissingRoute?: boolean;
	cause?: FailureCause;
	code?: string;
	/** Facts about a login that failed before the request. */
	login?: ResponseFacts & {
		/** True if Portal.io itself rejected the email or password. */
		isRejected?: boolean;
	};
}

type ErrorParts = Pick<PortalError, 'advice' | 'doubt' | 'facts' | 'progress' | 'serviceLines'>;

/** An error in the user's words. nodes/shared/nodeError.ts converts it to an n8n error. */
export class PortalError extends UserError {
	readonly serviceLines: string[];
	/**
	 * Warning that the request might have been processed, with advice on running the step again; '' if there is no
	 * doubt.
	 */
	readonly doubt: string;
	/** Lines about the changes that were made before the failure, and about the changes that were not made. */
	readonly progress: string[];
	readonly advice: string[];
	/** Facts about the failed request; undefined if no request failed. */
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

	/** Converts any error. Keeps its message and description. */
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
 * An error about a credential. It has no status, because n8n would repeat a login that failed with status 401, and a
 * wrong password would count twice against the account.
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

/**
 * Returns whether an error has status 404 from the API. This usually means that the record does not exist, but can also
 * mean that the endpoint does not.
 */
export const isNotFound = (error: unknown): error is PortalError => apiStatusOf(error) === '404';

/** Returns whether the credential or an n8n setting must be corrected. */
export const isSetupError = (error: unknown): boolean =>
	factsOf(error).cause?.cause.endsWith('-invalid') === true;

/** Returns whether the same request might succeed later. */
export const isTemporaryError = (error: unknown): boolean =>
	(factsOf(error).cause !== undefined && !isSetupError(error)) ||
	httpStatusOf(error).startsWith('5');

type ThrownError = Record<string, unknown>;

/** Extracts the facts from an error that n8n threw, because the error itself contains the request with its secrets. */
export function toFailure(error: unknown): Failure {
	const errors: ThrownError[] = [];
	let cause = error;
	// Stop after four errors, because an error can be its own cause.
	while (typeof cause === 'object' && cause !== null && errors.length < 4) {
		const thrown = cause as ThrownError;
		errors.push(thrown);
		// Take the first entry of `errors`, where Node.js reports an error for each IP address of a host.
		cause = thrown.cause ?? (Array.isArray(thrown.errors) ? thrown.errors[0] : undefined);
	}
	const codes = errors.map(({ code }) => code).filter((code) => typeof code === 'string');
	const credentialError = errors.find((thrown) => thrown instanceof PortalError);
	const blockedBy = errors.map(detectBlocker).find((blocker) => blocker !== undefined);
	const wasNotSent =
		credentialError !== undefined || blockedBy !== undefined || errors.some(failedToConnect);
	return { code: codes.at(-1), wasNotSent, credentialError, blockedBy };
}

/**
 * Returns whether the error means that the connection could not be opened or that the server's certificate was
 * rejected. In either case, nothing was sent.
 */
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
