/** Tests signatures, and the parts of a request that must not change after signing. */
import { describe, expect, it } from 'vitest';
import type { Account } from '../../client/account.ts';
import { signRequest, type OutgoingRequest } from '../../client/signature.ts';
import { hmac, vector } from '../vectors/hmac.mts';

const FORM = 'application/x-www-form-urlencoded';
const DATE = 'Mon, 06 Apr 2026 00:22:19 GMT';
const account = {
	baseUrl: 'https://api.portal.io',
	appKey: '3F2504E0-4F89-11D3-9A0C-0305E82C3301',
	secretKey: vector('a GET').key,
	userApiKey: 'mZ0s1v3nqk8b2C4d6E8f0G1h2J3k4L5m6N7p8Q9r0S0=',
} as Account;
const signed = (request: OutgoingRequest, signer: Partial<Account> = {}) =>
	signRequest({ ...account, ...signer }, request, new Date(DATE));
const post = (request: OutgoingRequest) => signed({ method: 'POST', url: '/public/x', ...request });
const headersOf = (request: OutgoingRequest) => request.headers as Record<string, unknown>;
const typeOf = (request: OutgoingRequest) => headersOf(request)['Content-Type'];
const signatureOf = (request: OutgoingRequest) => headersOf(request)['X-MSS-SIGNATURE'];

const JSON_TYPE = 'application/json';
const BOUNDARY = 'multipart/form-data; boundary=----Boundary7MA4YWxkTrZu0gW';

describe('the signature', () => {
	const CONTENT = '/public/api/proposals/42/ai/content?isMultiChunkUpload=true';
	const EXCHANGE = '/authenticate/apikeyexchange?UserName=a&Password=b';
	const LONG = `/public/${'a'.repeat(2000)}?q=${'b'.repeat(5000)}`;

	// openssl computed each signature from a message that was written by hand (docs/dev/portal-api.md#signing). The
	// message contains neither the query nor, for a GET, the content type.
	it.each<[vector: string, method: string, url: string, contentType?: string, userKey?: string]>([
		['a GET', 'GET', '/public/proposals'],
		['a GET', 'GET', '/public/proposals?PageNumber=1&Statuses=Draft', JSON_TYPE],
		['a form POST', 'POST', '/public/proposals/42', FORM],
		['a JSON POST', 'POST', '/public/ai/generate-outline', JSON_TYPE],
		['a multipart POST', 'POST', CONTENT, BOUNDARY],
		['a DELETE without body', 'DELETE', '/public/webhook/unsubscribe/7'],
		['a DELETE with a form', 'DELETE', '/public/proposals/42/items', FORM],
		['a percent-encoded path', 'GET', '/public/a%20b/%C3%BC/100%25%2F'],
		['the key exchange, without a user key', 'GET', EXCHANGE, '', ''],
		['a GET with another user key', 'GET', '/public/proposals', '', 'another key'],
		['a host with a port', 'GET', 'http://127.0.0.1:4010/public/proposals'],
		['a content type beyond ASCII', 'POST', '/public/proposals/42', 'text/plain; name="Küche ☕"'],
		['a long path', 'GET', LONG],
	])(
		'matches the result of openssl for %s (%s)',
		(about, method, url, contentType = '', userKey) => {
			const { key, result } = vector(about);
			const date = about.endsWith('another user key') ? 'Mon, 06 Apr 2026 00:30:00 GMT' : DATE;
			const { origin } = new URL(url, account.baseUrl);
			const userApiKey = userKey ?? account.userApiKey;
			const signer = { ...account, baseUrl: origin, secretKey: key, userApiKey };
			const request = { method, url, headers: { 'Content-Type': contentType } } as OutgoingRequest;
			expect(signatureOf(signRequest(signer, request, new Date(date)))).toBe(result);
		},
	);

	it('covers the method in upper case, as it is sent', () => {
		const request = signed({ method: 'get' as never, url: '/public/proposals' });
		expect(request.method).toBe('GET');
		expect(signatureOf(request)).toBe(vector('a GET').result);
	});

	it('is computed with the bytes of the secret', () => {
		// printf '%s' "GEThttps://api.portal.io/x${DATE}user" |
		//   openssl dgst -sha256 -mac HMAC -macopt hexkey:e97a -binary | base64
		const request = signed({ url: '/x' }, { secretKey: 'éz', userApiKey: 'user' });
		expect(signatureOf(request)).toBe('T23hzG+lIIbZOqHLyuB0HcyMcu8IarhWCE0aDRKMbKY=');
	});

	it('is computed again when n8n retries the request with a new key', () => {
		const first = signed({ method: 'GET', url: '/public/proposals' });
		const later = new Date('Mon, 06 Apr 2026 00:30:00 GMT');
		const again = signRequest({ ...account, userApiKey: 'another key' }, first, later);
		expect(Object.keys(headersOf(again))).toHaveLength(5);
		expect(signatureOf(again)).toBe(vector('a GET with another user key').result);
	});
});

describe('the URL', () => {
	const addressOf = (request: OutgoingRequest, baseUrl = account.baseUrl) =>
		signed(request, { baseUrl }).url;

	it.each<[OutgoingRequest, address: string, baseUrl?: string]>([
		[{ url: '/x' }, 'https://p.example.com/portal/x', 'https://p.example.com/portal//'],
		[{ url: '/public/x' }, 'https://api.portal.io/public/x'],
		[{ url: 'public/x' }, 'https://api.portal.io/public/x'],
		[{ url: '///public/x' }, 'https://api.portal.io/public/x'],
		[{ url: '//evil.example.com/x' }, 'https://api.portal.io/evil.example.com/x'],
		[{ url: '/public/x?a=1#part' }, 'https://api.portal.io/public/x?a=1'],
		[{ url: 'HTTPS://API.portal.io/x' }, 'https://api.portal.io/x'],
		[{ url: '/x?to=https://a.example.com/' }, 'https://api.portal.io/x?to=https://a.example.com/'],
		[{ url: 'x', baseURL: 'https://api.portal.io/path//' }, 'https://api.portal.io/path/x'],
		[{ url: 'https://api.portal.io/x', uri: '/y' }, 'https://api.portal.io/x'],
	])('resolves the URL %j to %s', (request, address, baseUrl) => {
		expect(addressOf(request, baseUrl)).toBe(address);
		expect(signed(request)).not.toHaveProperty('baseURL');
	});

	it('writes the URL to the field that contained it', () => {
		const { url, uri } = signed({ url: '/x', uri: '/y' });
		expect([url, uri]).toEqual(['https://api.portal.io/x', '/y']);
		// The HTTP Request node uses `uri`.
		expect(signed({ uri: '/y' })).toMatchObject({ uri: 'https://api.portal.io/y' });
		expect(signed({ uri: '/y' })).not.toHaveProperty('url');
	});

	it.each([
		['https://', /cannot be signed/],
		['https://user@api.portal.io/x', /cannot be signed/],
		['https://:word@api.portal.io/x', /cannot be signed/],
		['h1+a.b-c:rest of it', /does not sign requests to/],
		['http://api.portal.io/public/proposals', /does not sign requests to/],
		['https://api.portal.io:8443/public/proposals', /does not sign requests to/],
		['https://api.portal.io.evil.example.com/', /does not sign requests to/],
		['file:///etc/passwd', /does not sign requests to/],
	])('rejects the URL %s', (url, message) => expect(() => addressOf({ url })).toThrow(message));
});

describe('signing a request', () => {
	const simulator = 'http://127.0.0.1:4010';
	it.each<[options: object, isSigned: boolean, baseUrl?: string]>([
		[{ rejectUnauthorized: false, proxy: 'http://proxy.example.com:8080' }, false],
		[{ skipSslCertificateValidation: true }, false],
		[{ agentOptions: { rejectUnauthorized: false } }, false],
		[{ agentOptions: { ca: 'an authority of the editor' } }, false],
		[{ rejectUnauthorized: true, proxy: 'http://proxy.example.com:8080' }, true],
		[{ skipSslCertificateValidation: false, agentOptions: { cert: 'x', key: 'y' } }, true],
		[{ rejectUnauthorized: false }, true, simulator],
	])(
		'requires a certificate check except for a local URL: %j, signed %s',
		(options, isSigned, baseUrl = account.baseUrl) => {
			const sign = () => signed({ uri: '/public/proposals', ...options }, { baseUrl });
			if (isSigned) expect(sign().headers).toHaveProperty('X-MSS-SIGNATURE');
			else expect(sign).toThrow(/that skip the certificate check/);
		},
	);

	it('adds exactly five headers', () => {
		const request = signed({
			url: '/public/proposals?PageNumber=1',
			headers: { 'Content-Type': 'text/plain' },
		});
		expect(request.method).toBe('GET');
		expect(request.headers).toEqual({
			Accept: 'application/json',
			'X-MSS-API-APPID': '3F2504E0-4F89-11D3-9A0C-0305E82C3301',
			'X-MSS-API-USERKEY': account.userApiKey,
			'X-MSS-CUSTOM-DATE': DATE,
			'X-MSS-SIGNATURE': vector('a GET').result,
		});
	});

	it('replaces existing signature headers', () => {
		const names = Object.keys(headersOf(post({})));
		expect(names).toHaveLength(6);
		const kept = [...names.filter((name) => name !== 'Content-Type'), 'X-Other'].sort();
		for (const written of [names, names.map((name) => name.toLowerCase())]) {
			const own = Object.fromEntries(written.map((name) => [name, 'their own']));
			const headers = headersOf(signed({ url: '/x', headers: { ...own, 'X-Other': '1' } }));
			expect(Object.keys(headers).sort()).toEqual(kept);
			expect(Object.values(headers)).not.toContain('their own');
		}
	});

	it('turns off redirects', () => {
		const none = { followRedirect: false, followAllRedirects: false, maxRedirects: 0 };
		const redirects = { followRedirect: true, followAllRedirects: true, maxRedirects: 21 };
		expect(post(redirects)).toMatchObject({ disableFollowRedirect: true, ...none });
	});

	it('leaves the original request unchanged', () => {
		const original: OutgoingRequest = { method: 'POST', uri: '/x', form: { a: 1 }, headers: {} };
		const before = structuredClone(original);
		signed(original);
		expect(original).toEqual(before);
	});

	describe('the body of a signed request', () => {
		const date = new Date(0);
		const bytes = Buffer.from('bytes');
		const bare = Object.assign(Object.create(null), { a: 1 });
		// Simulate a form-data object, which knows the boundary of its body.
		const formData = {
			type: BOUNDARY,
			getHeaders() {
				return { 'content-type': this.type };
			},
		};
		const typed = (type: unknown) => ({
			headers: { 'X-Other': 'y', 'content-TYPE': type } as never,
		});

		const otherLetters = `${FORM.toUpperCase()}; charset=UTF-8`;
		it.each<[OutgoingRequest, string | undefined, unknown]>([
			[{ body: { a: 1 } }, JSON_TYPE, '{"a":1}'],
			[{ body: [1, 2] as never }, JSON_TYPE, '[1,2]'],
			[{ body: { a: 1 }, ...typed('text/x') }, 'text/x', '{"a":1}'],
			[{ body: { a: 1 }, ...typed(undefined) }, JSON_TYPE, '{"a":1}'],
			[{ body: { a: 1 }, ...typed(FORM) }, FORM, 'a=1'],
			[{ body: { a: 1 }, ...typed(otherLetters) }, otherLetters, 'a=1'],
			[{ body: new URLSearchParams({ a: 'b c' }) }, FORM, 'a=b+c'],
			[{ form: { a: [1, 2] } }, FORM, 'a=1&a=2'],
			[{ form: 'a=1', ...typed('text/x') }, FORM, 'a=1'],
			[{ formData }, BOUNDARY, undefined],
			[{ body: 'a=1' }, FORM, 'a=1'],
			[{ body: '<a/>', ...typed('text/xml') }, 'text/xml', '<a/>'],
			[{ body: bytes }, FORM, bytes],
			[{ body: date as never, ...typed('text/x') }, 'text/x', date],
			[{ body: bare as never, ...typed('text/x') }, 'text/x', bare],
			[{}, FORM, undefined],
			[{ method: 'DELETE' }, undefined, undefined],
			[{ method: 'DELETE', body: '' }, undefined, ''],
			[{ method: 'DELETE', body: 'a=1' }, FORM, 'a=1'],
			[{ method: 'DELETE', form: { a: 1 } }, FORM, 'a=1'],
		])('signs %o byte for byte as it is sent', (given, type, body) => {
			const request = post(given);
			expect(typeOf(request)).toBe(type);
			expect(request.body).toBe(body);
			expect(request.formData).toBe(given.formData);
			expect(request).not.toHaveProperty('form');
			const method = given.method === 'DELETE' ? 'DELETE' : 'POST';
			const message = `${method}${request.url}${type ?? ''}${DATE}${account.userApiKey}`;
			expect(signatureOf(request)).toBe(hmac(account.secretKey, message).toString('base64'));
		});
	});

	it.each<[string, object]>([
		['fields of the older HTTP Request node', { formData: { a: 1, file: { value: 'b' } } }],
		['a field with the name getHeaders', { formData: { getHeaders: 'a field' } }],
		['a form that has no content type', { formData: { getHeaders: () => ({}) } }],
		['a FormData object', { body: new FormData() }],
	])('rejects a form whose boundary n8n chooses later: %s', (_, given) => {
		expect(() => post(given)).toThrow(
			expect.objectContaining({
				message: 'This version of the node creates a multipart body that cannot be signed',
				description: expect.stringMatching(/boundary after .* Use version 4\.2 or later/),
			}),
		);
	});
});
