import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import { CredentialError } from './account';
import { describeSkew } from './clock';
import { isAboutSignature, isHttpError, type HttpError } from './httpError';

/** The service has no such address, which is not the same as nothing with that ID. */
export class NoRouteError extends NodeApiError {
	// n8n tells errors apart by their name.
	override name = NodeApiError.name;
}

/** What n8n's request helpers throw; read with care, as its shape is not promised. */
interface Thrown {
	httpCode?: string | null;
	message?: string;
	context?: { data?: unknown };
	cause?: unknown;
}

/** What the HTTP client says of a failed request. */
interface Failure {
	code?: unknown;
	config?: { headers?: Record<string, unknown> };
	response?: { status?: number; headers?: Record<string, unknown> };
}

const asThrown = (error: unknown) =>
	(typeof error === 'object' && error !== null ? error : {}) as Thrown;
const failureIn = (error: unknown) => (asThrown(error).cause ?? {}) as Failure;
const credentialErrorIn = (error: unknown) =>
	[error, asThrown(error).cause].find((one) => one instanceof CredentialError);

/** What decides whether a failed request is tried again. */
export function factsOf(error: unknown): { status: string; code: string; retryAfter: unknown } {
	const { code, response } = failureIn(error);
	const status = asThrown(error).httpCode ?? '';
	return {
		status: /^\d{3}$/.test(status) ? status : '',
		code: response === undefined && typeof code === 'string' ? code : '',
		retryAfter: response?.headers?.['retry-after'],
	};
}

/** Whether the service did not take the user key: 401 for any other reason than the signature. */
export function isRefusedKey(error: unknown): boolean {
	if (asThrown(error).httpCode !== '401' || credentialErrorIn(error) !== undefined) return false;
	const { data } = asThrown(error).context ?? {};
	return !(isHttpError(data) && isAboutSignature(data.message ?? ''));
}

/** What happened and how to get on, by status (specification, *Errors*). */
const BY_STATUS: Record<string, { message: string; hint?: string }> = {
	400: { message: 'Portal.io did not accept the values of this request' },
	401: {
		message: 'Portal.io did not accept the credential',
		hint: 'Open the credential and test it.',
	},
	402: {
		message: 'The Portal.io subscription of this dealer is inactive or expired',
		hint: 'Renew the subscription in Portal.io.',
	},
	403: {
		message: 'This Portal.io user may not do this',
		hint: 'Ask the administrator of the Portal.io account for the permission.',
	},
	404: {
		message: 'Portal.io has nothing with this ID',
		hint: 'Check the IDs: a proposal is found by its ID, not by its number, and only in its own account.',
	},
	409: {
		message: "The proposal's state prevents this change",
		hint: 'Accepted, completed and declined proposals cannot be edited: use a change order, or move the proposal back to Draft in Portal.io.',
	},
	429: { message: 'Portal.io asks for fewer requests', hint: 'Try again later.' },
};
const NO_ROUTE = {
	message: 'There is no such address at this service',
	hint: "Check the 'Environment' and 'Base URL' of the credential.",
};
const SERVICE_FAILED = {
	message: 'Portal.io could not handle the request',
	hint: 'Try again after a short while; if it stays, ask support@portal.io.',
};

/**
 * Makes the error that a user sees out of what n8n's request helpers threw.
 *
 * It is made new and not by wrapping: n8n hands a wrapped error back unchanged (n8n.md, 0.8), and
 * the original holds the signed headers of the request. Of the answer it keeps the service's own
 * message, error code and field errors (operations.md, rule 4).
 *
 * @param itemIndex the input that the request was made for
 * @param tries how often it was tried
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
	tries = 1,
): NodeApiError {
	const thrown = asThrown(error);
	const fromCredential = credentialErrorIn(error);
	if (fromCredential !== undefined) {
		const { message, description } = fromCredential;
		return new NodeApiError(node, {}, { message, description: description ?? '', itemIndex });
	}
	const status = thrown.httpCode ?? '';
	const body = isHttpError(thrown.context?.data) ? thrown.context.data : undefined;
	if (!/^\d{3}$/.test(status)) {
		return new NodeApiError(
			node,
			{},
			{
				message: 'Portal.io cannot be reached',
				description: [tried(tries), connectionHint(thrown)].filter(Boolean).join(' '),
				itemIndex,
			},
		);
	}
	const explanation = explain(status, body);
	const { message, hint = '' } = explanation;
	const isMissingRoute = explanation === NO_ROUTE && status.startsWith('4');
	return new (isMissingRoute ? NoRouteError : NodeApiError)(node, quotable(body) as JsonObject, {
		message,
		description: [...said(body), clockHint(status, thrown), hint, tried(tries)]
			.filter((line) => line !== '')
			.join('\n'),
		httpCode: status,
		itemIndex,
	});
}

function explain(status: string, body: HttpError | undefined): { message: string; hint?: string } {
	// A redirect is never followed, whatever it says; it means that the address is another one.
	if (status.startsWith('3')) return NO_ROUTE;
	if (body === undefined && (status === '404' || status === '405')) return NO_ROUTE;
	return BY_STATUS[status] ?? (status.startsWith('5') ? SERVICE_FAILED : BY_STATUS[400]!);
}

const tried = (tries: number) => (tries > 1 ? `Tried ${tries} times.` : '');

/** By how much the clock of this machine is off, when that may be why a signature was refused. */
function clockHint(status: string, thrown: Thrown): string {
	const { response } = failureIn(thrown);
	return status === '401' ? describeSkew(response?.headers?.date, Date.now()) : '';
}

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
	const { errorCode, message, responseStatus } = body;
	const errors = responseStatus?.errors?.map(({ errorCode: code, fieldName, message: text }) => ({
		errorCode: code,
		fieldName,
		message: text,
	}));
	return { errorCode, message, ...(errors ? { responseStatus: { errors } } : {}) };
}

function connectionHint(thrown: Thrown): string {
	const { code } = failureIn(thrown);
	const reason = typeof code === 'string' ? `The connection failed with ${code}. ` : '';
	return `${reason}Check the 'Environment' and 'Base URL' of the credential, and the network of this machine.`;
}
