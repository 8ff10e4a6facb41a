/** Which failures are tried again (docs/reliability.md), and after how long. */
import { describe, expect, it } from 'vitest';
import {
	backoff,
	classifyFailure,
	PortalError,
	type Answer,
	type Failure,
} from '../../client/errors.ts';
import { toFailure } from '../../client/response.ts';
import { doubtAbout, type ServiceRequest } from '../../client/request.ts';

const NOW = Date.parse('2026-04-06T00:22:19Z');
const classify = (failure: Partial<Failure>) =>
	classifyFailure({ status: '', code: '', headers: {}, ...failure }, NOW);
const waits = (header: unknown) => classify({ headers: { 'retry-after': header } }).retryAfter;

type Verdict = ReturnType<typeof classifyFailure>;
const is = (...true_: (keyof Verdict)[]) => ({
	isTransient: true_.includes('isTransient'),
	mayHaveBeenProcessed: true_.includes('mayHaveBeenProcessed'),
	isRateLimited: true_.includes('isRateLimited'),
	isThrottled: true_.includes('isThrottled'),
	retryAfter: undefined,
});
const REFUSED = is();
const IN_DOUBT = is('mayHaveBeenProcessed');
const BROKEN = is('isTransient', 'mayHaveBeenProcessed');

describe('a failure', () => {
	it.each(['400', '401', '402', '403', '404', '409', '413', '301', '450'])(
		'takes status %s as final and not processed',
		(status) => expect(classify({ status })).toEqual(REFUSED),
	);

	it('takes status 429 as not processed', () => {
		expect(classify({ status: '429' })).toEqual(is('isTransient', 'isRateLimited', 'isThrottled'));
	});

	it('slows down at status 503 too, and takes it as in doubt', () => {
		expect(classify({ status: '503' })).toEqual(
			is('isTransient', 'mayHaveBeenProcessed', 'isThrottled'),
		);
	});

	it.each(['206', '408', '425', '502', '504', '520', '521', '522', '523', '524'])(
		'retries status %s where that is safe, as it is in doubt',
		(status) => expect(classify({ status })).toEqual(BROKEN),
	);

	it.each(['500', '501', '519', '525', '599'])(
		'does not retry status %s, although it is in doubt',
		(status) => expect(classify({ status })).toEqual(IN_DOUBT),
	);

	it.each<[Partial<Answer> | undefined, Partial<Verdict>]>([
		[undefined, { isTransient: false }],
		[{ status: '403' }, { isTransient: false }],
		[{ status: '503' }, { isTransient: true, isThrottled: true }],
		[{ code: 'ECONNRESET' }, { isTransient: true }],
		[{ status: '429', headers: { 'retry-after': '7' } }, { retryAfter: 7000 }],
	])('takes a failed login (%j) as any read that fails, with nothing sent', (login, expected) => {
		const facts = { status: '', login: login && { status: '', code: '', headers: {}, ...login } };
		const credential = new PortalError('The login failed', { facts });
		expect(classifyFailure(toFailure({ cause: credential }), NOW)).toMatchObject({
			mayHaveBeenProcessed: false,
			...expected,
		});
	});

	it.each(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_NETWORK', 'ETIMEDOUT'])(
		'retries a connection that broke (%s) where that is safe, as it is in doubt',
		(code) => expect(classify({ code })).toEqual(BROKEN),
	);

	it.each([
		...['HPE_INVALID_CONSTANT', 'Z_DATA_ERROR', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_CANCELED'],
		...['ERR__ERROR_FORMAT_PADDING_1', 'ZSTD_error_corruption_detected', 'ERR_SSL_BAD_RECORD_MAC'],
		...['ERR_BAD_RESPONSE', 'a code of tomorrow', ''],
	])('takes a failure that nobody has listed (%s) as in doubt', (code) =>
		expect(classify({ code })).toEqual(IN_DOUBT),
	);

	it.each([
		...['getaddrinfo EAI_AGAIN', 'connect ECONNREFUSED', 'connect EHOSTUNREACH'],
		...['connect ENETUNREACH', 'connect ETIMEDOUT'],
	])('retries anything after a connection that was never made (%s)', (failed) => {
		const [syscall, code] = failed.split(' ');
		const failure = toFailure({ cause: { code, syscall } });
		expect(classifyFailure(failure, NOW)).toEqual(is('isTransient'));
		// A host with two addresses.
		const several = { code, errors: [{ code, syscall }, {}] };
		expect(classifyFailure(toFailure({ cause: several }), NOW)).toEqual(is('isTransient'));
		// Of an established connection, the same code says nothing.
		expect(classifyFailure(toFailure({ code, syscall: 'read' }), NOW)).toEqual(BROKEN);
	});

	it.each([
		{ code: 'ENOTFOUND', syscall: 'getaddrinfo' },
		...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(
			(code) => ({ code }),
		),
		...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'].map((code) => ({ code })),
	])('takes what ended before a request as final and not processed: %j', (error) =>
		expect(classifyFailure(toFailure(error), NOW)).toEqual(REFUSED),
	);

	it.each(['empty', 'error', 'foreign', 'large'] as const)(
		'does not retry a success that cannot be used (%s), although it is in doubt',
		(unusable) => expect(classify({ unusable })).toEqual(IN_DOUBT),
	);
});

describe('the header Retry-After', () => {
	it.each<[unknown, number | undefined]>([
		['0', 0],
		['7', 7000],
		[' 12 ', 12_000],
		['Mon, 06 Apr 2026 00:22:49 GMT', 30_000],
		[' Mon, 06 Apr 2026 00:22:49 GMT ', 30_000],
		['Mon, 06 Apr 2026 00:22:00 GMT', 0],
		['60.5', 60_500],
		['86400', 86_400_000],
		// A day and a second, as seconds and as the seconds and milliseconds of a point in time.
		['86401', undefined],
		['1775521340', undefined],
		['1775521340000', undefined],
		['Tue, 07 Apr 2026 00:22:20 GMT', undefined],
		// In half a minute, and a minute ago.
		['1775434969', 30_000],
		['1775434969000', 30_000],
		['1775434879', 0],
		['-5', undefined],
		['1e3', undefined],
		['9'.repeat(400), undefined],
		['soon', undefined],
		['x7', undefined],
		['7 s', undefined],
		['', undefined],
		[undefined, undefined],
		[7, undefined],
		[['7'], undefined],
	])('reads the header Retry-After %j as %j ms', (header, wanted) =>
		expect(waits(header)).toBe(wanted),
	);

	it('counts a point in time by the clock of the service', () => {
		const headers = {
			'retry-after': 'Mon, 06 Apr 2026 01:22:49 GMT',
			date: 'Mon, 06 Apr 2026 01:22:19 GMT',
		};
		expect(classify({ headers }).retryAfter).toBe(30_000);
	});
});

describe('the wait before another attempt', () => {
	const wait = (attempts: number, jitter: number, retryAfter?: number) =>
		backoff(attempts, { ...classify({}), retryAfter }, jitter);

	it.each([
		[1, 0, 200],
		[1, 0.5, 400],
		[1, 1, 600],
		[2, 0.5, 800],
		[3, 0.5, 1600],
		[4, 0, 1600],
		[4, 1, 4800],
	])('waits after %i attempts with the jitter %d for %i ms', (attempts, jitter, ms) => {
		expect(wait(attempts, jitter)).toBe(ms);
	});

	it('waits two minutes at most', () => {
		expect(wait(9, 0.5)).toBe(102_400);
		expect(wait(10, 0.5)).toBe(120_000);
		expect(wait(50, 0)).toBe(120_000);
	});

	it('waits at least as long as the service asks for, up to two minutes', () => {
		expect(wait(1, 0.5, 0)).toBe(400);
		expect(wait(1, 0, 5000)).toBe(5200);
		expect(wait(3, 0.5, 120_000)).toBe(121_600);
		expect(wait(1, 0.5, 120_001)).toBeUndefined();
	});
});

it.each<[Partial<ServiceRequest>, string]>([
	[{ method: 'POST' }, ' Check in Portal.io before you run the step again'],
	[{ method: 'POST', isRepeatable: true }, ' Running the step again does no harm.'],
	[{ method: 'DELETE' }, ' Running the step again does no harm.'],
	[{ method: 'POST', isRepeatable: true, followsCreation: true }, ''],
])('says of %j what to do after a doubt', (request, advice) => {
	const said = doubtAbout({ method: 'POST', path: '/x', ...request });
	const [sentence, more = ''] = said.split(/(?<=request\.)/);
	expect(sentence).toBe('Portal.io may have processed the request.');
	expect(more.slice(0, 30)).toBe(advice.slice(0, 30));
});
