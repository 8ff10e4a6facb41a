/** The body of an error answer (specification, *Errors*); every field may be missing. */
export interface HttpError {
	errorCode?: string;
	message?: string;
	responseStatus?: {
		errorCode?: string;
		message?: string;
		errors?: Array<{ errorCode?: string; fieldName?: string; message?: string }>;
	};
}

/** Whether the service's words are about the signature (public reference, 1: *401 detail*). */
export const isAboutSignature = (words: string) => /signature|hash/i.test(words);

/**
 * Whether an answer is the service's own error and not that of a proxy or of an unknown route: a
 * 404 with such a body means that nothing has that id, a 404 without one that there is no such route
 * (operations.md, rule 2).
 */
export function isHttpError(body: unknown): body is HttpError {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
	return 'errorCode' in body || 'responseStatus' in body || 'message' in body;
}
