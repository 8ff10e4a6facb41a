import { createHmac } from 'node:crypto';

/** What of a request takes part in its signature (specification, *Canonical message*). */
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
 * The text that is signed: the components one after the other with nothing between them.
 *
 * A GET leaves the content type out altogether, whatever its headers say. The address is scheme,
 * host and path: `URL` keeps the percent-encoding of the path as it was given, and writes the rest
 * in the normalised form in which n8n sends it.
 */
export function canonicalMessage({ method, url, contentType, date, userKey }: SignedParts): string {
	const verb = method.toUpperCase();
	const signedType = verb === 'GET' ? '' : contentType;
	return verb + url.origin + url.pathname + signedType + date + userKey;
}

/**
 * Signs a request (specification, *Authentication*).
 *
 * @param secretKey used as the bytes of its characters: it looks like Base64 and is not decoded
 * @returns Base64 of the HMAC-SHA256 of the canonical message, for `X-MSS-SIGNATURE`
 */
export function sign(parts: SignedParts, secretKey: string): string {
	return createHmac('sha256', Buffer.from(secretKey, 'latin1'))
		.update(canonicalMessage(parts), 'utf8')
		.digest('base64');
}
