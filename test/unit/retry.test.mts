/** Tests retries (docs/reliability.md) and the advice about a wrong clock. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PortalError, toFailure, type Failure, type ResponseFacts } from '../../client/errors.ts';
import { describeSkew } from '../../client/explain.ts';
import type { ServiceRequest } from '../../client/request.ts';
import {
	backoffMs,
	isThrottled,
	isTransient,
	mayHaveBeenProcessed,
	readRetryAfter,
	shouldRetry,
} from '../../client/retry.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-04-06T00:22:19Z') }));
afterEach(() => void vi.useRealTimers());

const verdictOn = (failure: Failure) =>
	Object.entries({ isTransient, mayHaveBeenProcessed, isThrottled })
		.filter(([, isTrue]) => isTrue(failure))
		.map(([name]) => name);
const IN_DOUBT = ['mayHaveBeenProcessed'];
const BROKEN = ['isTransient', 'mayHaveBeenProcessed'];

it.each([
	['rejected, with nothing done', '400 401 402 403 404 409 413 301 450', []],
	['rejected by a rate limit, and transient', '429', ['isTransient', 'isThrottled']],
	['in doubt, transient, and throttled', '503', [...BROKEN, 'isThrottled']],
	['in doubt and transient', '206 408 425 502 504 520 521 522 523 524', BROKEN],
	['in doubt and not transient', '500 501 519 525 530 599', IN_DOUBT],
])('classifies a failure as %s: status %s', (_, statuses, expected) => {
	for (const status of statuses.split(' ')) expect(verdictOn({ status }), status).toEqual(expected);
});

/** Returns every status in `text`, where '520 to 524' stands for five statuses. */
function statusesIn(text: string): string[] {
	const ranges = [...text.matchAll(/\b(\d{3})(?: to (\d{3}))?\b/g)];
	return ranges.flatMap(([, first, last = first]) =>
		Array.from(
			{ length: Number(last) - Number(first) + 1 },
			(_, step) => `${Number(first) + step}`,
		),
	);
}

it.each([
	['docs/reliability.md', /^The node sends a request up to .*$/m, []],
	// Add 429, which has its own row in the table.
	['docs/dev/faults.md', /; (206.*?), once/, ['429']],
])('retries exactly the statuses that %s lists', (file, listing, listedElsewhere) => {
	const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
	const listed = statusesIn(listing.exec(text)![0]).concat(listedElsewhere);
	const all = Array.from({ length: 500 }, (_, index) => String(index + 100));
	expect(listed.toSorted()).toEqual(all.filter((status) => isTransient({ status })));
});

it.each([
	['in doubt and transient', 'ECONNABORTED ECONNRESET EPIPE ERR_NETWORK ETIMEDOUT', BROKEN],
	// No list in the package contains these codes.
	[
		'in doubt and not transient',
		'HPE_INVALID_CONSTANT Z_DATA_ERROR ERR_CANCELED ERR_SSL_BAD_RECORD_MAC',
		IN_DOUBT,
	],
])('classifies a broken connection as %s: %s', (_, codes, expected) => {
	for (const code of codes.split(' ')) expect(verdictOn({ code }), code).toEqual(expected);
});

it('classifies an unusable success as in doubt and not transient', () =>
	expect(verdictOn({ unusable: 'notFromApi' })).toEqual(IN_DOUBT));

it.each([
	['not sent, and transient', 'getaddrinfo', 'EAI_AGAIN', ['isTransient']],
	[
		'not sent, and transient',
		'connect',
		'ECONNREFUSED EHOSTUNREACH ENETUNREACH ETIMEDOUT',
		['isTransient'],
	],
	// The connection was established, so the request might have been received.
	['in doubt and transient', 'read', 'ETIMEDOUT', BROKEN],
	['not sent', 'getaddrinfo', 'ENOTFOUND', []],
	[
		'not sent',
		undefined,
		'CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		[],
	],
])('classifies a failed system call as %s: %s with %s', (_, syscall, codes, expected) => {
	for (const code of codes.split(' ')) {
		expect(verdictOn(toFailure({ cause: { code, syscall } })), code).toEqual(expected);
		// Simulate the error for a host with two IP addresses.
		const several = { code, errors: [{ code, syscall }, {}] };
		expect(verdictOn(toFailure({ cause: several })), code).toEqual(expected);
	}
});

it.each<[Partial<ResponseFacts> | undefined, string[]]>([
	[undefined, []],
	[{ status: '403' }, []],
	[{ status: '503' }, ['isTransient', 'isThrottled']],
	[{ code: 'ECONNRESET' }, ['isTransient']],
])('classifies a failed login (%j) as a failed read', (login, expected) => {
	const credential = new PortalError('The login failed', { facts: login && { login } });
	expect(verdictOn(toFailure({ cause: credential }))).toEqual(expected);
});

it.each<[unknown, number | undefined, leadMs?: number]>([
	['0', 0],
	[' 12 ', 12_000],
	['60.5', 60_500],
	['86400', 86_400_000],
	[' Mon, 06 Apr 2026 00:22:49 GMT ', 30_000],
	['Tue, 07 Apr 2026 00:22:19 GMT', 86_400_000],
	['Mon, 06 Apr 2026 00:22:00 GMT', 0],
	// The time in the header refers to the service's clock, which is an hour ahead here.
	['Mon, 06 Apr 2026 01:22:49 GMT', 30_000, 3600_000],
	// Unix times: half a minute from now in seconds, the same time in milliseconds, and a minute ago.
	['1775434969', 30_000],
	['1775434969000', 30_000],
	['1775434879', 0],
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
])('reads the header Retry-After %j as %j ms', (header, wanted, leadMs) =>
	expect(readRetryAfter(header, leadMs)).toBe(wanted),
);

it.each<[attempt: number, jitter: number, retryAfterMs: number | undefined, ms: number]>([
	[1, 0, undefined, 200],
	[1, 1, undefined, 600],
	[4, 1, undefined, 4800],
	[9, 0.5, undefined, 102_400],
	[10, 0.5, undefined, 120_000],
	// The wait is added to the Retry-After.
	[1, 0.5, 0, 400],
	[1, 0, 5000, 5200],
	[3, 0.5, 119_000, 120_600],
])('waits, after attempt %i with the jitter %d and Retry-After %s, for %s ms', (...row) => {
	const [attempt, jitter, retryAfterMs, ms] = row;
	expect(backoffMs({ status: '503', retryAfterMs }, attempt, jitter)).toBe(ms);
});

const read = { method: 'GET', path: '/' } as const;
const creation = { method: 'POST', path: '/' } as const;
it.each<[what: string, request: ServiceRequest, failure: Failure, attempt: number, boolean]>([
	['a read that timed out', read, { status: '504' }, 3, true],
	['a read in its last attempt', read, { status: '504' }, 4, false],
	['a rejected read', read, { status: '400' }, 1, false],
	[
		'a read that is to wait under two minutes',
		read,
		{ status: '503', retryAfterMs: 119_999 },
		1,
		true,
	],
	[
		'a read that is to wait for two minutes',
		read,
		{ status: '503', retryAfterMs: 120_000 },
		1,
		false,
	],
	['a creation that timed out', creation, { status: '504' }, 1, false],
	['a creation at a rate limit', creation, { status: '429' }, 1, true],
	['a creation that was not sent', creation, { code: 'ECONNREFUSED', wasNotSent: true }, 1, true],
	['a deletion that timed out', { ...creation, method: 'DELETE' }, { status: '504' }, 1, false],
	[
		'a repeatable change that timed out',
		{ ...creation, isRepeatable: true },
		{ status: '504' },
		1,
		true,
	],
])('retries only if that is safe and in time: %s', (_what, request, failure, attempt, expected) =>
	expect(shouldRetry(request, failure, attempt, 4)).toBe(expected),
);

it.each([
	[59_000, ''],
	[60_000, 'about 1 minute behind'],
	[-660_000, 'about 11 minutes ahead of'],
	[119 * 60_000, 'about 119 minutes behind'],
	[-120 * 60_000, 'about 2 hours ahead of'],
	[undefined, ''],
])('describes a clock that is off by %i ms: "%s"', (leadMs, text) => {
	const sentence =
		text && `The n8n server's clock is ${text} Portal.io's. Set it to the correct time.`;
	expect(describeSkew(leadMs)).toBe(sentence);
});
