import { UserError } from 'n8n-workflow';
import type { Words } from './words';

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
