import { UserError } from 'n8n-workflow';

/** Portal.io's own message about an error (docs/dev/portal-api.md#errors). Absent texts are ''. */
export interface ServiceMessage {
	message: string;
	errorCode: string;
	errors: Array<{ fieldName: string; message: string; errorCode: string }>;
	/** The summary and the errors of fields, as a user reads them. */
	lines: string[];
	/** False for the message of a gateway or proxy. */
	isFromApi: boolean;
}

export interface ResponseFacts {
	/** Has three digits; is undefined without a response that could be read. */
	status?: string;
	/** Names the failure of the connection, such as ECONNRESET; is undefined with a response. */
	code?: string;
	retryAfterMs?: number;
	/** Portal.io's clock is this far ahead of that of the n8n server. */
	clockLeadMs?: number;
}

/** A request without a usable response. It contains nothing of the request, which has secrets. */
export interface Failure extends ResponseFacts {
	/** Contains parsed JSON, or text. */
	data?: unknown;
	/** It is also true for the next two kinds of failures. */
	wasNotSent?: boolean;
	/** Set if a field of the credential is invalid, or if the login failed. */
	credentialError?: PortalError;
	/** The setting that blocked the request: *Allowed Domains*, or n8n's SSRF protection. */
	blockedBy?: 'domains' | 'ssrf';
	/** The reason why the response has no usable data although its status reports success. */
	unusable?: 'empty' | 'error' | 'notFromApi' | 'large';
}

/** The names are n8n's. n8n 2.37 and later use them to decide when to poll again. */
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
	/** Portal.io does not have the endpoint. A status 404 usually means that the record does not exist. */
	isMissingRoute?: boolean;
	cause?: FailureCause;
	code?: string;
	/** Set if the login before the request failed. */
	login?: ResponseFacts & {
		/** Portal.io itself rejected the email or password, not a proxy, the keys or the clock. */
		isRejected?: boolean;
	};
}

type ErrorParts = Pick<PortalError, 'advice' | 'doubt' | 'facts' | 'progress' | 'serviceLines'>;

/** An error in the user's words. nodes/shared/failure.ts converts it to an error of n8n. */
export class PortalError extends UserError {
	readonly serviceLines: string[];
	/** Warns that the request may have been processed, and says whether to run the step again; or ''. */
	readonly doubt: string;
	/** Says which changes were made before the failure, and which were not. */
	readonly progress: string[];
	readonly advice: string[];
	/** Is undefined if no request failed. */
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

	/** Keeps the message and description of any error. */
	static from(error: Error & { description?: string | null }): PortalError {
		if (error instanceof PortalError) return error;
		return new PortalError(error.message, { advice: [error.description ?? ''] });
	}

	/** Returns a copy. `progress` and `advice` are added to those of the original. */
	with({ what = this.message, ...more }: Partial<ErrorParts> & { what?: string }): PortalError {
		const progress = [...this.progress, ...(more.progress ?? [])];
		const advice = [...this.advice, ...(more.advice ?? [])];
		return new PortalError(what, { ...this, ...more, progress, advice });
	}
}

/**
 * Says what to change in a credential. It has no status: n8n repeats a login that failed with status 401,
 * and a wrong password would count twice against the account.
 */
export class CredentialError extends PortalError {
	constructor(what: string, advice = '') {
		super(what, { advice: [advice], facts: { cause: { cause: 'credential-invalid' } } });
	}
}

const factsOf = (error: unknown): FailureFacts =>
	(error instanceof PortalError && error.facts) || {};

/** Returns '' if no response caused the error. */
export const httpStatusOf = (error: unknown): string => factsOf(error).status ?? '';

/** Returns '' also for the response of a proxy or firewall, which says nothing about a record. */
export const apiStatusOf = (error: unknown): string =>
	factsOf(error).serviceMessage?.isFromApi === true ? httpStatusOf(error) : '';

/** Distinguishes a missing record from a missing endpoint, which also has status 404. */
export const isNotFound = (error: unknown): error is PortalError => apiStatusOf(error) === '404';

/** Somebody must change the credential or a setting of n8n first. */
export const isSetupError = (error: unknown): boolean =>
	factsOf(error).cause?.cause.endsWith('-invalid') === true;

/** Nothing has to be changed for the request to succeed later. */
export const isTemporaryError = (error: unknown): boolean =>
	(factsOf(error).cause !== undefined && !isSetupError(error)) ||
	httpStatusOf(error).startsWith('5');

type ThrownError = Record<string, unknown>;

/** Keeps only the facts of an error that n8n throws, since it contains the request with its secrets. */
export function toFailure(error: unknown): Failure {
	const errors: ThrownError[] = [];
	let cause = error;
	// An error may be its own cause, so the chain can be endless.
	while (typeof cause === 'object' && cause !== null && errors.length < 4) {
		const thrown = cause as ThrownError;
		errors.push(thrown);
		// Node.js reports an error for each IP address of a host.
		cause = thrown.cause ?? (Array.isArray(thrown.errors) ? thrown.errors[0] : undefined);
	}
	const codes = errors.map(({ code }) => code).filter((code) => typeof code === 'string');
	const credentialError = errors.find((thrown) => thrown instanceof PortalError);
	const blockedBy = errors.map(blockerOf).find((blocker) => blocker !== undefined);
	const wasNotSent =
		credentialError !== undefined || blockedBy !== undefined || errors.some(failedToConnect);
	return { code: codes.at(-1), wasNotSent, credentialError, blockedBy };
}

/** Nothing is sent before the connection and the certificate of the server are accepted. */
const failedToConnect = ({ syscall, code }: ThrownError) =>
	syscall === 'connect' ||
	syscall === 'getaddrinfo' ||
	/CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_/.test(String(code));

/** n8n's errors about blocked requests have no code, so their names and messages decide. */
function blockerOf({ name, message }: ThrownError): Failure['blockedBy'] {
	if (String(name).startsWith('SsrfBlocked')) return 'ssrf';
	const isAboutDomains = /^(Domain not allowed|No allowed domains specified)|prevent use within/;
	return isAboutDomains.test(String(message)) ? 'domains' : undefined;
}
