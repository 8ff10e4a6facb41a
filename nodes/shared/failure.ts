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
	const { facts, doubt } = error as PortalError;
	const options = { ...textsFor(node, error as PortalError), itemIndex };
	if (facts === undefined) return new NodeOperationError(node, options.message, options);
	const { status: httpCode, serviceMessage, cause } = facts;
	const nodeError = new NodeApiError(node, storableBody(serviceMessage), {
		...options,
		httpCode,
		failure: cause,
	});
	if (doubt !== '') nodeError.context.mayHaveBeenProcessed = true;
	return nodeError;
}

/** Returns whether the node is a tool of an AI agent: its output and errors go to a model. */
export const isToolNode = ({ type }: INode): boolean => type.endsWith('Tool');

/** n8n gives a model only the message of an error. */
function textsFor(node: INode, { message, description }: PortalError) {
	if (!isToolNode(node) || !description) return { message, description: description! };
	return { message: `${message}\n${description}` };
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

/** Returns the output for a failure, without empty fields (docs/bulk.md#failed-input-items). */
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
