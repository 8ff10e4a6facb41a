/**
 * Every expected signature was computed by openssl, from a message written by hand
 * (docs/portal-api.md#signing); test/vectors/openssl.json has the command of each.
 */
import { describe, expect, it } from 'vitest';
import { sign, type SignedParts } from '../../client/signRequest.ts';
import { vector } from '../vectors/hmac.mts';

const secret = vector('a GET').key;
const parts = (more: Partial<Omit<SignedParts, 'url'>> & { path: string }): SignedParts => ({
	method: 'GET',
	contentType: '',
	date: 'Mon, 06 Apr 2026 00:22:19 GMT',
	userKey: 'mZ0s1v3nqk8b2C4d6E8f0G1h2J3k4L5m6N7p8Q9r0S0=',
	...more,
	url: new URL(more.path, 'https://api.portal.io'),
});
const form = 'application/x-www-form-urlencoded';

describe('the signature of a request', () => {
	it.each<[string, SignedParts, string]>([
		['a GET', parts({ path: '/public/proposals' }), 'a GET'],
		[
			'a GET with a query, which is left out',
			parts({ path: '/public/proposals?PageNumber=1&Statuses=Draft' }),
			'a GET',
		],
		[
			'a GET with a content type, which is left out',
			parts({ path: '/public/proposals', contentType: 'application/json' }),
			'a GET',
		],
		['a method in lower case', parts({ path: '/public/proposals', method: 'get' }), 'a GET'],
		[
			'a form POST',
			parts({ method: 'POST', path: '/public/proposals/42', contentType: form }),
			'a form POST',
		],
		[
			'a JSON POST',
			parts({
				method: 'POST',
				path: '/public/ai/generate-outline',
				contentType: 'application/json',
			}),
			'a JSON POST',
		],
		[
			'a multipart POST with its boundary, and a query that is left out',
			parts({
				method: 'POST',
				path: '/public/api/proposals/42/ai/content?isMultiChunkUpload=true',
				contentType: 'multipart/form-data; boundary=----Boundary7MA4YWxkTrZu0gW',
			}),
			'a multipart POST',
		],
		[
			'a DELETE without body',
			parts({ method: 'DELETE', path: '/public/webhook/unsubscribe/7' }),
			'a DELETE without body',
		],
		[
			'a DELETE with a form',
			parts({ method: 'DELETE', path: '/public/proposals/42/items', contentType: form }),
			'a DELETE with a form',
		],
		[
			'a percent-encoded path, as it is sent',
			parts({ path: '/public/a%20b/%C3%BC/100%25%2F' }),
			'a percent-encoded path',
		],
		[
			'the key exchange, without a user key',
			parts({ path: '/authenticate/apikeyexchange?UserName=a&Password=b', userKey: '' }),
			'the key exchange, without a user key',
		],
		[
			'a host with a port',
			{ ...parts({ path: '/' }), url: new URL('http://127.0.0.1:4010/public/proposals') },
			'a host with a port',
		],
		[
			'a content type beyond ASCII, as UTF-8',
			parts({
				method: 'POST',
				path: '/public/proposals/42',
				contentType: 'text/plain; name="Küche ☕"',
			}),
			'a content type beyond ASCII',
		],
		[
			'a long path with a long query, which is left out',
			parts({ path: `/public/${'a'.repeat(2000)}?q=${'b'.repeat(5000)}` }),
			'a long path',
		],
	])('of %s', (_case, signed, expected) => {
		expect(sign(signed, secret)).toBe(vector(expected).result);
	});

	it('takes the secret as it stands, although it looks like Base64', () => {
		const { key, result } = vector('a GET under the decoded secret');
		expect(Buffer.from(secret, 'base64').toString()).toBe(key);
		expect(sign(parts({ path: '/public/proposals' }), secret)).not.toBe(result);
	});
});
