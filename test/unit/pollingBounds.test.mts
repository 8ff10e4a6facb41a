/** Tests how much the polling trigger remembers, reads, and holds in memory with up to 20,000 proposals. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PolledNode } from './polledNode.mts';
import { rememberedIds } from './pollingModel.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const STATUS = 'proposalStatusChanged';

/** Creates proposals, each `ms` milliseconds after the previous one. */
const plant = ({ service }: PolledNode, count: number, status: string, ms = 1000) =>
	Array.from({ length: count }, () => {
		service.pass(ms);
		return service.create(status);
	});
const poll = async (n8n: PolledNode) => {
	n8n.service.sortedLists = new Map();
	return await n8n.poll();
};

it.each(['proposalUpdated', STATUS, 'proposalCreated'])(
	'reports 3,000 simultaneously modified proposals exactly once each: %s',
	async (event) => {
		const n8n = new PolledNode(event);
		n8n.service.options.shufflesTies = true;
		plant(n8n, 5, 'Draft');
		await poll(n8n);
		for (let index = 0; index < 3000; index++) n8n.service.create('Submitted');
		if (event === 'proposalUpdated') {
			n8n.after(1000);
			for (const record of n8n.service.records.values()) n8n.service.modify(record, () => {});
		}
		const ids = (await poll(n8n)).map(({ id }) => id);
		// *Proposal Updated* also reports the five proposals from the baseline.
		expect(ids).toHaveLength(event === 'proposalUpdated' ? 3005 : 3000);
		expect(ids).toEqual([...new Set(ids)].sort());
		expect(await poll(n8n)).toEqual([]);
		const last = n8n.after(1000).service.create('Accepted');
		n8n.after(1000).service.modify(last, () => {});
		expect(await poll(n8n)).toMatchObject([{ id: last.id }]);
	},
);

it('remembers the status of 20,000 proposals', async () => {
	const n8n = new PolledNode(STATUS);
	const [oldest, another] = plant(n8n, 20_000, 'Submitted');
	await poll(n8n);
	n8n.service.modify((n8n.later, another!), () => {});
	n8n.service.setStatus(oldest!, 'Accepted');
	expect(await poll(n8n)).toMatchObject([{ id: oldest!.id, previousStatus: 'Submitted' }]);
	expect(JSON.stringify(n8n.database).length).toBeLessThan(900_000);
});

it('reads each proposal in a baseline only once, newest first, for up to 20 seconds per poll', async () => {
	const n8n = new PolledNode('paymentStatusChanged');
	const records = plant(n8n, 450, 'Accepted', 60_000);
	for (const [index, record] of records.entries()) record.isArchived = index % 2 === 0;
	n8n.later.requestTime = 100;
	const reads: number[] = [];
	let polls = 0;
	for (; reads.length < 450 && polls < 10; polls++) {
		const from = Date.now();
		await poll(n8n.after(60_000));
		expect(Date.now() - from - 60_000).toBeLessThan(25_000);
		reads.push(...n8n.reads);
	}
	expect(polls).toBe(3);
	expect(reads).toEqual(records.toReversed().map(({ id }) => id));
	await poll(n8n.after(60_000));
	expect(n8n.reads).toEqual([]);
});

it('reads some proposals of a baseline in each poll even if lists are slow', async () => {
	const n8n = new PolledNode('paymentStatusChanged');
	plant(n8n, 10, 'Accepted', 60_000);
	// Make the requests for two lists take longer than the time that a poll has for reads.
	n8n.requestTime = 11_000;
	await poll(n8n.after(60_000));
	expect(n8n.reads.length).toBeGreaterThan(0);
});

it('holds fewer than ten full proposals in memory at a time', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const n8n = new PolledNode('paymentStatusChanged');
	plant(n8n, 40, 'Accepted');
	await poll(n8n);
	for (const one of (n8n.later, n8n.service.records.values())) {
		n8n.service.setChild(one, 'paymentRequests', 0, 'Paid');
	}
	const bodies: Array<WeakRef<object>> = [];
	let most = 0;
	n8n.intercept = async (url) => {
		if (url.includes('?')) return undefined;
		const response = n8n.service.respond(url) as { body: object };
		bodies.push(new WeakRef(response.body));
		// Wait for pending microtasks, so what earlier reads hold can be freed.
		await new Promise((resolve) => setImmediate(resolve));
		collectGarbage();
		most = Math.max(most, bodies.filter((body) => body.deref() !== undefined).length);
		return response;
	};
	expect(await poll(n8n)).toHaveLength(40);
	expect(bodies).toHaveLength(40);
	expect(most).toBeLessThan(10);
});

it('records all of the newest contacts even if one has a future date', async () => {
	const n8n = new PolledNode('contactCreatedOrUpdated');
	const [one] = plant(n8n, 250, '');
	n8n.service.modify(one!, () => {}, -3600_000);
	await poll(n8n);
	expect(await poll(n8n)).toEqual([]);
});

it.each([
	['proposalUpdated', 99, 2],
	// An empty page after a full one ends the list.
	['proposalUpdated', 100, 3],
	['proposalUpdated', 999, 11],
	// Contacts are in one list.
	['contactCreatedOrUpdated', 50, 1],
	// Only ten of 12 pages are needed, but the last two and an empty one have already been requested.
	['contactCreatedOrUpdated', 950, 13],
])('reads the lists of %s with %i changes in %i requests', async (event, count, requests) => {
	const n8n = new PolledNode(event);
	plant(n8n, 250, '');
	const records = plant(n8n.later, count, '');
	await poll(n8n);
	for (const record of (n8n.later, records)) n8n.service.modify(record, () => {});
	expect(await poll(n8n)).toHaveLength(count);
	expect(n8n.service.requests).toBe(requests);
	expect(rememberedIds(n8n.database)).toHaveLength(count);
});

it('reads four full proposals at the same time', async () => {
	const n8n = new PolledNode('paymentStatusChanged');
	plant(n8n, 30, 'Accepted');
	n8n.intercept = async () => await Promise.resolve();
	await poll(n8n);
	expect(n8n.mostOpen).toBe(4);
});

it('reports changes in the order in which they were made', async () => {
	const n8n = new PolledNode('proposalUpdated');
	const records = plant(n8n, 6, 'Draft');
	await poll(n8n);
	const order = [3, 0, 5, 1].map((index) => records[index]!);
	for (const record of order) n8n.after(1000).service.modify(record, () => {});
	const idsOf = (list: { id?: unknown }[]) => list.map(({ id }) => id);
	expect(idsOf(await poll(n8n))).toEqual(idsOf(order));
});
