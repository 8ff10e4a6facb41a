/** Which failures are tried again (docs/reliability.md), and after how long. */
import { describe, expect, it } from 'vitest';
import { CredentialError } from '../../client/account.ts';
import type { Failure } from '../../client/response.ts';
import { doubtAbout, type ServiceRequest } from '../../client/request.ts';
import { backoff, classifyFailure } from '../../client/retry.ts';

const NOW = Date.parse('2026-04-06T00:22:19Z');
const classify = (failure: Partial<Failure>) =>
	classifyFailure({ status: '', code: '', headers: {}, ...failure }, NOW);
const waits = (header: unknown) => classify({ headers: { 'retry-after': header } }).retryAfter;

const is = (...true_: (keyof ReturnType<typeof classifyFailure>)[]) => ({
	isTransient: true_.includes('isTransient'),
	wasNotProcessed: true_.includes('wasNotProcessed'),
	mayHaveBeenProcessed: true_.includes('mayHaveBeenProcessed'),
	isGateway: true_.includes('isGateway'),
	isRateLimited: true_.includes('isRateLimited'),
	isThrottled: true_.includes('isThrottled'),
	retryAfter: undefined,
});
const FINAL = is();
const NOT_SENT = is('isTransient', 'wasNotProcessed');
const UNCERTAIN = is('isTransient', 'mayHaveBeenProcessed');
const UNREADABLE = is('mayHaveBeenProcessed');

describe('a failure', () => {
	it.each(['400', '401', '402', '403', '404', '409', '413', '301', '450'])(
		'takes status %s as final',
		(status) => expect(classify({ status })).toEqual(FINAL),
	);

	it('takes status 429 as not processed', () => {
		expect(classify({ status: '429' })).toEqual(
			is('isTransient', 'wasNotProcessed', 'isRateLimited', 'isThrottled'),
		);
	});

	it('slows down at status 503 too, and takes it as uncertain', () => {
		expect(classify({ status: '503' })).toEqual(
			is('isTransient', 'mayHaveBeenProcessed', 'isGateway', 'isThrottled'),
		);
	});

	it.each(['408', '425', '502', '504', '520', '521', '522', '523', '524'])(
		'takes status %s, of a gateway, as uncertain',
		(status) =>
			expect(classify({ status })).toEqual(is('isTransient', 'mayHaveBeenProcessed', 'isGateway')),
	);

	it.each<
		[Partial<CredentialError['login']> | undefined, Partial<ReturnType<typeof classifyFailure>>]
	>([
		[undefined, { isTransient: false }],
		[{ status: '403' }, { isTransient: false }],
		[{ status: '503' }, { isTransient: true, isThrottled: true }],
		[{ code: 'ECONNRESET' }, { isTransient: true }],
		[{ status: '429', headers: { 'retry-after': '7' } }, { retryAfter: 7000 }],
	])('takes a failed login (%j) as any read that fails, with nothing sent', (login, expected) => {
		const credential = new CredentialError('The login failed');
		if (login) credential.login = { status: '', code: '', headers: {}, ...login };
		expect(classify({ credential })).toMatchObject({
			wasNotProcessed: true,
			mayHaveBeenProcessed: false,
			...expected,
		});
	});

	it.each(['500', '501', '519', '525', '599'])(
		'does not retry status %s, though uncertain',
		(status) => expect(classify({ status })).toEqual(UNREADABLE),
	);

	it.each(['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'])(
		'takes a connection that was never made (%s) as not processed',
		(code) => expect(classify({ code })).toEqual(NOT_SENT),
	);

	it.each(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_NETWORK', 'ETIMEDOUT'])(
		'takes a connection that broke (%s) as uncertain',
		(code) => expect(classify({ code })).toEqual(UNCERTAIN),
	);

	it.each([
		'HPE_INVALID_CONSTANT',
		'Z_DATA_ERROR',
		'ERR_STREAM_PREMATURE_CLOSE',
		'ERR_CANCELED',
		'ERR_BAD_RESPONSE',
	])('does not retry a response that could not be read (%s), though uncertain', (code) =>
		expect(classify({ code })).toEqual(UNREADABLE),
	);

	it.each([
		'',
		'ENOTFOUND',
		'CERT_HAS_EXPIRED',
		'X_HPE_',
		'X_Z_',
		'ERR_CANCELED_NOT',
		'ERR_BAD_RESPONSES',
		'X_ERR_STREAM_',
	])('takes a failure of another kind (%s) as final', (code) =>
		expect(classify({ code })).toEqual(FINAL),
	);

	it.each(['empty', 'error', 'foreign', 'large'] as const)(
		'does not retry a success that cannot be used (%s), though uncertain',
		(unusable) => expect(classify({ unusable })).toEqual(UNREADABLE),
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
