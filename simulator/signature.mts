import { createHmac, timingSafeEqual } from 'node:crypto';

/** The parts of a request that are signed, each exactly as it came over the wire. */
export interface SignedParts {
	/** As sent; the canonical message has it in upper case. */
	method: string;
	/** Scheme, host and path; the query string is never signed (specification, *Authentication*). */
	baseUrl: string;
	/** Bytes of the Content-Type header, '' when there is none. Left out of the message for GET. */
	contentType: string;
	/** X-MSS-CUSTOM-DATE. */
	timestamp: string;
	/** X-MSS-API-USERKEY, '' at the key exchange. */
	userKey: string;
}

/** The text that is signed: specification, *Canonical message*. */
export function canonicalMessage(parts: SignedParts): string {
	const method = parts.method.toUpperCase();
	const contentType = method === 'GET' ? '' : parts.contentType;
	return method + parts.baseUrl + contentType + parts.timestamp + parts.userKey;
}

/**
 * Whether `signature` is the base64 HMAC-SHA256 of the message under `secretKey`, whose characters
 * are the key (no base64 decoding). Takes the same time wherever the two differ.
 */
export function isSignedWith(secretKey: string, parts: SignedParts, signature: string): boolean {
	const expected = createHmac('sha256', Buffer.from(secretKey, 'ascii'))
		.update(canonicalMessage(parts), 'utf8')
		.digest('base64');
	const [left, right] = [Buffer.from(expected), Buffer.from(signature)];
	return left.length === right.length && timingSafeEqual(left, right);
}

const imfFixdate =
	/^(Sun|Mon|Tue|Wed|Thu|Fri|Sat), (\d\d) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;

/**
 * Reads an RFC 7231 IMF-fixdate (`Mon, 06 Apr 2026 00:22:19 GMT`) as milliseconds since 1970; undefined
 * for anything else, a wrong weekday or an impossible day included.
 */
export function parseHttpDate(text: string): number | undefined {
	if (!imfFixdate.test(text)) return undefined;
	const time = Date.parse(text);
	// written again it must be the same text: that is what makes 31 Feb and a wrong weekday fail
	return !Number.isNaN(time) && new Date(time).toUTCString() === text ? time : undefined;
}
