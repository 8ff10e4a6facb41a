import { createHmac } from 'node:crypto';

/** The parts of a request that are signed (docs/portal-api.md#signing). */
export interface SignedParts {
	/** HTTP method, in any case. */
	method: string;
	/** The absolute address as it goes over the wire; its query string is not signed. */
	url: URL;
	/** The `Content-Type` header, byte for byte; empty when the request sends none. */
	contentType: string;
	/** The `X-MSS-CUSTOM-DATE` header, byte for byte (RFC 7231, UTC). */
	date: string;
	/** The user API key; empty for the credential exchange. */
	userKey: string;
}

/**
 * The text that is signed: the parts one after the other with nothing between them.
 *
 * A GET leaves out the content type, whatever its headers say. The address is scheme, host and path:
 * `URL` keeps the percent-encoding of the path as it was given, and normalizes the rest as n8n does
 * when it sends the request.
 */
export function canonicalMessage({ method, url, contentType, date, userKey }: SignedParts): string {
	const verb = method.toUpperCase();
	const signedType = verb === 'GET' ? '' : contentType;
	return verb + url.origin + url.pathname + signedType + date + userKey;
}

/**
 * Signs a request.
 *
 * @param secretKey used as the bytes of its characters: it looks like Base64 and is not decoded
 * @returns Base64 of the HMAC-SHA256 of the canonical message, for `X-MSS-SIGNATURE`
 */
export function sign(parts: SignedParts, secretKey: string): string {
	// 'utf8' is Node's default, named for the reader.
	return createHmac('sha256', Buffer.from(secretKey, 'latin1'))
		.update(canonicalMessage(parts), 'utf8')
		.digest('base64');
}
