import { NodeApiError, type IExecuteFunctions } from 'n8n-workflow';

/** A failure of what several inputs share, such as the session, made anew for one of them. */
export function errorForItem(
	context: IExecuteFunctions,
	itemIndex: number,
	failure: Error,
): NodeApiError {
	const { message, description, httpCode } = failure as Partial<NodeApiError>;
	return new NodeApiError(
		context.getNode(),
		{},
		{ message, description: description ?? '', httpCode: httpCode ?? '', itemIndex },
	);
}
