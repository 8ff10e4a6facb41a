import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type JsonObject,
} from 'n8n-workflow';
import { PortalError, type ServiceMessage } from '../../client/errors';

/**
 * Makes a new error that wraps nothing: n8n returns a wrapped error unchanged, and the original
 * contains the signed headers of the request (docs/dev/n8n-internals.md). n8n 2.37 and later read
 * `failure` to decide when to poll again.
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const { message, description, facts, doubt } = error as PortalError;
	const options = { message, description: description!, itemIndex };
	if (facts === undefined) return new NodeOperationError(node, message, options);
	const { status: httpCode, serviceMessage, cause } = facts;
	const rendered = new NodeApiError(node, withoutTraces(serviceMessage), { ...options, httpCode });
	if (doubt !== '') rendered.context.mayHaveBeenProcessed = true;
	return Object.assign(rendered, { failure: cause });
}

/** Converts every error to an error of n8n. */
export const withNodeErrors = async <R>(
	context: { getNode(): INode },
	run: () => Promise<R>,
): Promise<R> =>
	await run().catch((error: Error) => {
		throw toNodeError(context.getNode(), error);
	});

/** Returns the part of an error body that n8n may store with an execution, without stack traces and headers. */
function withoutTraces(serviceMessage: ServiceMessage | undefined): JsonObject {
	if (serviceMessage === undefined) return {};
	const { errorCode, message, errors } = serviceMessage;
	return { errorCode, message, ...(errors.length > 0 && { responseStatus: { errors } }) };
}

/** Makes the item of a failed input (docs/bulk.md#items-that-failed). */
export function describeFailure(failure: Error & { description?: string | null }): IDataObject {
	const { message: error, description } = failure;
	const { facts, doubt } = PortalError.from(failure);
	const { status, serviceMessage } = facts ?? {};
	const details = {
		...(status && { httpCode: status }),
		...(serviceMessage?.errorCode && { errorCode: serviceMessage.errorCode }),
		...(serviceMessage?.errors.length && { fieldErrors: serviceMessage.errors }),
		...(doubt && { mayHaveBeenProcessed: true }),
	};
	return { error, message: description ?? '', details };
}
