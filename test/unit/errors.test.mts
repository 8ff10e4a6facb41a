/**
 * Which failures are tried again (docs/reliability.md), after how long, and what an account's clock
 * says.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
	backoff,
	classifyFailure,
	PortalError,
	readRetryAfter,
	toFailure,
	type Answer,
	type Failure,
} from '../../client/errors.ts';
import { describeSkew } from '../../client/explain.ts';
import { doubtAbout, type ServiceRequest } from '../../client/request.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-04-06T00:22:19Z') }));
afterEach(() => void vi.useRealTimers());

const classify = (failure: Partial<Failure>) =>
	classifyFailure({ status: '', code: '', ...failure });

type Verdict = ReturnType<typeof classifyFailure>;
const is = (...true_: (keyof Verdict)[]) => ({
	isTransient: true_.includes('isTransient'),
	mayHaveBeenProcessed: true_.includes('mayHaveBeenProcessed'),
	isRateLimited: true_.includes('isRateLimited'),
	isThrottled: true_.includes('isThrottled'),
	retryAfterMs: undefined,
});
const REFUSED = is();
const IN_DOUBT = is('mayHaveBeenProcessed');
const BROKEN = is('isTransient', 'mayHaveBeenProcessed');

describe('a failure', () => {
	it.each([
		['400 401 402 403 404 409 413 301 450', REFUSED],
		['429', is('isTransient', 'isRateLimited', 'isThrottled')],
		['503', is('isTransient', 'mayHaveBeenProcessed', 'isThrottled')],
		['206 408 425 502 504 520 521 522 523 524', BROKEN],
		['500 501 519 525 599', IN_DOUBT],
	])('classifies the statuses %s', (statuses, expected) => {
		for (const status of statuses.split(' '))
			expect(classify({ status }), status).toEqual(expected);
	});

	it.each([
		['ECONNABORTED ECONNRESET EPIPE ERR_NETWORK ETIMEDOUT', BROKEN],
		// Also where nobody has listed the code.
		[
			'HPE_INVALID_CONSTANT Z_DATA_ERROR ERR_CANCELED ERR_SSL_BAD_RECORD_MAC ERR_BAD_RESPONSE',
			IN_DOUBT,
		],
	])('classifies connections that broke with %s', (codes, expected) => {
		for (const code of codes.split(' ')) expect(classify({ code }), code).toEqual(expected);
	});

	it.each(['empty', 'error', 'foreign', 'large'] as const)(
		'does not retry a success that cannot be used (%s), although it is in doubt',
		(unusable) => expect(classify({ unusable })).toEqual(IN_DOUBT),
	);

	it.each([
		...['getaddrinfo EAI_AGAIN', 'connect ECONNREFUSED', 'connect EHOSTUNREACH'],
		...['connect ENETUNREACH', 'connect ETIMEDOUT'],
	])('retries anything after a connection that was never made (%s)', (failed) => {
		const [syscall, code] = failed.split(' ');
		const failure = toFailure({ cause: { code, syscall } });
		expect(classifyFailure(failure)).toEqual(is('isTransient'));
		// A host with two addresses.
		const several = { code, errors: [{ code, syscall }, {}] };
		expect(classifyFailure(toFailure({ cause: several }))).toEqual(is('isTransient'));
		// On an established connection, the same code says nothing.
		expect(classifyFailure(toFailure({ code, syscall: 'read' }))).toEqual(BROKEN);
	});

	it.each([
		...['ENOTFOUND', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
		...[
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'SELF_SIGNED_CERT_IN_CHAIN',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		],
	])('does not retry after a failure before the request that will last (%s)', (code) => {
		const syscall = code === 'ENOTFOUND' ? 'getaddrinfo' : undefined;
		expect(classifyFailure(toFailure({ code, syscall }))).toEqual(REFUSED);
	});

	it.each<[Partial<Answer> | undefined, Partial<Verdict>]>([
		[undefined, { isTransient: false }],
		[{ status: '403' }, { isTransient: false }],
		[{ status: '503' }, { isTransient: true, isThrottled: true }],
		[{ code: 'ECONNRESET' }, { isTransient: true }],
		[{ status: '429', retryAfterMs: 7000 }, { retryAfterMs: 7000 }],
	])(
		'classifies a failed login (%j) as a read that fails, with nothing sent',
		(login, expected) => {
			const facts = { status: '', login: login && { status: '', code: '', ...login } };
			const credential = new PortalError('The login failed', { facts });
			expect(classifyFailure(toFailure({ cause: credential }))).toMatchObject({
				mayHaveBeenProcessed: false,
				...expected,
			});
		},
	);
});

describe('the header Retry-After', () => {
	it.each<[unknown, number | undefined]>([
		['0', 0],
		[' 12 ', 12_000],
		['60.5', 60_500],
		['86400', 86_400_000],
		[' Mon, 06 Apr 2026 00:22:49 GMT ', 30_000],
		['Mon, 06 Apr 2026 00:22:00 GMT', 0],
		// In half a minute, and a minute ago.
		['1775434969', 30_000],
		['1775434969000', 30_000],
		['1775434879', 0],
		// More than a day.
		['86401', undefined],
		['1775521340', undefined],
		['1775521340000', undefined],
		['Tue, 07 Apr 2026 00:22:20 GMT', undefined],
		['9'.repeat(400), undefined],
		['-5', undefined],
		['1e3', undefined],
		['soon', undefined],
		['7 s', undefined],
		['', undefined],
		[undefined, undefined],
		[['7'], undefined],
	])('reads the header Retry-After %j as %j ms', (header, wanted) =>
		expect(readRetryAfter(header)).toBe(wanted),
	);

	it('counts a point in time by the clock of the service', () => {
		expect(readRetryAfter('Mon, 06 Apr 2026 01:22:49 GMT', 3600_000)).toBe(30_000);
	});
});

it.each<[attempts: number, jitter: number, retryAfter: number | undefined, ms: number | undefined]>(
	[
		[1, 0, undefined, 200],
		[1, 0.5, undefined, 400],
		[1, 1, undefined, 600],
		[2, 0.5, undefined, 800],
		[4, 1, undefined, 4800],
		// Two minutes at most.
		[9, 0.5, undefined, 102_400],
		[10, 0.5, undefined, 120_000],
		// At least as long as the service asks for, up to two minutes.
		[1, 0.5, 0, 400],
		[1, 0, 5000, 5200],
		[3, 0.5, 120_000, 121_600],
		[1, 0.5, 120_001, undefined],
	],
)('waits after %i attempts with the jitter %d and Retry-After %s for %s ms', (...row) => {
	const [attempts, jitter, retryAfter, ms] = row;
	expect(backoff(attempts, retryAfter, jitter)).toBe(ms);
});

it.each<[Partial<ServiceRequest>, string]>([
	[{ method: 'POST' }, ' Check in Portal.io before you run the step again'],
	[{ method: 'POST', isRepeatable: true }, ' You can safely run the step again.'],
	[{ method: 'DELETE' }, ' You can safely run the step again.'],
	[{ method: 'POST', isRepeatable: true, followsCreation: true }, ''],
])('says of %j what to do after a doubt', (request, advice) => {
	const said = doubtAbout({ method: 'POST', path: '/x', ...request });
	expect(said).toContain(`Portal.io may have processed the request.${advice}`);
	expect(said.length > 41).toBe(advice !== '');
});

it.each([
	[59_000, ''],
	[60_000, 'about 1 minute behind'],
	[-660_000, 'about 11 minutes ahead of'],
	[119 * 60_000, 'about 119 minutes behind'],
	[-120 * 60_000, 'about 2 hours ahead of'],
	[undefined, ''],
])('says what a clock that is %i ms ahead says about that of n8n: "%s"', (leadMs, text) => {
	const sentence =
		text && `The clock of the n8n server is ${text} that of Portal.io. Set it to the correct time.`;
	expect(describeSkew(leadMs)).toBe(sentence);
});
