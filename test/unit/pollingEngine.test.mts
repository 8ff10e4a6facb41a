/** Tests polls as n8n runs them: with a time limit, and with saved data from the last poll. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PolledNode, polledNode, type Engine } from './polledNode.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const PAYMENTS = 'paymentStatusChanged';
const STATUS = 'proposalStatusChanged';

describe.each(['durable', 'durable with cursors'] as const)('a scheduler that is %s', (engine) => {
	it('reports a change only once if n8n begins the next poll before it has saved the last one', async () => {
		const { n8n, one, two } = await polledNode(STATUS, 3, {}, engine);
		const before = n8n.database;
		n8n.later.service.setStatus(one, 'Accepted');
		expect(await n8n.poll()).toHaveLength(1);
		n8n.database = before;
		expect(await n8n.poll()).toEqual([]);
		n8n.service.setStatus(two, 'Accepted');
		expect(await n8n.poll()).toMatchObject([{ id: two.id }]);
	});
});

it.each([
	['durable', 0],
	['durable with cursors', 2 * 3600_000],
] as const)(
	'reports a change only once if another process has reported it: %s, clock %i ms behind',
	async (...row) => {
		const [engine, behind] = row;
		const { n8n, one, two } = await polledNode(STATUS, 3, {}, engine);
		const { process } = n8n;
		for (let polls = 0; polls < 2; polls++) {
			n8n.later.service.modify(two, () => {});
			expect(await n8n.poll()).toEqual([]);
		}
		n8n.process = undefined;
		n8n.later.service.setStatus(one, 'Accepted');
		vi.setSystemTime(Date.now() - behind);
		expect(await n8n.poll()).toHaveLength(1);
		n8n.process = process;
		expect(await n8n.poll()).toEqual([]);
	},
);

it('records a new baseline if its memory cannot be parsed', async () => {
	const { n8n, one } = await polledNode(STATUS);
	await n8n.poll();
	n8n.restart();
	n8n.database = { ...n8n.database, state: 'versions' };
	n8n.later.service.setStatus(one, 'Accepted');
	expect(await n8n.poll()).toEqual([]);
	expect(n8n.log).toEqual([expect.stringContaining('cannot be read')]);
	n8n.later.service.setStatus(one, 'Declined');
	expect(await n8n.poll()).toMatchObject([{ previousStatus: 'Accepted' }]);
});

it('uses the memory of an account after its keys change', async () => {
	const { n8n, one } = await polledNode(STATUS);
	n8n.account = { password: 'new', appKey: 'new', secretKey: 'new' };
	n8n.later.service.setStatus(one, 'Accepted');
	expect(await n8n.poll()).toHaveLength(1);
});

describe('a first poll', () => {
	const failWith = (n8n: PolledNode, statusCode: number) =>
		(n8n.intercept = () => ({ statusCode, body: {} }));
	const start = async (engine: Engine = 'in memory') => {
		const { n8n, one } = await polledNode(STATUS, 3, {}, engine);
		/** Expects an error from each of three polls, and then the change since the baseline. */
		const expectReports = async () => {
			n8n.later.service.setStatus(one, 'Accepted');
			for (let polls = 2; polls <= 4; polls++) {
				await expect(n8n.poll()).rejects.toMatchObject({ httpCode: '402' });
			}
			n8n.intercept = () => undefined;
			expect(await n8n.poll()).toMatchObject([{ id: one.id, previousStatus: 'Submitted' }]);
		};
		return { n8n, expectReports };
	};

	it.each([
		['n8n starts', (n8n: PolledNode) => n8n.restart()],
		['the workflow is published', (n8n: PolledNode) => n8n.publish()],
	])('logs a permanent failure instead of throwing it after %s', async (_, begin) => {
		const { n8n, expectReports } = await start();
		begin(n8n);
		failWith(n8n, 402);
		expect(await n8n.poll()).toEqual([]);
		expect(n8n.log).toEqual([expect.stringContaining('the first poll failed and will be retried')]);
		await expectReports();
	});

	it('throws a failure if n8n copies the static data for each poll', async () => {
		const { n8n, expectReports } = await start();
		n8n.hasOldCursors = true;
		failWith(n8n, 402);
		await expectReports();
	});

	it('throws a failure under the durable scheduler', async () => {
		const { n8n, expectReports } = await start('durable with cursors');
		// Poll again, because with cursors, n8n saves the baseline only after another poll.
		await n8n.poll();
		n8n.restart();
		failWith(n8n, 402);
		await expectReports();
	});

	it.each([
		[403, 403],
		[500, undefined],
	])(
		'throws only a permanent failure if nothing is remembered yet: %i',
		async (status, expected) => {
			const n8n = new PolledNode(STATUS);
			failWith(n8n, status);
			const outcome = await n8n
				.poll()
				.catch((error: { httpCode: string }) => Number(error.httpCode));
			expect(outcome).toEqual(expected ?? []);
		},
	);

	it('postpones the error to the next poll if n8n starts with nothing remembered', async () => {
		const n8n = new PolledNode(STATUS, {}, 'in memory');
		n8n.publish('init');
		failWith(n8n, 402);
		expect(await n8n.poll()).toEqual([]);
		await expect(n8n.poll()).rejects.toMatchObject({ httpCode: '402' });
	});

	it('does not throw a failure of another account', async () => {
		const { n8n } = await start();
		n8n.restart();
		n8n.account = { username: 'another@example.com' };
		failWith(n8n, 402);
		expect(await n8n.poll()).toEqual([]);
	});

	it('postpones the error about an invalid parameter to the next poll', async () => {
		const { n8n } = await start();
		n8n.publish();
		n8n.parameters.statuses = ['Payed'];
		expect(await n8n.poll()).toEqual([]);
		await expect(n8n.poll()).rejects.toThrow("contains 'Payed'");
	});

	it.each([
		['update', '500'],
		['activate', '500'],
		// Expect no error when n8n starts or becomes the leader of several main processes, because nobody would see it.
		['init', []],
		['leadershipChange', []],
	])('in the activation mode %s, ends a failed poll with %j', async (mode, expected) => {
		const { n8n } = await start();
		failWith(n8n, 500);
		n8n.publish();
		expect(await n8n.poll()).toEqual([]);
		n8n.publish(mode);
		const outcome = await n8n.poll().catch((error: { httpCode: string }) => error.httpCode);
		expect(outcome).toEqual(expected);
	});
});

it('throws a repeated failure under the durable scheduler, even with the default time limit', async () => {
	const { n8n } = await polledNode(STATUS, 3, {}, 'durable');
	n8n.budget = 300_000;
	await n8n.poll();
	n8n.intercept = () => ({ statusCode: 500, body: {} });
	const outcomes = [];
	for (let polls = 1; polls <= 2; polls++) {
		outcomes.push(await n8n.later.poll().catch((error: { httpCode: string }) => error.httpCode));
	}
	expect(outcomes).toEqual([[], '500']);
});

it('reports a change in the next poll if a poll found it only after the time limit', async () => {
	const { n8n, one } = await polledNode(STATUS, 3, {}, 'durable');
	await n8n.poll();
	n8n.later.service.setStatus(one, 'Accepted');
	const { database } = n8n;
	// Let each request take 20 seconds, so the last one begins in time but ends after the limit.
	n8n.intercept = () => void n8n.after(20_000);
	await expect(n8n.poll()).rejects.toThrow('within the time limit');
	n8n.database = database;
	n8n.intercept = () => undefined;
	expect(await n8n.poll()).toMatchObject([{ id: one.id }]);
});

it('preserves the statuses from polls without events when the workflow is published again', async () => {
	const { n8n, one } = await polledNode(STATUS, 3, { statuses: ['Accepted'] }, 'in memory');
	for (const status of ['Accepted', 'Draft']) {
		n8n.later.service.setStatus(one, status);
		await n8n.poll();
	}
	n8n.publish();
	n8n.service.setStatus(one, 'Accepted');
	expect(await n8n.poll()).toMatchObject([{ previousStatus: 'Draft' }]);
});

const startSlow = async (event: string, count: number) => {
	const n8n = new PolledNode(event);
	for (let index = 0; index < count; index++) n8n.later.service.create('Accepted');
	n8n.requestTime = 1000;
	return { n8n, records: [...n8n.service.records.values()] };
};
const timed = async (n8n: PolledNode) => {
	const from = Date.now();
	const reported = await n8n.poll();
	expect((Date.now() - from) / 1000).toBeLessThan(36);
	return reported;
};

it.each([
	[undefined as never, 200_000],
	[36_000, 24_000],
	[40_000, 26_666],
])('begins no request in the last third of a time limit of %s ms', async (budget, expected) => {
	const { n8n } = await polledNode('proposalUpdated');
	n8n.budget = budget;
	await n8n.poll();
	expect(n8n.limits).toContain(expected);
});

it('reports each change exactly once over several polls with little time', async () => {
	const { n8n, records } = await startSlow(PAYMENTS, 80);
	n8n.requestTime = 0;
	await n8n.poll();
	n8n.requestTime = 1000;
	for (const record of records) {
		n8n.after(60_000).service.setChild(record, 'paymentRequests', 0, 'Paid');
	}
	const reported = [];
	for (let polls = 1; polls <= 4; polls++) reported.push(...(await timed(n8n)));
	const ids = reported.map(({ proposal }) => (proposal as { id: number }).id);
	expect(ids).toEqual(records.map(({ id }) => id));
	expect(n8n.log).toEqual([]);
});

it.each(['proposalUpdated', 'contactCreatedOrUpdated'])(
	'reports all changes after a poll in which a list took too long: %s',
	async (event) => {
		const { n8n, records } = await startSlow(event, 100);
		await n8n.poll();
		for (const record of records) n8n.after(60_000).service.modify(record, () => {});
		n8n.service.options.maxPageSize = 2;
		await expect(timed(n8n)).rejects.toThrow('did not respond within the time limit of a poll');
		n8n.requestTime = 0;
		expect(await n8n.poll()).toHaveLength(100);
	},
);

it('drops the state of nodes that have not polled for more than a day', async () => {
	const { n8n: daily } = await polledNode(STATUS);
	const { n8n: unpublished } = await polledNode(STATUS);
	await unpublished.poll();
	for (const isKept of [true, false]) {
		await daily.after(24 * 3600_000).poll();
		expect(unpublished.process !== undefined).toBe(isKept);
		expect(daily.process).toMatchObject({ isPolling: false, polledAt: performance.now() });
	}
});
