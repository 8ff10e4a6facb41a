import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from './errors.mts';
import type { Identity, Context } from './context.mts';

/** The signed parts of a request, each exactly as it was received. */
interface SignedParts {
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
function isSignedWith(secretKey: string, parts: SignedParts, signature: string): boolean {
	const expected = createHmac('sha256', Buffer.from(secretKey, 'ascii'))
		.update(canonicalMessage(parts), 'utf8')
		.digest('base64');
	const [left, right] = [Buffer.from(expected), Buffer.from(signature)];
	return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Parses an RFC 7231 IMF-fixdate (`Mon, 06 Apr 2026 00:22:19 GMT`) to milliseconds since 1970;
 * undefined for anything else: formatting it again must give the same text.
 */
function parseHttpDate(text: string): number | undefined {
	const time = Date.parse(text);
	return !Number.isNaN(time) && new Date(time).toUTCString() === text ? time : undefined;
}

const unauthorized = (message: string) => new ServiceError(401, message);

/** Maximum difference of X-MSS-CUSTOM-DATE from the service's clock, either way (assumed). */
const MAX_CLOCK_SKEW_MS = 900_000;

export const wrongSignature = 'You are not authorized. Your request signature (hash) is invalid.';

/** The value of a header that must be present exactly once; 401 otherwise. */
function single(request: IncomingMessage, name: string): string {
	const values = request.headersDistinct[name.toLowerCase()];
	if (values?.length !== 1) {
		throw unauthorized(`You are not authorized. Header ${name} must be sent exactly once.`);
	}
	return values[0]!;
}

/**
 * Checks the five headers and the signature of a raw request and returns who sent it; undefined for
 * the key exchange, which has no user key yet. A failed check is a 401, except that an Accept other
 * than `application/json` is a 400 (assumed). `target` is the signed part of the URL after the host.
 */
export function authenticate(
	request: IncomingMessage,
	context: Context,
	isKeyExchange: boolean,
	target: string,
): Identity | undefined {
	const { database, clock } = context;
	const accept = single(request, 'Accept');
	const appKey = single(request, 'X-MSS-API-APPID');
	const userKey = single(request, 'X-MSS-API-USERKEY');
	const timestamp = single(request, 'X-MSS-CUSTOM-DATE');
	const signature = single(request, 'X-MSS-SIGNATURE');
	const contentTypes = request.headersDistinct['content-type'] ?? [];
	if (accept !== 'application/json') {
		const message = 'Accept must be application/json.';
		throw new ServiceError(400, message, [{ errorCode: 'Invalid', fieldName: 'Accept', message }]);
	}
	const time = parseHttpDate(timestamp);
	if (time === undefined) {
		throw unauthorized('You are not authorized. X-MSS-CUSTOM-DATE is not an RFC 7231 date.');
	}
	if (Math.abs(clock.now() - time) > MAX_CLOCK_SKEW_MS) {
		throw unauthorized(
			'You are not authorized. X-MSS-CUSTOM-DATE is too far from the current time.',
		);
	}
	const application = database.get('SELECT * FROM applications WHERE app_key = ?', appKey);
	const parts = {
		method: request.method!,
		baseUrl: `http://${request.headers.host}${target}`,
		contentType: contentTypes[0] ?? '',
		timestamp,
		userKey,
	};
	if (
		!application ||
		contentTypes.length > 1 ||
		!isSignedWith(String(application.secret_key), parts, signature)
	) {
		throw unauthorized(wrongSignature);
	}
	if (isKeyExchange) {
		if (userKey !== '') {
			throw unauthorized(
				'You are not authorized. The user key must be empty for the key exchange.',
			);
		}
		return undefined;
	}
	const user = database.get(
		`SELECT users.* FROM users JOIN user_keys ON user_id = users.id
			WHERE key = ? AND app_key = ? AND is_active = 1`,
		userKey,
		appKey,
	);
	if (!user) throw unauthorized('You are not authorized. Your user key is unknown or has expired.');
	return { user, account: database.get('SELECT * FROM accounts WHERE id = ?', user.account_id!)! };
}

/** Operations that list: the restricted user has no permission for them, nor for any write. */
const listings = new Set(['getMany', 'search']);

/**
 * 402 when the account's subscription has lapsed, 403 without permission (assumed: the group
 * `Restricted` can read single records, but neither list nor write).
 */
export function authorize(identity: Identity, method: string, operationId: string): void {
	if (!identity.account.is_subscription_active) {
		throw new ServiceError(402, 'Your dealer subscription is inactive or has expired.');
	}
	const verb = operationId.split('.')[1]!;
	if (identity.user.permission_group === 'Restricted' && (method !== 'GET' || listings.has(verb))) {
		throw new ServiceError(403, 'You do not have permission to perform this action.');
	}
}
