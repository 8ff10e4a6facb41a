import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import {
	MAX_RESPONSE_BYTES,
	type Failure,
	type Unusable,
	isAboutSignature,
	isHttpError,
	type HttpError,
} from './response';
import { describeSkew } from './clockSkew';

/** The service has no such route, which is not the same as no record with that ID. */
export class NoRouteError extends NodeApiError {
	// n8n tells errors apart by their name.
	override name = NodeApiError.name;
}

/** Whether the service did not take the user key: 401 for any other reason than the signature. */
export function isRefusedKey({ status, data }: Failure): boolean {
	return status === '401' && !(isHttpError(data) && isAboutSignature(data.message ?? ''));
}

/** What happened and what to do, by HTTP status. */
const BY_STATUS: Record<string, { message: string; hint?: string }> = {
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
	413: {
		message: 'The request is larger than Portal.io accepts',
		hint: 'Send fewer or smaller values at once.',
	},
	429: {
		message: 'Portal.io rate limit reached',
		hint: "Wait a moment, then run the step again. If it happens often, lower 'Items in Parallel'.",
	},
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

/** What is wrong with a successful response, and what to do. */
const BY_FLAW: Record<Unusable, { message: string; hint: string }> = {
	empty: {
		message: 'Portal.io returned an empty response',
		hint: 'Try again after a moment. If this continues, contact support@portal.io.',
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
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	itemIndex?: number,
	{ attempts = 1, doubt = '' }: { attempts?: number; doubt?: string } = {},
): NodeApiError {
	const { status, credential, unusable } = failure;
	const make = (message: string, lines: string[]) =>
		markDoubtful(
			new NodeApiError(
				node,
				{},
				{ message, description: lines.filter((line) => line !== '').join('\n'), itemIndex },
			),
			doubt !== '',
		);
	if (credential !== undefined) return make(credential.message, [credential.description ?? '']);
	if (unusable !== undefined) {
		const { message, hint } = BY_FLAW[unusable];
		return make(message, [doubt, hint]);
	}
	if (status === '') {
		const reason = failure.code === '' ? '' : `The connection failed with ${failure.code}. `;
		const hint = `${reason}Check the 'Environment' and 'Base URL' of the credential, and the network of the n8n server.`;
		return make('Portal.io cannot be reached', [doubt, tried(attempts), hint]);
	}
	const body = isHttpError(failure.data) ? failure.data : undefined;
	const explanation = explain(status, body);
	const { message, hint = '' } = explanation;
	const isMissingRoute = explanation === NO_ROUTE && status.startsWith('4');
	const again = explanation === SERVICE_FAILED ? 'Try again after a moment.' : '';
	// A clock that is off may be why a signature was refused.
	const skew = status === '401' ? describeSkew(failure.headers.date, Date.now()) : '';
	const lines = [...said(body), skew, doubt || again, hint, tried(attempts)];
	const error = new (isMissingRoute ? NoRouteError : NodeApiError)(
		node,
		quotable(body) as JsonObject,
		{
			message,
			description: lines.filter((line) => line !== '').join('\n'),
			httpCode: status,
			itemIndex,
		},
	);
	return markDoubtful(error, doubt !== '');
}

/** Says in an error, also to the program, that the request may have been processed all the same. */
export function markDoubtful(error: NodeApiError, isDoubtful: boolean): NodeApiError {
	if (isDoubtful) error.context.mayHaveBeenProcessed = true;
	return error;
}

function explain(status: string, body: HttpError | undefined): { message: string; hint?: string } {
	// A redirect is never followed, whatever it says; it means that the address is another one.
	if (status.startsWith('3')) return NO_ROUTE;
	if (body === undefined && (status === '404' || status === '405')) return NO_ROUTE;
	if (
		status === '409' &&
		/\b(no|without a) contact\b|\bcontact must\b|\bassign a contact\b/i.test(said(body).join(' '))
	)
		return NO_CONTACT;
	return BY_STATUS[status] ?? (status.startsWith('5') ? SERVICE_FAILED : BY_STATUS[400]!);
}

const tried = (attempts: number) => (attempts > 1 ? `Tried ${attempts} times.` : '');

/** The service's own words, one line each, the field errors after the summary. */
function said(body: HttpError | undefined): string[] {
	if (body === undefined) return [];
	const { responseStatus } = body;
	const summary = body.message || responseStatus?.message || '';
	const code = body.errorCode || responseStatus?.errorCode || '';
	const fields = (responseStatus?.errors ?? []).map(({ fieldName, message, errorCode }) =>
		[fieldName, message || errorCode].filter(Boolean).join(': '),
	);
	const own = code === '' || summary.includes(code) ? summary : `${summary} (${code})`;
	return [own.trim(), ...fields.filter((line) => line !== summary)];
}

/** What of an error body may be kept with an execution: no stack traces, no headers. */
function quotable(body: HttpError | undefined): HttpError {
	if (body === undefined) return {};
	const { message, responseStatus } = body;
	const errorCode = body.errorCode || responseStatus?.errorCode;
	const errors = responseStatus?.errors?.map(({ errorCode: code, fieldName, message: text }) => ({
		errorCode: code,
		fieldName,
		message: text,
	}));
	return { errorCode, message, ...(errors ? { responseStatus: { errors } } : {}) };
}
