import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { invalid, ServiceError } from './errors.mts';
import type { Context } from './context.mts';
import type { Row } from './database.mts';

/** Returns the message's HMAC-SHA256 in base64. Uses the text of the key as is, without decoding it. */
const computeSignature = (message: string, secretKey: string) =>
	createHmac('sha256', Buffer.from(secretKey, 'ascii')).update(message, 'utf8').digest('base64');

/** Parses only RFC 7231 dates, such as `Mon, 06 Apr 2026 00:22:19 GMT`. */
function parseHttpDate(text: string): number | undefined {
	const time = Date.parse(text);
	return !Number.isNaN(time) && new Date(time).toUTCString() === text ? time : undefined;
}

export const unauthorized = (reason: string) =>
	new ServiceError(401, `You are not authorized. ${reason}`);

/** Maximum difference between X-MSS-CUSTOM-DATE and the service's clock in either direction (assumed). */
const MAX_CLOCK_SKEW_MS = 900_000;

/** Error whose response is only the message. */
export const wrongSignature = unauthorized('Your request signature (hash) is invalid.');

function single(request: IncomingMessage, name: string): string {
	const values = request.headersDistinct[name.toLowerCase()];
	if (values?.length === 1) return values[0]!;
	throw unauthorized(`Header ${name} must be sent exactly once.`);
}

/**
 * Checks the five headers and the signature of a raw request. Returns the user who sent it; undefined for a
 * login, which has no user API key yet. A failed check is a 401, except that an Accept header other than
 * `application/json` is a 400 (assumed). `target` is the signed part of the URL, after the host.
 */
export function authenticate(
	request: IncomingMessage,
	context: Context,
	isKeyExchange: boolean,
	target: string,
): Row | undefined {
	const { database, clock, settings } = context;
	const accept = single(request, 'Accept');
	const appKey = single(request, 'X-MSS-API-APPID');
	const userKey = single(request, 'X-MSS-API-USERKEY');
	const timestamp = single(request, 'X-MSS-CUSTOM-DATE');
	const signature = single(request, 'X-MSS-SIGNATURE');
	const contentTypes = request.headersDistinct['content-type'] ?? [];
	if (accept !== 'application/json') throw invalid('Accept', 'Accept must be application/json.');
	const time = parseHttpDate(timestamp);
	if (time === undefined) throw unauthorized('X-MSS-CUSTOM-DATE is not an RFC 7231 date.');
	if (Math.abs(clock.now() - time) > MAX_CLOCK_SKEW_MS) {
		throw unauthorized('X-MSS-CUSTOM-DATE is too far from the current time.');
	}
	const application = database.row('applications', { app_key: appKey });
	const method = request.method!.toUpperCase();
	const contentType = method === 'GET' ? '' : (contentTypes[0] ?? '');
	// The query is never signed (docs/dev/portal-api.md#signing).
	const message = `${method}http://${request.headers.host}${target}${contentType}${timestamp}${userKey}`;
	const expected = application && computeSignature(message, String(application.secret_key));
	if (signature !== expected || contentTypes.length > 1) throw wrongSignature;
	if (isKeyExchange) {
		if (userKey === '') return undefined;
		throw unauthorized('The user key must be empty for the key exchange.');
	}
	const user = database.row('key_owners', { key: userKey, app_key: appKey, is_active: 1 });
	if (user) return user;
	if (settings.unknownUserKey === 'asWrongSignature') throw wrongSignature;
	throw unauthorized('Your user key is unknown or has expired.');
}

/** List operations, which the restricted user is not allowed to run. Changes are not allowed either. */
const listings = new Set(['getMany', 'search']);

/**
 * Rejects a request with 402 if the account's subscription has expired, and with 403 if the user lacks permission. The
 * group `Restricted` can read single records, but cannot list or change anything (assumed).
 */
export function authorize(user: Row, method: string, operationId: string): void {
	if (!user.is_subscription_active) {
		throw new ServiceError(402, 'Your dealer subscription is inactive or has expired.');
	}
	const verb = operationId.split('.')[1]!;
	if (user.permission_group === 'Restricted' && (method !== 'GET' || listings.has(verb))) {
		throw new ServiceError(403, 'You do not have permission to perform this action.');
	}
}
