/** Tests how responses are classified by status, body, and request, and how lists and dates are read. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { toFailure } from '../../client/errors.ts';
import { requireList } from '../../client/responseShape.ts';
import { MAX_RESPONSE_BYTES, sendAndRead } from '../../client/response.ts';
import { markUtc, parseTime } from '../../client/time.ts';

const outcomeOf = async (method: string, body: unknown, type?: string, statusCode = 200) => {
	const headers = type === undefined ? {} : { 'content-type': type };
	const request = { method: method as 'GET', url: '/x' };
	return await sendAndRead(async () => ({ statusCode, headers, body }), request, 1000);
};
const flaw = (unusable: string, more = {}) => ({ failure: { unusable, ...more } });

describe('JSON', () => {
	const bytes = (...chunks: Array<Buffer | string>) =>
		Readable.from(chunks.map((one) => Buffer.from(one)));

	it.each([
		['GET', { id: 1 }, { id: 1 }],
		['POST', '', ''],
		['POST', null, ''],
		['POST', bytes('null'), null],
		['DELETE', 'Deleted <1> of [2]', 'Deleted <1> of [2]'],
		['POST', { responseStatus: {} }, { responseStatus: {} }],
		// Ignore a byte order mark at the beginning, but keep one in a value.
		['GET', bytes('\uFEFF{"a":', '"\uFEFF"}'), { a: '\uFEFF' }],
		['GET', bytes('{"a":"\uFEFF"}'), { a: '\uFEFF' }],
	])("accepts a response to a %s as Portal.io's: %j", async (method, body, data) =>
		expect(await outcomeOf(method, body)).toEqual({ data }),
	);

	it.each([
		['GET', '', undefined, 'empty'],
		['GET', undefined, undefined, 'empty'],
		['GET', bytes('null'), undefined, 'empty'],
		['GET', 'It was read', 'text/plain', 'notFromApi'],
		['POST', 'Sign in', 'text/html; charset=utf-8', 'notFromApi'],
		['POST', '"a text', 'application/json', 'notFromApi'],
		['POST', '<p>', 'text/plain', 'notFromApi'],
		['POST', '\n  {"id": ', 'text/plain', 'notFromApi'],
		['POST', 5, undefined, 'notFromApi'],
		['POST', bytes('false'), 'application/json', 'notFromApi'],
		['GET', bytes('true'), 'application/json', 'notFromApi'],
		['GET', bytes('"OK"'), 'application/json', 'notFromApi'],
	])('rejects an empty or foreign response to a %s: %j of type %s', async (...given) => {
		const [method, body, type, unusable] = given;
		expect(await outcomeOf(method, body, type)).toEqual(flaw(unusable));
	});

	it.each([
		['true', true],
		['"OK"', 'OK'],
		['OK', 'OK'],
	])(
		'accepts %s as the acknowledgment of a change, even if its content type is JSON',
		async (text, data) =>
			expect(await outcomeOf('POST', bytes(text), 'application/json')).toMatchObject({ data }),
	);

	it('treats a successful response that contains an error as a failure', async () => {
		const data = { responseStatus: { errorCode: 'Odd' } };
		expect(await outcomeOf('POST', data)).toEqual(flaw('error', { data }));
	});
});

describe('failures', () => {
	it.each([
		[199, 'failure'],
		[200, 'success'],
		[206, 'failure'],
		[299, 'success'],
		[300, 'failure'],
	])('treats a response with status %i as a %s', async (status, result) => {
		const data = { id: 1 };
		const failure = { status: String(status), data };
		const outcome = await outcomeOf('GET', data, undefined, status);
		expect(outcome).toEqual(result === 'success' ? { data } : { failure });
	});

	it('discards a body that is larger than the limit', async () => {
		const part = Buffer.alloc(MAX_RESPONSE_BYTES / 64, ' ');
		// Reuse one buffer, because separate copies would take most of the test's time.
		const most = [Buffer.from(`{"id":1}${part.toString().slice(8)}`), ...Array(63).fill(part)];
		const more = () => Readable.from([...most, Buffer.from(' ')]);
		expect(await outcomeOf('GET', Readable.from(most))).toMatchObject({ data: { id: 1 } });
		expect(await outcomeOf('GET', more())).toEqual(flaw('large'));
		const refusal = await outcomeOf('GET', more(), undefined, 400);
		expect(refusal).toMatchObject({ failure: { status: '400', data: '' } });
	});

	const cause = { code: 'ECONNRESET', cause: { code: 5 } };
	const circular: { cause?: unknown } = {};
	circular.cause = circular;
	it.each([
		['ECONNRESET', 'an error with two causes', { code: 'ERR_BAD_REQUEST', cause }],
		[
			'A',
			'the last of three causes',
			{ cause: { cause: { cause: { code: 'A', cause: { code: 'B' } } } } },
		],
		[undefined, 'an error that is its own cause', circular],
		[undefined, 'null', null],
		[undefined, 'text', 'x'],
		[undefined, 'an error whose cause is null', { cause: null }],
	])('reads the code %s of %s', (code, _, error) =>
		expect(toFailure(error)).toMatchObject({ code }),
	);

	it.each([
		[{ name: 'SsrfBlockedIpError' }, 'ssrf'],
		[{ name: 'NotSsrfBlocked' }, undefined],
		[{ message: 'No allowed domains specified' }, 'domains'],
		[{ message: 'Its settings prevent use within a node' }, 'domains'],
		[{ message: 'The service said: Domain not allowed' }, undefined],
	])('recognizes a request that n8n blocked: %j', (error, blockedBy) =>
		expect(toFailure(error)).toMatchObject({ blockedBy, wasNotSent: blockedBy !== undefined }),
	);
});

describe('lists', () => {
	const records = [{ id: 1 }, { id: 2 }];
	const take = (response: unknown) => requireList(response, 'proposals', 'proposalCount');

	it.each([
		['is a bare array', records],
		['has the documented name', { proposals: records, errors: [] }],
		['has the documented name in another case', { Proposals: records, Errors: [] }],
		['is the only array of the object', { proposalCount: 25, results: records }],
	])('finds a list if it %s', (_where, response) => expect(take(response)).toEqual(records));

	it.each([
		['an empty array', []],
		['an empty list', { proposals: [], proposalCount: 3 }],
		['a count of 0 without a list', { ProposalCount: 0 }],
		['a count of 0 and null', { proposals: null, proposalCount: 0 }],
	])('reads an empty list for %s', (_what, response) => expect(take(response)).toEqual([]));

	it.each([
		[{}, 'an empty object'],
		[{ maintenance: 'until noon', ticket: 'secret' }, "an object with 'maintenance', 'ticket'"],
		[{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, "an object with 'a', 'b', 'c', 'd', 'e'."],
		[{ ['x'.repeat(41)]: 1 }, `an object with '${'x'.repeat(40)}'`],
		[{ proposals: null, proposalCount: 25, errors: [] }, 'an object with'],
		[{ proposals: { 0: { id: 1 } } }, 'an object with'],
		[{ results: records, others: [] }, 'an object with'],
		[{ proposals: [null] }, 'an object with'],
		[{ proposals: [5], proposalCount: 0 }, 'an object with'],
		[{ proposals: [{ id: 1 }, 5] }, 'an object with'],
		[['secret'], 'an array with entries that are not records'],
		['secret', 'a string'],
		['', 'nothing'],
		[null, 'nothing'],
		[0, 'a number'],
	])('describes the unexpected response %j', (response, what) =>
		expect(() => take(response)).toThrow(
			expect.objectContaining({
				message: "Unexpected response: Portal.io did not return the list 'proposals'",
				description: expect.stringContaining(`It returned ${what}`),
			}),
		),
	);
});

describe('dates', () => {
	const SECOND = Date.UTC(2026, 3, 6, 0, 22, 19);

	it.each([
		['2026-04-06T00:22:19Z', SECOND],
		['2026-04-06T00:22:19', SECOND],
		['2026-04-06 00:22:19', SECOND],
		['2026-04-06T02:22:19+02:00', SECOND],
		['2026-04-05T19:52:19-0430', SECOND],
		['2026-04-06T00:22', SECOND - 19_000],
		['2026-04-06T00:22:19.123', SECOND + 123],
		['2026-04-06', Date.UTC(2026, 3, 6)],
		// Use a time that daylight saving time skips in New York.
		['2026-03-08T02:30:00', Date.UTC(2026, 2, 8, 2, 30)],
	])('reads %s in UTC unless it names a time zone', (date, time) =>
		expect(parseTime(date)).toBe(time),
	);

	it.each(['2026-04-06T00:22:19.1234567', '2026-04-06T02:22:19.1234567+02:00'])(
		'parses %s with its seven decimals',
		(date) => expect(parseTime(date)).toBeCloseTo(SECOND + 123.4567, 3),
	);

	it.each([undefined, null, '', 'soon', 5, '04/05/2026', '2026-13-01', '0001-01-01', '1970-01-01'])(
		'reads a date as missing when it is %s',
		(date) => expect(parseTime(date)).toBeUndefined(),
	);

	const date = '2026-04-06T00:22:19.1234567';

	it('marks dates without a time zone as UTC', () => {
		const json = JSON.stringify({
			a: 1,
			createdDate: date,
			due: { date },
			all: [{ dueDate: date }],
		});
		expect(markUtc(json)).toBe(json.replaceAll(date, `${date}Z`));
	});

	it.each([
		[{ createdDate: `${date}Z` }],
		[{ createdDate: `${date}+02:00` }],
		[{ createdDate: null }],
		[{ clientNote: date }],
		[{ clientNote: `{"createdDate":"${date}"}` }],
	])('returns the dates in %j unchanged', (record) => {
		const json = JSON.stringify(record);
		expect(markUtc(json)).toBe(json);
	});
});
