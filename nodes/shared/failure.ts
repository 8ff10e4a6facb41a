import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type JsonObject,
} from 'n8n-workflow';
import { PortalError, type ServiceMessage } from '../../client/errors';

/**
 * Returns a new error that wraps nothing: n8n returns a wrapped error unchanged, and the original
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
	const nodeError = new NodeApiError(node, storableBody(serviceMessage), {
		...options,
		httpCode,
		failure: cause,
	});
	if (doubt !== '') nodeError.context.mayHaveBeenProcessed = true;
	return nodeError;
}

export const withNodeErrors = async <R>(
	context: { getNode(): INode },
	run: () => Promise<R>,
): Promise<R> =>
	await run().catch((error: Error) => {
		throw toNodeError(context.getNode(), error);
	});

/** n8n stores the result with the execution, so it contains none of Portal.io's stack traces. */
function storableBody(serviceMessage: ServiceMessage | undefined): JsonObject {
	if (serviceMessage === undefined) return {};
	const { errorCode, message, errors } = serviceMessage;
	return { errorCode, message, ...(errors.length > 0 && { responseStatus: { errors } }) };
}

/** Returns the output for a failure, without empty fields (docs/bulk.md#items-that-failed). */
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
	return {
		error,
		...(description && { message: description }),
		...(Object.keys(details).length > 0 && { details }),
	};
}
