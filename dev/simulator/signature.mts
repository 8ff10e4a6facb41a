import { createHmac, timingSafeEqual } from 'node:crypto';

/** The signed parts of a request, each exactly as it was received. */
export interface SignedParts {
	/** As sent; upper case in the canonical message. */
	method: string;
	/** Scheme, host and path. The query string is never signed. */
	baseUrl: string;
	/** The Content-Type header, '' when there is none. Not part of the message for GET. */
	contentType: string;
	timestamp: string;
	/** X-MSS-API-USERKEY, '' for the key exchange. */
	userKey: string;
}

/** The text that is signed; see the section on signatures in `docs/dev/portal-api.md`. */
function canonicalMessage(parts: SignedParts): string {
	const method = parts.method.toUpperCase();
	const contentType = method === 'GET' ? '' : parts.contentType;
	return method + parts.baseUrl + contentType + parts.timestamp + parts.userKey;
}

/**
 * Whether `signature` is the base64 HMAC-SHA256 of the message under `secretKey`, whose characters
 * are the key (no base64 decoding). Compares in constant time.
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
 * Parses an RFC 7231 IMF-fixdate (`Mon, 06 Apr 2026 00:22:19 GMT`) to milliseconds since 1970;
 * undefined for anything else, including a wrong weekday or an impossible day.
 */
export function parseHttpDate(text: string): number | undefined {
	if (!imfFixdate.test(text)) return undefined;
	const time = Date.parse(text);
	// Formatting it again must give the same text; 31 Feb and a wrong weekday fail here.
	return !Number.isNaN(time) && new Date(time).toUTCString() === text ? time : undefined;
}
