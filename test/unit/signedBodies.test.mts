/** What a signed request is sent with: address, headers and body, each fixed before it is signed. */
import { describe, expect, it, vi } from 'vitest';
import { signableForm } from '../../client/signableForm.ts';
import { signRequest, type OutgoingRequest, type Signer } from '../../client/signRequest.ts';

const FORM = 'application/x-www-form-urlencoded';
const account: Signer = {
	baseUrl: 'https://api.portal.io',
	appKey: 'app',
	secretKey: 'secret',
	userApiKey: 'user',
};
const post = (request: OutgoingRequest) =>
	signRequest(account, { method: 'POST', url: '/public/x', ...request });
const headersOf = (request: OutgoingRequest) => request.headers as Record<string, unknown>;
const typeOf = (request: OutgoingRequest) => headersOf(request)['Content-Type'];
const MULTIPART = /^multipart\/form-data; boundary=n8n-portal-io-[\da-f-]{36}$/;

describe('the address of a signed request', () => {
	const addressOf = (request: OutgoingRequest, baseUrl = account.baseUrl) =>
		signRequest({ ...account, baseUrl }, request).url;

	it.each<[OutgoingRequest, string]>([
		[{ url: '/public/x' }, 'https://api.portal.io/public/x'],
		[{ url: 'public/x' }, 'https://api.portal.io/public/x'],
		[{ url: '///public/x' }, 'https://api.portal.io/public/x'],
		[{}, 'https://api.portal.io/'],
		[{ url: '/public/x#part' }, 'https://api.portal.io/public/x'],
		[{ url: 'HTTPS://API.portal.io/x' }, 'https://api.portal.io/x'],
		[
			{ url: '/x?to=https://other.example.com/' },
			'https://api.portal.io/x?to=https://other.example.com/',
		],
		[{ url: '1https:/x' }, 'https://api.portal.io/1https:/x'],
		[{ url: 'x', baseURL: '' }, 'https://api.portal.io/x'],
		[{ url: 'x', baseURL: 'https://api.portal.io/path//' }, 'https://api.portal.io/path/x'],
		[{ url: 'https://api.portal.io/x', uri: '/y' }, 'https://api.portal.io/x'],
	])('%j goes to %s', (request, address) => expect(addressOf(request)).toBe(address));

	it('goes where it came from', () => {
		const both = signRequest(account, { url: '/x', uri: '/y' });
		expect([both.url, both.uri]).toEqual(['https://api.portal.io/x', '/y']);
		const older = signRequest(account, { uri: '/y' });
		expect([older.url, older.uri]).toEqual([undefined, 'https://api.portal.io/y']);
	});

	it('may have a path in the credential', () => {
		expect(addressOf({ url: '/x' }, 'https://proxy.example.com/portal//')).toBe(
			'https://proxy.example.com/portal/x',
		);
	});

	it.each([
		'https://',
		'https://user@api.portal.io/x',
		'https://:word@api.portal.io/x',
		'h1+a.b-c:rest of it',
	])('is not signed as %s', (url) => {
		const message = url.startsWith('h1') ? /does not sign requests to/ : /cannot be signed/;
		expect(() => addressOf({ url })).toThrow(message);
	});

	it('of another host is refused, with what to do', () => {
		const attempt = () => addressOf({ url: 'https://evil.example.com/x?key=1' });
		const description = "Change the URL of the request, or the 'Environment' of the credential";
		expect(attempt).toThrow(
			expect.objectContaining({
				message:
					'This credential is for https://api.portal.io and does not sign requests to https://evil.example.com',
				description,
			}),
		);
	});
});

describe('the headers of a signed request', () => {
	it.each([
		'accept',
		'content-type',
		'x-mss-api-appid',
		'x-mss-api-userkey',
		'x-mss-custom-date',
		'x-mss-signature',
	])('replace %s, however it was written', (name) => {
		for (const own of [name, name.toUpperCase()]) {
			const headers = headersOf(
				signRequest(account, { url: '/x', headers: { [own]: 'their own', 'X-Other': '1' } }),
			);
			expect(headers['X-Other']).toBe('1');
			expect(Object.values(headers)).not.toContain('their own');
			expect(Object.keys(headers)).toHaveLength(6);
		}
	});

	it('name no type for a GET, which is the method unless another is given', () => {
		const request = signRequest(account, { url: '/x', headers: { 'Content-Type': 'text/plain' } });
		expect(request.method).toBe('GET');
		expect(typeOf(request)).toBeUndefined();
		expect(post({ method: 'post' as never, body: { a: 1 } })).toMatchObject({
			method: 'POST',
			body: '{"a":1}',
		});
	});

	it('hold the time of the signature', () => {
		vi.useFakeTimers({ now: Date.parse('2026-04-06T00:22:19Z') });
		const headers = headersOf(signRequest(account, { url: '/x' }));
		vi.useRealTimers();
		expect(headers).toMatchObject({
			Accept: 'application/json',
			'X-MSS-API-APPID': 'app',
			'X-MSS-API-USERKEY': 'user',
			'X-MSS-CUSTOM-DATE': 'Mon, 06 Apr 2026 00:22:19 GMT',
		});
	});

	it('are signed with the bytes of the characters of the secret key', () => {
		const signer = { ...account, secretKey: 'éz' };
		const date = 'Mon, 06 Apr 2026 00:22:19 GMT';
		const headers = headersOf(signRequest(signer, { url: '/x' }, new Date(date)));
		// printf '%s' "GEThttps://api.portal.io/x${date}user" |
		//   openssl dgst -sha256 -mac HMAC -macopt hexkey:e97a -binary | base64
		expect(headers['X-MSS-SIGNATURE']).toBe('T23hzG+lIIbZOqHLyuB0HcyMcu8IarhWCE0aDRKMbKY=');
	});

	it('are the only ones that tell of a redirect: none is followed', () => {
		expect(post({})).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
			maxRedirects: 0,
		});
	});
});

describe('the body of a signed request', () => {
	const date = new Date(0);
	const bytes = Buffer.from('bytes');
	const bare = Object.assign(Object.create(null), { a: 1 });
	const typed = (type: unknown) => ({ headers: { 'content-TYPE': type } as never });

	it.each<[string, OutgoingRequest, string | undefined, unknown]>([
		['an object', { body: { a: 1 } }, 'application/json', '{"a":1}'],
		['a list', { body: [1, 2] as never }, 'application/json', '[1,2]'],
		[
			'an object under a type beside another header',
			{ body: { a: 1 }, headers: { 'X-Other': '1', 'Content-Type': 'text/x' } },
			'text/x',
			'{"a":1}',
		],
		['an object under a type', { body: { a: 1 }, ...typed('text/x') }, 'text/x', '{"a":1}'],
		[
			'an object under no type',
			{ body: { a: 1 }, ...typed(undefined) },
			'application/json',
			'{"a":1}',
		],
		['an object for a form', { body: { a: 1 }, ...typed(FORM) }, FORM, 'a=1'],
		[
			'an object for a form in other letters',
			{ body: { a: 1 }, ...typed(`${FORM.toUpperCase()}; charset=UTF-8`) },
			`${FORM.toUpperCase()}; charset=UTF-8`,
			'a=1',
		],
		[
			'an object for what is only about forms',
			{ body: { a: 1 }, ...typed(`text/x ${FORM}`) },
			`text/x ${FORM}`,
			'{"a":1}',
		],
		['search parameters', { body: new URLSearchParams({ a: 'b c' }) }, FORM, 'a=b+c'],
		['the fields of a form', { form: { a: [1, 2] } }, FORM, 'a=1&a=2'],
		['the text of a form', { form: 'a=1', ...typed('text/x') }, FORM, 'a=1'],
		['text', { body: 'a=1' }, FORM, 'a=1'],
		['text under a type', { body: '<a/>', ...typed('text/xml') }, 'text/xml', '<a/>'],
		['bytes', { body: bytes }, FORM, bytes],
		['bytes under a type', { body: bytes, ...typed('image/png') }, 'image/png', bytes],
		['something of a class', { body: date as never, ...typed('text/x') }, 'text/x', date],
		['something without a class', { body: bare as never, ...typed('text/x') }, 'text/x', bare],
		['null', { body: null as never }, FORM, null],
		['nothing', {}, FORM, undefined],
		['nothing, to delete', { method: 'DELETE' }, undefined, undefined],
		['an empty text, to delete', { method: 'DELETE', body: '' }, undefined, ''],
		['text, to delete', { method: 'DELETE', body: 'a=1' }, FORM, 'a=1'],
		['a form, to delete', { method: 'DELETE', form: { a: 1 } }, FORM, 'a=1'],
		['a type alone, to delete', { method: 'DELETE', ...typed('text/x') }, 'text/x', undefined],
	])('%s', (_what, given, type, body) => {
		const request = post(given);
		expect(typeOf(request)).toBe(type);
		expect(request.body).toBe(body);
		expect(request).not.toHaveProperty('form');
	});
});

describe('a multipart body', () => {
	const formOf = (formData: unknown) => {
		const request = post({ formData });
		return { request, form: request.formData as unknown as FormData & { contentType: string } };
	};
	const file = async (entry: unknown) => {
		const { name, type } = entry as File;
		return [name, type, await (entry as File).text()];
	};

	it('has the boundary that is signed, and keeps it when it is signed again', () => {
		const { request, form } = formOf({ a: 1 });
		expect(typeOf(request)).toMatch(MULTIPART);
		expect(typeOf(request)).toBe(form.contentType);
		const again = post(request);
		expect(again.formData).toBe(form);
		expect(typeOf(again)).toBe(typeOf(request));
		expect(typeOf(formOf({ a: 1 }).request)).not.toBe(typeOf(request));
	});

	it('looks to n8n like the one that it would have made', () => {
		const form = formOf({ a: 1 }).form as unknown as {
			contentType: string;
			getHeaders(): object;
			getLength(answer: (...values: unknown[]) => void): void;
		};
		expect(form.getHeaders()).toEqual({ 'Content-Type': form.contentType });
		const answer = vi.fn();
		form.getLength(answer);
		expect(answer.mock.calls).toEqual([[null, undefined]]);
	});

	it('holds fields, lists, objects and files', async () => {
		const { form } = formOf({
			text: 'a b',
			number: 5,
			empty: null,
			list: ['one', 2],
			object: { a: 1 },
			bytes: Buffer.from('some bytes'),
			blob: new Blob(['a blob'], { type: 'text/x' }),
			file: {
				value: Buffer.from('a file'),
				options: { filename: 'notes.txt', contentType: 'text/plain' },
			},
			unnamed: { value: Buffer.from('unnamed') },
		});
		const entries = [...form.entries()];
		expect(entries.filter(([, value]) => typeof value === 'string')).toEqual([
			['text', 'a b'],
			['number', '5'],
			['empty', 'null'],
			['list', 'one'],
			['list', '2'],
			['object', '{"a":1}'],
		]);
		expect(await file(form.get('bytes'))).toEqual(['blob', '', 'some bytes']);
		expect(await file(form.get('blob'))).toEqual(['blob', 'text/x', 'a blob']);
		expect(await file(form.get('file'))).toEqual(['notes.txt', 'text/plain', 'a file']);
		expect(await file(form.get('unnamed'))).toEqual(['file', '', 'unnamed']);
	});

	it('may come as a standard form', () => {
		const given = new FormData();
		given.append('a', '1');
		given.append('a', '2');
		const request = post({ body: given });
		expect(typeOf(request)).toMatch(MULTIPART);
		expect([...(request.body as FormData).entries()]).toEqual([
			['a', '1'],
			['a', '2'],
		]);
		expect(request).not.toHaveProperty('formData');
	});

	it('of the form-data package keeps its own boundary', () => {
		const contentType = 'multipart/form-data; boundary=its-own';
		const given = { getHeaders: () => ({ 'content-type': contentType }) };
		const { request } = formOf(given);
		expect(typeOf(request)).toBe(contentType);
		expect(request.formData).toBe(given);
		expect(typeOf(formOf({ getHeaders: () => ({}) }).request)).toBeUndefined();
		expect([...formOf({ getHeaders: 'a field' }).form.entries()]).toEqual([
			['getHeaders', 'a field'],
		]);
	});

	it.each(['text', 5, null])('is refused as %j', (form) => {
		expect(() => signableForm(form)).toThrow('The multipart body of the request holds no fields');
	});

	it('with a file that can be sent only once is refused, with what to do', () => {
		expect(() => formOf({ 'a.mp3': { value: { pipe() {} } } })).toThrow(
			expect.objectContaining({
				message: "The file in the field 'a.mp3' cannot be signed from this node",
				description: expect.stringMatching(
					/^n8n sends it as a stream under a boundary that .* Use the Portal\.io node to upload AI/,
				),
			}),
		);
	});
});
