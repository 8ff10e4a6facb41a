/** What a response of the service is, by its status, its body and what was asked for. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MAX_RESPONSE_BYTES, toFailure, toOutcome } from '../../client/response.ts';

const outcomeOf = async (method: string, body: unknown, type?: string, statusCode = 200) => {
	const headers = type === undefined ? {} : { 'content-type': type };
	return await toOutcome(async () => ({ statusCode, headers, body }), method, 1000);
};
const flaw = (unusable: string, more = {}) => ({
	failure: { status: '', code: '', headers: expect.anything(), unusable, ...more },
});
const bytes = (...chunks: Array<Buffer | string>) =>
	Readable.from(chunks.map((one) => Buffer.from(one)));

describe('a response', () => {
	it.each([
		['GET', { id: 1 }, undefined],
		['POST', '', undefined],
		['DELETE', 'It was deleted', undefined],
	])('takes for what a service returned to a %s: %j', async (method, body, type) =>
		expect(await outcomeOf(method, body, type)).toEqual({ data: body, headers: {} }),
	);

	it.each([
		['GET', '', undefined, 'empty'],
		['GET', 'It was read', 'text/plain', 'foreign'],
		['GET', undefined, undefined, 'empty'],
		['POST', 'Sign in', 'text/html; charset=utf-8', 'foreign'],
		['POST', '"a text', 'application/json', 'foreign'],
		['POST', '<p>', 'text/plain', 'foreign'],
		['POST', '\n  {"id": ', 'text/plain', 'foreign'],
		['POST', 5, undefined, 'foreign'],
	])('does not take for what a service returned to a %s: %j of type %s', async (...given) => {
		const [method, body, type, unusable] = given;
		expect(await outcomeOf(method, body, type)).toEqual(flaw(unusable));
	});

	it('keeps what a successful response says of an error, and else nothing of it', async () => {
		const data = { responseStatus: { errorCode: 'Odd' } };
		expect(await outcomeOf('POST', data)).toEqual(flaw('error', { data }));
	});

	it('reads JSON without the mark of its byte order, and leaves such a mark within it', async () => {
		expect(await outcomeOf('GET', bytes('\uFEFF{"a":', '"\uFEFF"}'))).toMatchObject({
			data: { a: '\uFEFF' },
		});
		expect(await outcomeOf('GET', bytes('{"a":"\uFEFF"}'))).toMatchObject({
			data: { a: '\uFEFF' },
		});
	});

	it.each([
		[199, false],
		[200, true],
		[299, true],
		[206, false],
		[300, false],
	])('takes status %i for a success: %s', async (status, isSuccess) =>
		expect(await outcomeOf('GET', { id: 1 }, undefined, status)).toEqual(
			isSuccess
				? { data: { id: 1 }, headers: {} }
				: { failure: { status: String(status), code: '', headers: {}, data: { id: 1 } } },
		),
	);

	it('takes null for nothing', async () => {
		expect(await outcomeOf('POST', null)).toEqual({ data: '', headers: {} });
		expect(await outcomeOf('POST', bytes('null'))).toEqual({ data: null, headers: {} });
		expect(await outcomeOf('GET', bytes('null'))).toEqual(flaw('empty'));
	});

	it('keeps nothing of a body over its limit, and all of one at it', async () => {
		const part = Buffer.alloc(MAX_RESPONSE_BYTES / 64, ' ');
		// Not copied for each of them, which takes longest.
		const most = [Buffer.from(`{"id":1}${part.toString().slice(8)}`), ...Array(63).fill(part)];
		const more = () => Readable.from([...most, Buffer.from(' ')]);
		expect(await outcomeOf('GET', Readable.from(most))).toMatchObject({ data: { id: 1 } });
		expect(await outcomeOf('GET', more())).toEqual(flaw('large'));
		const refusal = await outcomeOf('GET', more(), undefined, 400);
		expect(refusal).toMatchObject({ failure: { status: '400', data: '' } });
	});
});

it('takes the code of a failed connection from the last cause that has one', () => {
	const cause = { code: 'ECONNRESET', cause: { code: 5 } };
	expect(toFailure({ code: 'ERR_BAD_REQUEST', cause })).toMatchObject({ code: 'ECONNRESET' });
	for (const none of [null, undefined, 'x', {}, { cause: null }])
		expect(toFailure(none)).toMatchObject({ code: '' });
});

it('looks at an error and three causes of it', () => {
	const last = { code: 'ECONNRESET', cause: { code: 'ENOTFOUND' } };
	expect(toFailure({ cause: { cause: { cause: last } } })).toMatchObject({ code: 'ECONNRESET' });
});

it.each([
	[{ name: 'SsrfBlockedIpError' }, 'ssrf'],
	[{ name: 'NotSsrfBlocked' }, undefined],
	[{ message: 'Domain not allowed: this one' }, 'domains'],
	[{ message: 'No allowed domains specified' }, 'domains'],
	[{ message: 'Its settings prevent use within a node' }, 'domains'],
	[{ message: 'The service said: Domain not allowed' }, undefined],
])('tells what n8n refused to send: %j', (error, refusal) =>
	expect(toFailure(error).refusal).toBe(refusal),
);
