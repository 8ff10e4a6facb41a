import type { IDataObject, NodeApiError } from 'n8n-workflow';

/** The lines of a description that are there. */
export const joinLines = (...lines: Array<string | null | undefined>): string =>
	lines.filter(Boolean).join('\n');

/** A failure as data, for a workflow that goes on (docs/bulk.md#items-that-failed). */
export function describeFailure(failure: Error): IDataObject {
	const { message: error, description } = failure as Partial<NodeApiError>;
	return { error, message: description ?? '', details: detailsOf(failure) };
}

/** What a workflow can branch on: each field only where it is known. */
function detailsOf(failure: Error): IDataObject {
	const { httpCode, errorResponse, context } = failure as Partial<NodeApiError>;
	const { errorCode, responseStatus } = (errorResponse ?? {}) as Quoted;
	return {
		...(httpCode && { httpCode }),
		...(errorCode && { errorCode }),
		...(responseStatus && { fieldErrors: responseStatus.errors }),
		...(context?.mayHaveBeenProcessed === true && { mayHaveBeenProcessed: true }),
	};
}

/** What an error keeps of the response. */
interface Quoted {
	errorCode?: string;
	responseStatus?: { errors: IDataObject[] };
}
