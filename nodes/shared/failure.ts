import { NodeApiError, type IDataObject } from 'n8n-workflow';
import type { HttpError } from '../../client/response';

/** A failure as data, for a workflow that goes on (docs/bulk.md#items-that-failed). */
export function describeFailure(failure: Error): IDataObject {
	const { message: error, description } = failure as Partial<NodeApiError>;
	const described = { error, message: description ?? '' };
	// n8n before 2.36 takes an item with `details` for one that did not fail; errors have `failure`
	// since 2.37.
	return 'failure' in failure ? { ...described, details: detailsOf(failure) } : described;
}

/** What a workflow can branch on: each field only where it is known. */
function detailsOf(failure: Error): IDataObject {
	if (!(failure instanceof NodeApiError)) return {};
	const { httpCode, errorResponse, context } = failure;
	const { errorCode, responseStatus } = (errorResponse ?? {}) as HttpError;
	return {
		...(httpCode && { httpCode }),
		...(errorCode && { errorCode }),
		...(responseStatus?.errors?.length && { fieldErrors: responseStatus.errors }),
		...(context.mayHaveBeenProcessed === true && { mayHaveBeenProcessed: true }),
	};
}
