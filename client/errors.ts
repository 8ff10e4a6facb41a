import { NodeApiError, type INode, type JsonObject, type NodeOperationError } from 'n8n-workflow';
import { describeSkew } from './clockSkew';
import { MAX_RESPONSE_BYTES, type Failure, type Refusal, type Unusable } from './response';
import { classifyFailure, MAX_WAIT_MS } from './retry';
import { isAboutSignature, isFromApi, linesOf, readWords, type Words } from './words';

/** The service has no such route, which is not the same as no record with that ID. */
export class NoRouteError extends NodeApiError {
	// n8n tells errors apart by their name.
	override name = NodeApiError.name;
}

/** Whether the user key may be why the service refused: it says that of a signature, too. */
export const isRefusedKey = ({ status, data }: Failure) => status === '401' && !isPage(data);

/** Whether a body is a web page, which the API never returns. */
export const isPage = (body: unknown) => typeof body === 'string' && /^\s*</.test(body);

interface Explanation {
	message: string;
	hint?: string;
}

/** What happened and what to do, by HTTP status, where the service says why. */
const BY_STATUS: Record<string, Explanation> = {
	400: { message: 'Portal.io did not accept the values of this request' },
	401: {
		message: 'Portal.io did not accept the credential',
		hint: 'Open the credential and test it.',
	},
	402: {
		message: 'Your Portal.io subscription is inactive or expired',
		hint: 'Renew the subscription in Portal.io.',
	},
	403: {
		message: 'This Portal.io user does not have permission to do this',
		hint: 'Ask the administrator of the Portal.io account for this permission.',
	},
	404: {
		message: 'No record found with this ID',
		hint: 'Check the IDs, and that the records belong to the account of the credential.',
	},
	409: {
		message: "The proposal's state prevents this change",
		hint: 'Check the status of the proposal. Accepted, completed and declined proposals cannot be edited: use a change order, or reopen the proposal in Portal.io.',
	},
};
/** The same where a proxy or gateway may have said it as well. */
const ANYBODY_SAYS: Record<string, Explanation> = {
	407: {
		message: 'A proxy between n8n and Portal.io requires a login',
		hint: 'Check the proxy that the n8n server uses, such as in HTTPS_PROXY.',
	},
	413: {
		message: 'The request is larger than Portal.io accepts',
		hint: 'Send fewer or smaller values at once.',
	},
	429: {
		message: 'Portal.io rate limit reached',
		hint: "Wait a moment, then run the step again. If it happens often, lower 'Items in Parallel'.",
	},
};
const WRONG_SIGNATURE = {
	message: 'Portal.io did not accept the signature of the request',
	hint: "Check the 'Application Key' and 'Secret Key' of the credential, and the clock of the n8n server.",
};
/** The one documented 409 that is not about the state of the proposal. */
const NO_CONTACT = {
	message: 'The proposal has no contact yet',
	hint: "Assign a contact to the proposal first, with 'Assign Contact'.",
};
const NO_ROUTE = {
	message: 'This Portal.io endpoint does not exist',
	hint: "Check the 'Environment' and 'Base URL' of the credential.",
};
const SERVICE_FAILED = {
	message: 'Portal.io could not process the request',
	hint: 'If this continues, contact support@portal.io.',
};
/** What Portal.io refuses has a body of its own shape: something in between has refused this. */
const foreign = (status: string): Explanation => ({
	message: `Unexpected response: status ${status} did not come from the Portal.io API`,
	hint: "A proxy or firewall may have responded in its place. Check the 'Environment' and 'Base URL' of the credential, and the network of the n8n server.",
});

/** What is wrong with a successful response, and what to do. */
const BY_FLAW: Record<Unusable, Explanation & { hint: string }> = {
	empty: {
		message: 'Portal.io returned an empty response',
		hint: 'Try again after a moment. If this continues, contact support@portal.io.',
	},
	error: {
		message: 'Portal.io reported a failure in a successful response',
		hint: 'If this continues, contact support@portal.io.',
	},
	foreign: {
		message: 'Unexpected response: it did not come from the Portal.io API',
		hint: "It should be JSON. Check the 'Environment' and 'Base URL' of the credential, and whether a proxy or a login page responds instead.",
	},
	large: {
		message: `The response of Portal.io is larger than ${MAX_RESPONSE_BYTES / 1024 ** 2} MB`,
		hint: "Reading all of it could take all memory of n8n. Request less at once, such as with a smaller 'Limit'.",
	},
};

/** What n8n itself refused to send, and the setting that decides it. */
export const BY_REFUSAL: Record<Refusal, { message: string; hint: string }> = {
	domains: {
		message: "The 'Allowed Domains' of the credential do not include the address of Portal.io",
		hint: "Add its host to 'Allowed Domains' of the credential.",
	},
	ssrf: {
		message: 'n8n blocked the request, as it protects private and listed addresses',
		hint: "Check the 'Base URL' of the credential, or ask the administrator of n8n to allow this address (N8N_SSRF_ALLOWED_HOSTNAMES, N8N_SSRF_ALLOWED_IP_RANGES).",
	},
};

/**
 * Makes the error that a user sees out of what became of a request.
 *
 * It is made new and not by wrapping what n8n threw: n8n returns a wrapped error unchanged, and the
 * original holds the signed headers of the request (docs/n8n-internals.md). Of the response it keeps
 * the service's own message, error code and field errors.
 *
 * @param itemIndex the input that the request was made for
 * @param attempts how often it was attempted
 * @param doubt says that it may have been done all the same
 * @returns with `failure`, by which n8n 2.37 and later decide when to poll again
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	itemIndex?: number,
	{ attempts = 1, doubt = '' }: { attempts?: number; doubt?: string } = {},
): NodeApiError {
	const { status, headers, data } = failure;
	const words = readWords(data);
	const explanation = explain(failure, words);
	const isMissingRoute = explanation === NO_ROUTE && status.startsWith('4');
	const again = explanation === SERVICE_FAILED ? 'Try again after a moment.' : '';
	const wait = classifyFailure(failure, Date.now()).retryAfter ?? 0;
	const lines = [
		...(words === undefined ? [] : linesOf(words)),
		// A clock that is off may be why a signature was refused.
		status === '401' ? describeSkew(headers.date, Date.now()) : '',
		doubt || again,
		wait > MAX_WAIT_MS ? `Portal.io asks to wait until ${formatTime(Date.now() + wait)}.` : '',
		explanation.hint ?? '',
		attempts > 1 ? `Tried ${attempts} times.` : '',
	];
	const error = new (isMissingRoute ? NoRouteError : NodeApiError)(
		node,
		quotable(words) as JsonObject,
		{
			message: explanation.message,
			description: lines.filter((line) => line !== '').join('\n'),
			httpCode: status,
			itemIndex,
		},
	);
	if (doubt !== '') markDoubtful(error);
	return Object.assign(error, { failure: causeOf(failure) });
}

/** Says to the program, too, that the request may have been processed all the same. */
export function markDoubtful<E extends NodeApiError | NodeOperationError>(error: E): E {
	error.context.mayHaveBeenProcessed = true;
	return error;
}

function explain(failure: Failure, words: Words | undefined): Explanation {
	const { status, code, data, credential, refusal, unusable } = failure;
	if (credential !== undefined) {
		return { message: credential.message, hint: credential.description ?? '' };
	}
	if (refusal !== undefined) return BY_REFUSAL[refusal];
	if (unusable !== undefined) return BY_FLAW[unusable];
	if (status === '') {
		const reason = code === '' ? '' : `The connection failed with ${code}. `;
		return {
			message: 'Portal.io cannot be reached',
			hint: `${reason}Check the 'Environment' and 'Base URL' of the credential, and the network of the n8n server.`,
		};
	}
	// A redirect is never followed, whatever it says; it means that the address is another one.
	if (status.startsWith('3')) return NO_ROUTE;
	const isSaid = isFromApi(data);
	if (status === '405' || (status === '404' && !isSaid)) return NO_ROUTE;
	if (ANYBODY_SAYS[status] !== undefined) return ANYBODY_SAYS[status];
	const { isTransient } = classifyFailure(failure, 0);
	if (status.startsWith('5') || isTransient) return SERVICE_FAILED;
	if (status === '401' && isAboutSignature(words)) return WRONG_SIGNATURE;
	if (!isSaid && !(status === '401' && typeof data === 'string' && !isPage(data)))
		return foreign(status);
	if (status === '409' && words !== undefined && isAboutContact(words)) return NO_CONTACT;
	return BY_STATUS[status] ?? BY_STATUS[400]!;
}

const isAboutContact = (words: Words) =>
	linesOf(words).some((line) =>
		/\b(no|without a) contact\b|\bcontact must\b|\bassign a contact\b/i.test(line),
	);

/** As `2026-04-14 09:30 UTC`. */
const formatTime = (time: number) =>
	`${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Why a request failed, in n8n's terms. */
export interface Cause {
	cause:
		'configuration-invalid' | 'credential-invalid' | 'rate-limited' | 'temporarily-unavailable';
	/** How long Portal.io asks to wait. */
	retryAfterMs?: number;
}

function causeOf(failure: Failure): Cause | undefined {
	const { isTransient, isRateLimited, retryAfter } = classifyFailure(failure, Date.now());
	if (failure.refusal !== undefined) return { cause: 'configuration-invalid' };
	if (isTransient) {
		const cause = isRateLimited ? 'rate-limited' : 'temporarily-unavailable';
		return { cause, retryAfterMs: retryAfter };
	}
	const isAboutCredential = failure.credential !== undefined || failure.status === '401';
	return isAboutCredential ? { cause: 'credential-invalid' } : undefined;
}

/** Whether the same may succeed later although nobody has changed anything. */
export function mayPass(error: Error): boolean {
	const { failure, httpCode } = error as { failure?: Partial<Cause>; httpCode?: string | null };
	const isTransient = ['rate-limited', 'temporarily-unavailable'].includes(failure?.cause ?? '');
	return isTransient || /^5/.test(httpCode ?? '');
}

/** Whether a failure lasts until somebody changes the credential or a setting of n8n. */
export function isLasting(error: Error): boolean {
	const { cause } = (error as { failure?: Partial<Cause> }).failure ?? {};
	return cause === 'credential-invalid' || cause === 'configuration-invalid';
}

/** What of an error body may be kept with an execution: no stack traces, no headers. */
function quotable(words: Words | undefined) {
	if (words === undefined) return {};
	const { errorCode, message, errors } = words;
	return { errorCode, message, ...(errors.length > 0 ? { responseStatus: { errors } } : {}) };
}
