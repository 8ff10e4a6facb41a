import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type JsonObject,
} from 'n8n-workflow';
import { PortalError, type ServiceMessage } from '../../client/errors';

/**
 * Converts an error to one of n8n's. Wraps nothing, because n8n would return a wrapped n8n error unchanged, and the
 * original can contain the signed headers of the request (docs/dev/n8n-internals.md).
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const { facts, doubt } = error as PortalError;
	const options = { ...toErrorTexts(node, error as PortalError), itemIndex };
	if (facts === undefined) return new NodeOperationError(node, options.message, options);
	const { status: httpCode, serviceMessage, cause } = facts;
	const nodeError = new NodeApiError(node, toStorableBody(serviceMessage), {
		...options,
		httpCode,
		failure: cause,
	});
	if (doubt !== '') nodeError.context.mayHaveBeenProcessed = true;
	return nodeError;
}

/** Returns whether the node is a tool of an AI agent, whose output and errors go to a model. */
export const isToolNode = ({ type }: INode): boolean => type.endsWith('Tool');

/**
 * Returns the message and description of an error. For a tool, the message includes the description, because n8n passes
 * only the message to a model.
 */
function toErrorTexts(node: INode, { message, description }: PortalError) {
	if (!isToolNode(node) || !description) return { message, description: description! };
	return { message: `${message}\n${description}` };
}

export const runWithNodeErrors = async <R>(
	context: { getNode(): INode },
	run: () => Promise<R>,
): Promise<R> =>
	await run().catch((error: Error) => {
		throw toNodeError(context.getNode(), error);
	});

/** Returns Portal.io's error without its stack traces, because n8n stores the result with the execution. */
function toStorableBody(serviceMessage: ServiceMessage | undefined): JsonObject {
	if (serviceMessage === undefined) return {};
	const { errorCode, message, errors } = serviceMessage;
	return { errorCode, message, ...(errors.length > 0 && { responseStatus: { errors } }) };
}

/** Returns the output fields for a failure, without empty ones (docs/bulk.md#failed-input-items). */
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
