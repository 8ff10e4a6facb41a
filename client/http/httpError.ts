/** The body of an error response (docs/portal-api.md#errors); every field may be missing. */
export interface HttpError {
	errorCode?: string;
	message?: string;
	responseStatus?: {
		errorCode?: string;
		message?: string;
		errors?: Array<{ errorCode?: string; fieldName?: string; message?: string }>;
	};
}

/** Whether a message of the service is about the signature, not about the user. */
export const isAboutSignature = (words: string) => /signature|hash/i.test(words);

/**
 * Whether a response is the service's own error and not that of a proxy or of an unknown route: a
 * 404 with such a body means that no record has that ID, one without it that there is no such route.
 */
export function isHttpError(body: unknown): body is HttpError {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
	return 'errorCode' in body || 'responseStatus' in body || 'message' in body;
}
