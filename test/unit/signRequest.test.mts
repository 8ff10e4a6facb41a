/** Expected signatures: openssl, as in signature.test.mts. */
import { describe, expect, it } from 'vitest';
import { signRequest, type OutgoingRequest, type Signer } from '../../client/signRequest.ts';
import { hmac, vector } from '../vectors/hmac.mts';

const secretKey = 'c2VjcmV0LWtleS1vZi10aGUtZGVhbGVyLWxvb2tzLWxpa2UtYmFzZTY0==';
const userApiKey = 'mZ0s1v3nqk8b2C4d6E8f0G1h2J3k4L5m6N7p8Q9r0S0=';
const date = 'Mon, 06 Apr 2026 00:22:19 GMT';
const account: Signer = {
	baseUrl: 'https://api.portal.io',
	appKey: '3F2504E0-4F89-11D3-9A0C-0305E82C3301',
	secretKey,
	userApiKey,
};
const signed = (request: OutgoingRequest) => signRequest(account, request, new Date(date));
const header = (request: OutgoingRequest, name: string) =>
	(request.headers as Record<string, unknown>)[name];

/** The vectors of a POST to proposal 42. */
const ofType: Record<string, string> = {
	'application/x-www-form-urlencoded': 'a form POST',
	'application/json': 'a JSON POST to a proposal',
	'text/xml': 'a POST of XML',
};

describe('a request of this package', () => {
	it('gets the five headers and its absolute address', () => {
		const request = signed({ method: 'GET', url: '/public/proposals?PageNumber=1' });
		expect(request).toMatchObject({
			url: 'https://api.portal.io/public/proposals?PageNumber=1',
			disableFollowRedirect: true,
			headers: {
				Accept: 'application/json',
				'X-MSS-API-APPID': '3F2504E0-4F89-11D3-9A0C-0305E82C3301',
				'X-MSS-API-USERKEY': userApiKey,
				'X-MSS-CUSTOM-DATE': date,
				'X-MSS-SIGNATURE': vector('a GET').result,
			},
		});
	});

	it('is left as it was: the copy alone carries keys', () => {
		const original = {
			method: 'POST',
			uri: 'https://api.portal.io/public/x',
			form: { a: 1 },
			headers: {},
		} as const;
		signed(original);
		expect(original).toEqual({
			method: 'POST',
			uri: 'https://api.portal.io/public/x',
			form: { a: 1 },
			headers: {},
		});
	});

	it('is signed anew, and not twice, when n8n sends it again with a new key', () => {
		const first = signed({ method: 'GET', url: '/public/proposals' });
		const again = signRequest(
			{ ...account, userApiKey: 'another key' },
			first,
			new Date('Mon, 06 Apr 2026 00:30:00 GMT'),
		);
		expect(Object.keys(again.headers ?? {})).toHaveLength(5);
		expect(header(again, 'X-MSS-SIGNATURE')).toBe(vector('a GET with another user key').result);
	});

	it('takes a base URL with a path and the base URL of a credential test', () => {
		const behindProxy = { ...account, baseUrl: 'https://proxy.example.com/portal' };
		expect(signRequest(behindProxy, { url: '/public/proposals' }).url).toBe(
			'https://proxy.example.com/portal/public/proposals',
		);
		const tested = signed({ baseURL: 'https://api.portal.io/', url: '/public/proposals' });
		expect(tested.url).toBe('https://api.portal.io/public/proposals');
		expect(tested).not.toHaveProperty('baseURL');
	});
});

describe('a request of the HTTP Request node', () => {
	it('keeps `uri` and follows no redirect', () => {
		const request = signed({
			method: 'GET',
			uri: 'https://api.portal.io/public/proposals',
			followRedirect: true,
			followAllRedirects: true,
			maxRedirects: 21,
		});
		expect(request).toMatchObject({
			uri: 'https://api.portal.io/public/proposals',
			followRedirect: false,
			followAllRedirects: false,
			maxRedirects: 0,
		});
		expect(request).not.toHaveProperty('url');
	});

	it('drops headers that would be sent a second time or change what is signed', () => {
		const request = signed({
			method: 'GET',
			uri: 'https://api.portal.io/public/proposals',
			headers: {
				accept: 'text/html',
				'content-type': 'text/plain',
				'x-mss-signature': 'forged',
				'X-Own': '1',
			},
		});
		expect(Object.keys(request.headers ?? {}).sort()).toEqual([
			'Accept',
			'X-MSS-API-APPID',
			'X-MSS-API-USERKEY',
			'X-MSS-CUSTOM-DATE',
			'X-MSS-SIGNATURE',
			'X-Own',
		]);
	});

	it.each<[string, OutgoingRequest, string, unknown]>([
		[
			'form fields',
			{ form: { Name: 'a b&c', Ids: [1, 2] } },
			'application/x-www-form-urlencoded',
			'Name=a%20b%26c&Ids=1&Ids=2',
		],
		['form text', { form: 'Name=a' }, 'application/x-www-form-urlencoded', 'Name=a'],
		['JSON', { body: { proposalId: 42 } }, 'application/json', '{"proposalId":42}'],
		['a JSON list', { body: [1, 2] }, 'application/json', '[1,2]'],
		['raw text', { body: '<a/>', headers: { 'content-type': 'text/xml' } }, 'text/xml', '<a/>'],
		[
			'an object under the header of a form',
			{ body: { Name: 'x' }, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
			'application/x-www-form-urlencoded',
			'Name=x',
		],
		['nothing', {}, 'application/x-www-form-urlencoded', undefined],
	])('is signed with %s', (_case, body, contentType, sent) => {
		const request = signed({
			method: 'POST',
			uri: 'https://api.portal.io/public/proposals/42',
			...body,
		});
		expect(header(request, 'Content-Type')).toBe(contentType);
		expect(request.body).toBe(sent);
		expect(header(request, 'X-MSS-SIGNATURE')).toBe(vector(ofType[contentType]!).result);
	});

	it('sends a DELETE without body and without content type', () => {
		const request = signed({
			method: 'DELETE',
			uri: 'https://api.portal.io/public/webhook/unsubscribe/7',
		});
		expect(header(request, 'Content-Type')).toBeUndefined();
		expect(header(request, 'X-MSS-SIGNATURE')).toBe(vector('a DELETE without body').result);
	});

	it('signs the boundary of a multipart form', () => {
		const request = signed({
			method: 'POST',
			uri: 'https://api.portal.io/public/api/proposals/42/ai/content',
			formData: {
				name: 'Notes',
				'notes.txt': { value: Buffer.from('hello'), options: { filename: 'notes.txt' } },
			},
		});
		const contentType = String(header(request, 'Content-Type'));
		expect(contentType).toMatch(/^multipart\/form-data; boundary=[-\w]{10,70}$/);
		const message = `POSThttps://api.portal.io/public/api/proposals/42/ai/content${contentType}${date}${userApiKey}`;
		expect(header(request, 'X-MSS-SIGNATURE')).toBe(hmac(secretKey, message).toString('base64'));
	});

	it('refuses a multipart file that is a stream, and says why', () => {
		const formData = { 'a.mp3': { value: { pipe() {} }, options: { filename: 'a.mp3' } } };
		const uri = 'https://api.portal.io/public/api/proposals/42/ai/content';
		expect(() => signed({ method: 'POST', uri, formData })).toThrow(
			"The file in the field 'a.mp3' cannot be signed from this node",
		);
	});

	it.each([
		'https://evil.example.com/public/proposals',
		'http://api.portal.io/public/proposals',
		'https://api.portal.io:8443/public/proposals',
		'https://user:pass@api.portal.io/public/proposals',
		'https://api.portal.io.evil.example.com/',
		'//evil.example.com/public',
		'file:///etc/passwd',
	])('is not signed for %s', (uri) => {
		const attempt = () => signed({ method: 'GET', uri });
		if (uri.startsWith('//')) expect(attempt().uri).toMatch(/^https:\/\/api\.portal\.io\//);
		else expect(attempt).toThrow(/does not sign requests to|cannot be signed/);
	});
});
