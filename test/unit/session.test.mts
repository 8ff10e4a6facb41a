/**
 * Tests a session's requests: time limits, waits between attempts, and the effect of a stopped execution. For keys, see
 * userApiKeys.test.mts; for the rate limit, rateLimit.test.mts.
 */
import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pause } from '../../client/concurrency.ts';
import { openSession } from '../../client/session.ts';
import { sendUpload } from '../../client/upload.ts';
import { sessionsOver } from './playedSession.mts';
import { ok, outcomeOf, request, runPromises } from './timedRequests.mts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const badGateway = { statusCode: 502, headers: {}, body: '' };

describe('time limits', () => {
	it('limits a request, including its response, to five minutes', async () => {
		const controller = new AbortController();
		const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
		const body = new PassThrough();
		const { open, asked } = sessionsOver(() => ({ ...ok, body }));
		const outcome = open()
			.send(request)
			.catch((error: Error) => error);
		await runPromises();
		expect([limit.mock.calls, asked[0]!.timeout]).toEqual([[[300_000]], 300_000]);
		controller.abort();
		expect(await outcome).toMatchObject({ description: expect.stringContaining('ETIMEDOUT') });
		body.on('error', () => {}).write('{');
		await new Promise((resolve) => void body.on('close', resolve));
		expect(body.destroyed).toBe(true);
	});

	it('extends the limit of an upload by a second for each 64 KiB', async () => {
		const { open, asked } = sessionsOver(() => ok);
		const bytes = 1024 * 1024;
		const form = { fields: {}, files: [{ name: 'walk.txt', bytes }] };
		const file = { form, open: async () => Buffer.alloc(bytes), check: async () => {} };
		await sendUpload(open(), { request: { method: 'POST', path: '/x' }, ...file });
		// Five minutes, a second for each 64 KiB of the file, and a second for the form around it.
		expect(asked[0]!.timeout).toBe(300_000 + 16_000 + 1000);
	});

	it("passes on n8n's error about a credential that it cannot read", async () => {
		const context = { getCredentials: async () => await Promise.reject(new Error('It is gone')) };
		await expect(openSession(context as never)).rejects.toThrow(/^It is gone$/);
	});

	it("removes a pause's listener from the execution's abort signal", async () => {
		const stop = new AbortController();
		const waits = [pause(1, stop.signal), pause(60_000, stop.signal)] as const;
		await vi.advanceTimersByTimeAsync(1);
		await waits[0];
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
		stop.abort();
		await waits[1];
		await pause(60_000, stop.signal);
		expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
	});
});

describe('waits', () => {
	/** Sends a request that fails with status 502. Returns the times of the attempts in milliseconds. */
	async function timesOfAttempts(attempts: number): Promise<number[]> {
		const times: number[] = [];
		const start = Date.now();
		const { open } = sessionsOver(() => {
			times.push(Date.now() - start);
			return badGateway;
		});
		await outcomeOf(open({ attempts }).send(request));
		return times;
	}

	it('waits longer before each further attempt', async () => {
		vi.spyOn(Math, 'random').mockReturnValue(0.5);
		// The waits are 400 ms times 1, 2, and 4.
		expect(await timesOfAttempts(4)).toEqual([0, 400, 1200, 2800]);
	});

	it.each([
		// Wait 400 ms times the sum of 0.5 and the random number, so executions do not all retry at the same time.
		[0, 200],
		[0.25, 300],
		[0.75, 500],
	])('uses the random number %d to wait %i ms before a second attempt', async (random, ms) => {
		vi.spyOn(Math, 'random').mockReturnValue(random);
		expect(await timesOfAttempts(2)).toEqual([0, ms]);
	});

	it("measures how far Portal.io's clock is ahead", async () => {
		let headers: object = { date: new Date(Date.now() + 3600_000).toUTCString() };
		const session = sessionsOver(() => ({ ...ok, headers })).open();
		await session.send(request);
		headers = {};
		await session.send(request);
		expect(session.clockLeadMs).toBeGreaterThan(3590_000);
	});
});

describe('a stopped or rejected request', () => {
	it('rejects requests after the execution was stopped', async () => {
		const { open, asked } = sessionsOver(() => ok);
		const session = open({ signal: AbortSignal.abort() });
		session.state.rateLimit.holdRequests({ status: '429' }, 1000);
		await expect(session.send(request)).rejects.toThrow('The execution was stopped');
		expect(asked).toEqual([]);
	});

	it('reports that a change might have been made if a later attempt is rejected', async () => {
		const notFound = { statusCode: 404, headers: {}, body: { errorCode: 'NotFound' } };
		const responses = [badGateway, notFound];
		const { open, asked } = sessionsOver(() => responses.shift()!);
		const change = { ...request, method: 'POST', isRepeatable: true } as const;
		expect(await outcomeOf(open({ attempts: 2 }).send(change))).toMatchObject({
			message: 'No record found with this ID',
			doubt: 'Portal.io might have processed the request. You can safely run the step again.',
		});
		expect(asked).toHaveLength(2);
	});

	it.each([
		[{ method: 'POST', isRepeatable: true }, 'You can safely run the step again.'],
		[
			{ method: 'DELETE' },
			'You can safely run the step again. If the record is then not found, the first run deleted it.',
		],
		[{ method: 'POST' }, 'Check in Portal.io before you run the step again, to avoid duplicates.'],
	] as const)(
		'reports %j as possibly processed if a stop closed its connection',
		async (change, advice) => {
			const stop = new AbortController();
			const { open } = sessionsOver(async () => {
				stop.abort();
				throw Object.assign(new Error(), { code: 'ECONNRESET' });
			});
			const session = open({ attempts: 2, signal: stop.signal });
			await expect(session.send({ ...request, ...change })).rejects.toMatchObject({
				message: 'The execution was stopped',
				description: `Portal.io might have processed the request. ${advice}`,
			});
		},
	);
});
