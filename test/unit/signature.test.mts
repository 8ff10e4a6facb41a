/**
 * Every expected signature was computed with the openssl command line, from a message written by hand
 * (docs/portal-api.md#signing):
 *
 *   printf '%s' "$MESSAGE" | openssl dgst -sha256 -mac HMAC -macopt "key:$SECRET" -binary | base64
 */
import { describe, expect, it } from 'vitest';
import { sign, type SignedParts } from '../../client/auth/signature.ts';

const secret = 'c2VjcmV0LWtleS1vZi10aGUtZGVhbGVyLWxvb2tzLWxpa2UtYmFzZTY0==';
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
		['a GET', parts({ path: '/public/proposals' }), 'tjeXwmqz7zdpm7HzybZTiRUaQTFjXY5EJDn6J0QFeKg='],
		[
			'a GET with a query, which is left out',
			parts({ path: '/public/proposals?PageNumber=1&Statuses=Draft' }),
			'tjeXwmqz7zdpm7HzybZTiRUaQTFjXY5EJDn6J0QFeKg=',
		],
		[
			'a GET with a content type, which is left out',
			parts({ path: '/public/proposals', contentType: 'application/json' }),
			'tjeXwmqz7zdpm7HzybZTiRUaQTFjXY5EJDn6J0QFeKg=',
		],
		[
			'a method in lower case',
			parts({ path: '/public/proposals', method: 'get' }),
			'tjeXwmqz7zdpm7HzybZTiRUaQTFjXY5EJDn6J0QFeKg=',
		],
		[
			'a form POST',
			parts({ method: 'POST', path: '/public/proposals/42', contentType: form }),
			'6ki0gAKHHllVk+KNWwKB+LB7+s24AzChVci12/1J2mA=',
		],
		[
			'a JSON POST',
			parts({
				method: 'POST',
				path: '/public/ai/generate-outline',
				contentType: 'application/json',
			}),
			'cNns7TcFVwf22NUvZB8B0XS+AkDZDcpBqtHOm2sTIn8=',
		],
		[
			'a multipart POST with its boundary, and a query that is left out',
			parts({
				method: 'POST',
				path: '/public/api/proposals/42/ai/content?isMultiChunkUpload=true',
				contentType: 'multipart/form-data; boundary=----Boundary7MA4YWxkTrZu0gW',
			}),
			'JDyjcXESfD5dkuZ9tiOysgar//LWLbjjUWoq15+S8IY=',
		],
		[
			'a DELETE without body',
			parts({ method: 'DELETE', path: '/public/webhook/unsubscribe/7' }),
			'f6QrGCljh7NA/YbDmOwzo3GaogGJCBmlgZa9XhBnVPU=',
		],
		[
			'a DELETE with a form',
			parts({ method: 'DELETE', path: '/public/proposals/42/items', contentType: form }),
			'ss4GqI0RKlddgZtCSQIBwaZjJPyxHXHXtSpq8Maqz9o=',
		],
		[
			'a percent-encoded path, as it is sent',
			parts({ path: '/public/a%20b/%C3%BC/100%25%2F' }),
			'ASbmcJXUxYbnxpp8WeW6B3rbRevZ8+N50EK6lbfycs0=',
		],
		[
			'the key exchange, without a user key',
			parts({ path: '/authenticate/apikeyexchange?UserName=a&Password=b', userKey: '' }),
			'udQZAOTkxrwqldxTkvVueID0LtgBYucfkwDggLuCHTs=',
		],
		[
			'a host with a port',
			{ ...parts({ path: '/' }), url: new URL('http://127.0.0.1:4010/public/proposals') },
			'RdwQ59AsT5UEBKL+Ak/+FhbK+ky9GK2a0/YPeCLtPC8=',
		],
	])('of %s', (_case, signed, expected) => {
		expect(sign(signed, secret)).toBe(expected);
	});

	it('takes the secret as it stands, although it looks like Base64', () => {
		// The same message under the decoded secret.
		expect(sign(parts({ path: '/public/proposals' }), secret)).not.toBe(
			'rVlYLn67OaZrBs0S44KFPVcoTautPv+yzIxsx5JrbT8=',
		);
	});
});
