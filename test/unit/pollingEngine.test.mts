/** Polls as n8n runs them: with a time limit, and with what it saved of the last one. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PolledNode, polledNode } from './polledNode.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const PAYMENTS = 'paymentStatusChanged';
const STATUS = 'proposalStatusChanged';

describe.each(['durable', 'durable with cursors'] as const)('a scheduler that is %s', (engine) => {
	it('reports a change once when n8n begins the next poll before it has saved the last one', async () => {
		const { n8n, one, two } = await polledNode(STATUS, 3, {}, engine);
		const before = n8n.database;
		n8n.later.service.setStatus(one, 'Accepted');
		expect(await n8n.poll()).toHaveLength(1);
		n8n.database = before;
		expect(await n8n.poll()).toEqual([]);
		n8n.service.setStatus(two, 'Accepted');
		expect(await n8n.poll()).toMatchObject([{ id: two.id }]);
	});

	it('reports a change once although an execution brings back what n8n had before it saved it', async () => {
		const { n8n, one, two } = await polledNode(STATUS, 3, {}, engine);
		const earlier = [];
		for (const record of [one, two]) {
			earlier.unshift(n8n.database);
			n8n.later.service.setStatus(record, 'Accepted');
			expect(await n8n.poll()).toHaveLength(1);
		}
		for (const database of [n8n.database, ...earlier]) {
			n8n.database = database;
			expect(await n8n.later.poll()).toEqual([]);
		}
	});

	it('reports changes again that n8n has not taken for half a minute', async () => {
		const { n8n, one } = await polledNode(STATUS, 3, {}, engine);
		n8n.later.service.setStatus(one, 'Accepted');
		n8n.canStore = false;
		expect(await n8n.poll()).toEqual([]);
		n8n.canStore = true;
		expect(await n8n.after(29_999).poll()).toEqual([]);
		n8n.intercept = () => ({ statusCode: 402 });
		await expect(n8n.after(1).poll()).rejects.toMatchObject({ httpCode: '402' });
		n8n.intercept = () => undefined;
		expect(await n8n.after(1).poll()).toMatchObject([{ previousStatus: 'Submitted' }]);
		expect(await n8n.poll()).toEqual([]);
	});
});

it('goes on with the proposals to compare after n8n has not taken an item', async () => {
	const n8n = new PolledNode(PAYMENTS, {}, 'durable');
	const records = Array.from({ length: 420 }, () => n8n.after(60_000).service.create('Draft'));
	const setPayment = (index: number, status: string) =>
		n8n.service.setChild(records[index]!, 'paymentRequests', 0, status);
	await n8n.later.poll();
	n8n.after(3600_000);
	setPayment(419, 'Paid');
	n8n.canStore = false;
	await n8n.after(60_000).poll();
	n8n.canStore = true;
	setPayment(419, 'Draft');
	for (let polls = 0; polls < 6; polls++) await n8n.after(60_000).poll();
	setPayment(5, 'Paid');
	expect(await n8n.after(60_000).poll()).toHaveLength(1);
});

it.each([
	['durable', 0],
	['durable with cursors', 2 * 3600_000],
] as const)(
	'reports a change once that another process has found: %s, %i ms behind',
	async (...row) => {
		const [engine, behind] = row;
		const { n8n, one, two } = await polledNode(STATUS, 3, {}, engine);
		const { process } = n8n;
		for (let polls = 0; polls < 2; polls++) {
			n8n.later.service.modify(two, () => {});
			expect(await n8n.poll()).toEqual([]);
		}
		n8n.process = new Map();
		n8n.later.service.setStatus(one, 'Accepted');
		vi.setSystemTime(Date.now() - behind);
		expect(await n8n.poll()).toHaveLength(1);
		n8n.process = process;
		expect(await n8n.poll()).toEqual([]);
	},
);

it.each<[string, (data: Record<string, unknown>) => Record<string, unknown>]>([
	['of another format', (data) => ({ ...data, format: 2 })],
	['that is no JSON', (data) => ({ ...data, state: 'known' })],
	['without an owner', ({ format, state }) => ({ format, state })],
])('replaces a memory %s by a new baseline, with a line in the log', async (_name, change) => {
	const { n8n, one } = await polledNode(STATUS);
	n8n.restart();
	n8n.database = change(n8n.database);
	n8n.later.service.setStatus(one, 'Accepted');
	expect(await n8n.poll()).toEqual([]);
	expect(n8n.log).toEqual([expect.stringContaining('cannot be read')]);
	n8n.later.service.setStatus(one, 'Declined');
	expect(await n8n.poll()).toMatchObject([{ previousStatus: 'Accepted' }]);
});

it('keeps the memory of an account when its keys change', async () => {
	const { n8n, one } = await polledNode(STATUS);
	n8n.account = { password: 'new', appKey: 'new', secretKey: 'new' };
	n8n.later.service.setStatus(one, 'Accepted');
	expect(await n8n.poll()).toHaveLength(1);
});

it.each([
	['Portal.io asks to wait', {}],
	['the node has changed', undefined],
])('leaves the first poll under the scheduler to the next one when %s', async (_, database) => {
	const { n8n } = await polledNode(STATUS);
	n8n.node = { name: 'Renamed' };
	if (database) n8n.database = database;
	const headers = { 'retry-after': '180' };
	n8n.intercept = () => ({ statusCode: database ? 429 : 403, body: {}, headers });
	expect(await n8n.poll()).toEqual([]);
	await expect(n8n.poll()).rejects.toMatchObject({ httpCode: database ? '429' : '403' });
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
])('begins no request in the last third of %s ms', async (budget, expected) => {
	const { n8n } = await polledNode('proposalUpdated');
	n8n.budget = budget;
	await n8n.poll();
	expect(n8n.limits).toContain(expected);
});

it('reports in a poll with little time what it has, and the rest in the next polls, each once', async () => {
	const { n8n, records } = await startSlow(PAYMENTS, 80);
	n8n.requestTime = 0;
	await n8n.poll();
	n8n.requestTime = 1000;
	for (const record of records) n8n.later.service.setChild(record, 'paymentRequests', 0, 'Paid');
	const reported = [];
	for (let polls = 1; polls <= 4; polls++) reported.push(...(await timed(n8n)));
	const ids = reported.map(({ proposal }) => (proposal as { id: number }).id);
	expect(ids).toEqual(records.map(({ id }) => id));
	expect(n8n.log).toEqual([]);
});

it('uses the newest records of a list that is too long as a baseline', async () => {
	const { n8n, records } = await startSlow(STATUS, 100);
	n8n.service.reading.maxPageSize = 2;
	await timed(n8n);
	n8n.later.service.setStatus(records[0]!, 'Completed');
	n8n.service.modify(records[1]!, () => {});
	expect(await n8n.poll()).toMatchObject([{ id: records[0]!.id, previousStatus: null }]);
});

it.each(['proposalUpdated', 'contactCreatedOrUpdated'])(
	'reports a list of changes that takes too long, and loses none: %s',
	async (event) => {
		const { n8n, records } = await startSlow(event, 100);
		await n8n.poll();
		for (const record of records) n8n.after(60_000).service.modify(record, () => {});
		n8n.service.reading.maxPageSize = 2;
		await expect(timed(n8n)).rejects.toThrow('did not respond within the time limit of a poll');
		n8n.requestTime = 0;
		expect(await n8n.poll()).toHaveLength(100);
	},
);

it('drops the state of nodes that have not polled for more than a day', async () => {
	const daily = await polledNode(STATUS);
	const unpublished = await polledNode(STATUS);
	unpublished.n8n.process = daily.n8n.process;
	await unpublished.n8n.poll();
	expect(daily.n8n.process).toHaveProperty('size', 2);
	const day = 24 * 3600_000;
	for (const [wait, size] of [
		[day, 2],
		[day, 1],
	] as const) {
		daily.n8n.after(wait);
		await daily.n8n.poll();
		expect(daily.n8n.process).toHaveProperty('size', size);
	}
});
