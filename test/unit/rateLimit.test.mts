/** Tests the rate limit of an account, which applies to all of its requests. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RateLimit } from '../../client/rateLimit.ts';
import { sessionsOver } from './playedSession.mts';
import { ok, outcomeOf, request } from './timedRequests.mts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const limited = { status: '429' };

it.each([
	[429, '119', 2],
	// Expect no retry, because the added jitter would make the wait exceed two minutes.
	[429, '120', 1],
	[503, '121', 1],
])(
	'retries only if the wait is at most two minutes: status %i, Retry-After %s, total requests %i',
	async (statusCode, seconds, count) => {
		const response = { statusCode, headers: { 'retry-after': seconds }, body: '' };
		const { open, asked } = sessionsOver(() => response);
		const outcome = await outcomeOf(open({ attempts: 2 }).send(request));
		expect(outcome).toMatchObject({ facts: { status: String(statusCode) } });
		expect(asked).toHaveLength(count);
	},
);

it("holds back waiting requests for the time in the first response's Retry-After header", async () => {
	const times: number[] = [];
	const response = { statusCode: 429, headers: { 'retry-after': '10' }, body: '' };
	const { open } = sessionsOver(() => (times.push(Date.now()) === 1 ? response : ok));
	const session = open();
	session.state.rateLimit.holdRequests(limited, 1000);
	await outcomeOf(Promise.allSettled([1, 2, 3].map(async () => await session.send(request))));
	expect(times).toHaveLength(3);
	expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(10_000);
});

describe('a maintenance page with status 503 and a Retry-After of an hour', () => {
	const minute = 60_000;
	const maintenance = { statusCode: 503, headers: { 'retry-after': '3600' }, body: '' };

	it('pauses the requests of the account for five minutes', async () => {
		let response: object = maintenance;
		const { open, asked } = sessionsOver(() => response);
		await outcomeOf(open().send(request));
		response = ok;
		await vi.advanceTimersByTimeAsync(2 * minute);
		await outcomeOf(open().send(request));
		expect(asked).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(3 * minute + 1000);
		expect(await outcomeOf(open().send(request))).toEqual(ok.body);
	});

	it('explains a blocked request with the failure that started the pause', async () => {
		const { open } = sessionsOver(() => maintenance);
		const failure = await outcomeOf(open().send(request));
		expect(failure).toMatchObject({ message: 'Portal.io could not process the request' });
		expect(await outcomeOf(open().send(request))).toMatchObject({
			message: 'Portal.io could not process the request',
			facts: { status: '503', cause: { cause: 'temporarily-unavailable' } },
		});
	});
});

/** Returns the times at which requests can start, in milliseconds from `start`. */
async function startsOf(rateLimit: RateLimit, count: number, start = Date.now()) {
	const waits = Array.from({ length: count }, async () => await rateLimit.waitForStart());
	return await Promise.all(waits.map(async (wait) => await wait.then(() => Date.now() - start)));
}

it('starts requests that waited for a rate limit 50 ms apart', async () => {
	const rateLimit = new RateLimit();
	rateLimit.holdRequests(limited, 1000);
	// A shorter pause does not end the longer one.
	rateLimit.holdRequests(limited, 10);
	const starts = startsOf(rateLimit, 3);
	await vi.runAllTimersAsync();
	expect(await starts).toEqual([1000, 1050, 1100]);
	expect(await startsOf(rateLimit, 3)).toEqual([0, 0, 0]);
});

it('starts a request that waited for a second pause before those left over from the first', async () => {
	const rateLimit = new RateLimit();
	rateLimit.holdRequests(limited, 1000);
	const waiting = startsOf(rateLimit, 3);
	await vi.advanceTimersByTimeAsync(1020);
	rateLimit.holdRequests(limited, 1000);
	const first = startsOf(rateLimit, 1);
	await vi.runAllTimersAsync();
	expect(await first).toEqual([1000]);
	// The second pause ends at 1020 + 1000 ms, and starts are 50 ms apart.
	expect(await waiting).toEqual([1000, 2070, 2120]);
});

it("ends a rate limit in time even if the n8n server's clock is set back", async () => {
	const rateLimit = new RateLimit();
	rateLimit.holdRequests(limited, 1000);
	await vi.advanceTimersByTimeAsync(1000);
	vi.setSystemTime(Date.now() - 60_000);
	expect(await startsOf(rateLimit, 2)).toEqual([0, 0]);
});
