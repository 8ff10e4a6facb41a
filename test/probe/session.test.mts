/** How the probe signs, logs in, waits and stops. */
import { describe, expect, it } from 'vitest';
import { checks } from '../../dev/probe/checks/index.mts';
import { exitCodeOf } from '../../dev/probe/report.mts';
import { operations } from '../../dev/simulator/openapi.mts';
import { endpointIn, growth, operationsWith, run, send, standingClock } from './running.mts';

const needAi = checks.filter((one) => one.needsAi);

describe('a signature that is refused', () => {
	it('signs the query string when the signature of the login is refused, and says so', async () => {
		const { report } = await run({ readOnly: true, settings: { signsQuery: true } });
		expect(endpointIn(report, 'authentication.exchangeKey')).toMatchObject({
			verdict: 'differs',
			note: expect.stringContaining('covers the query string'),
		});
		expect(endpointIn(report, 'proposal.getMany').verdict).toBe('confirmed');
		expect(exitCodeOf(report)).toBe(1);
	});

	it.each([
		['application/json', 'json'],
		['application/x-www-form-urlencoded', 'form'],
	] as const)(
		'signs a DELETE with other content types when its signature is refused: %s',
		async (deleteContentType, format) => {
			const { report } = await run({ settings: { deleteContentType } });
			expect(endpointIn(report, 'webhookSubscription.delete')).toMatchObject({
				verdict: 'differs',
				correction: { format },
			});
			expect(exitCodeOf(report)).toBe(1);
		},
	);

	it('reports a DELETE whose signature is refused with any content type', async () => {
		const { report } = await run({ settings: { deleteContentType: 'text/none-of-these' } });
		expect(endpointIn(report, 'webhookSubscription.delete')).toMatchObject({
			verdict: 'no effect',
			note: 'Refused with status 401, also with a new key.',
		});
		expect(exitCodeOf(report)).toBe(1);
	});
});

describe('a session', () => {
	it('goes on when each exchange ends the key before, and when a key expires', async () => {
		const { report } = await run({
			settings: { singleUserKey: true },
			onStep: (step, control) => {
				if (step === 'item') control.failNext({ expireKeys: true });
			},
		});
		expect(report.endedEarly).toBeUndefined();
		expect(operationsWith(report, 'confirmed')).toHaveLength(operations.length - needAi.length);
	});

	it('waits as long as a busy service asks for, and ends when it stays busy', async () => {
		const clock = standingClock();
		const start = clock.now();
		const headers = { 'Retry-After': '7' };
		const { report } = await run({
			clock,
			onStep: (step, control) => {
				if (step === 'area') control.failNext({ status: 429, headers, times: 2 });
				const operationId = 'item.updateMsrp';
				if (step === 'item') control.failNext({ operationId, status: 429, headers, times: 99 });
			},
		});
		expect(clock.now() - start).toBeGreaterThan(2 * 7000);
		expect(operationsWith(report, 'confirmed')).toContain('area.create');
		expect(report.endedEarly).toBe('The service is too busy: status 429.');
		expect(operationsWith(report, 'not tried')).toContain('item.updateMsrp');
	});

	it('sends five requests a second at most', async () => {
		const clock = standingClock();
		const times: number[] = [];
		const httpRequest = async (request: object) => {
			times.push(clock.now());
			return await send(request);
		};
		await run({ readOnly: true, clock, httpRequest });
		expect(times.length).toBeGreaterThan(50);
		expect(times.slice(5).every((time, index) => time - times[index]! >= 1000)).toBe(true);
	});

	it('stops when it is told to, and removes what it made', async () => {
		const stop = new AbortController();
		const ran = await run({
			signal: stop.signal,
			onStep: (step) => {
				if (step === 'webhookSubscription') stop.abort();
			},
		});
		expect(ran.report.endedEarly).toBe('The probe was stopped.');
		expect(growth(ran)).not.toHaveProperty('proposal_items');
		expect(growth(ran)).not.toHaveProperty('subscriptions');
	});
});
