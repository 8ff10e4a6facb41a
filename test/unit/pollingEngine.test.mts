/** Polls as n8n runs them: with a time limit, and with what it saved of the last one. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { poll } from '../../nodes/PortalIoPollingTrigger/poll.ts';
import { DurableScheduler } from './durableScheduler.mts';
import { ModelService, pollContext } from './pollingModel.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const PAYMENTS = 'paymentStatusChanged';
const fails = (id: number) => (url: string) =>
	url.endsWith(`/${id}`) ? { statusCode: 500, body: {} } : undefined;

describe.each([
	['without cursors', false],
	['with cursors', true],
])('under the durable scheduler %s', (_name, hasCursors) => {
	const start = async (event: string, more: object = {}) => {
		const n8n = new DurableScheduler(event, more, hasCursors);
		for (let count = 0; count < 3; count++) n8n.later.service.create('Submitted');
		await n8n.later.poll();
		return { n8n, records: [...n8n.service.records.values()] };
	};

	it('reports a payment while another proposal cannot be read, which is given up in the third poll', async () => {
		const { n8n, records } = await start(PAYMENTS);
		n8n.intercept = fails(records[0]!.id);
		n8n.service.setChild(records[0]!, 'paymentRequests', 0, 'Paid');
		n8n.service.setChild(records[1]!, 'paymentRequests', 0, 'Paid');
		expect(await n8n.poll()).toMatchObject([{ proposal: { id: records[1]!.id } }]);
		await expect(n8n.poll()).rejects.toThrow('Portal.io could not process the request');
		expect(await n8n.poll()).toEqual([]);
		n8n.later.service.setChild(records[2]!, 'paymentRequests', 0, 'Paid');
		expect(await n8n.poll()).toMatchObject([{ proposal: { id: records[2]!.id } }]);
	});

	it('reports a status again that was left for one that is not chosen', async () => {
		const { n8n, records } = await start('proposalStatusChanged', { statuses: ['Accepted'] });
		const reported = [];
		for (const status of ['Accepted', 'Draft', 'Accepted']) {
			n8n.later.service.setStatus(records[0]!, status);
			reported.push((await n8n.poll()).length, (await n8n.poll()).length);
		}
		expect(reported).toEqual([1, 0, 0, 0, 1, 0]);
	});

	it('reports a change once when a poll takes longer than its interval', async () => {
		const { n8n, records } = await start('proposalUpdated');
		n8n.later.service.modify(records[0]!, () => {});
		let open = () => {};
		const gate = new Promise<void>((resolve) => (open = resolve));
		n8n.intercept = async () => await gate;
		const polls = [n8n.poll(), n8n.poll(), n8n.poll()];
		open();
		expect((await Promise.all(polls)).map(({ length }) => length)).toEqual([1, 0, 0]);
	});

	it('reports changes again that n8n could not store', async () => {
		const { n8n, records } = await start('proposalStatusChanged');
		n8n.later.service.setStatus(records[0]!, 'Accepted');
		n8n.canStore = false;
		expect(await n8n.poll()).toEqual([]);
		n8n.canStore = true;
		const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
		wait(29_999);
		expect(await n8n.poll()).toEqual([]);
		wait(1);
		expect(await n8n.poll()).toMatchObject([{ status: 'Accepted', previousStatus: 'Submitted' }]);
		expect(await n8n.poll()).toEqual([]);
	});

	it('reports a change once when n8n begins the next poll before it has saved the last one', async () => {
		const { n8n, records } = await start('proposalStatusChanged');
		for (const status of ['Accepted', 'Completed']) {
			const before = n8n.database;
			n8n.later.service.setStatus(records[0]!, status);
			expect(await n8n.poll()).toMatchObject([{ status }]);
			const saved = n8n.database;
			n8n.database = before;
			expect(await n8n.poll()).toEqual([]);
			n8n.database = saved;
		}
	});
});

describe('a payment that changes twice in a second, with times in seconds', () => {
	/** A poll has reported the first change. The second one has the same time. */
	const start = async () => {
		const n8n = new DurableScheduler(PAYMENTS, {}, true);
		n8n.service.reading.inSeconds = true;
		const record = n8n.later.service.create('Accepted');
		await n8n.poll();
		n8n.later.service.setChild(record, 'paymentRequests', 0, 'Submitted');
		expect(await n8n.poll()).toHaveLength(1);
		const wait = (ms: number) => {
			n8n.service.pass(ms);
			vi.setSystemTime(Date.now() + ms);
		};
		return { n8n, record, wait };
	};

	it('reports the second change after a poll in between', async () => {
		const { n8n, record, wait } = await start();
		wait(500);
		expect(await n8n.poll()).toEqual([]);
		n8n.service.setChild(record, 'paymentRequests', 0, 'Paid');
		wait(500);
		expect(await n8n.poll()).toMatchObject([{ status: 'Paid' }]);
	});

	it('reports the second change after a poll that could not read the proposal', async () => {
		const { n8n, record, wait } = await start();
		n8n.service.setChild(record, 'paymentRequests', 0, 'Paid');
		wait(60_000);
		n8n.intercept = fails(record.id);
		await expect(n8n.poll()).rejects.toThrow();
		n8n.intercept = () => undefined;
		expect(await n8n.poll()).toMatchObject([{ status: 'Paid' }]);
	});
});

describe('a poll that has little time', () => {
	const startSlow = (event: string, count: number) => {
		const n8n = new DurableScheduler(event);
		for (let index = 0; index < count; index++) n8n.later.service.create('Accepted');
		n8n.requestTime = 1000;
		return { n8n, records: [...n8n.service.records.values()] };
	};
	/** The time that a poll took. */
	const timed = async (n8n: DurableScheduler) => {
		const from = Date.now();
		const reported = await n8n.poll();
		return { reported, seconds: (Date.now() - from) / 1000 };
	};

	it('takes five minutes where n8n does not say how long a poll may take', async () => {
		const timeout = vi.spyOn(AbortSignal, 'timeout');
		const respond = (url: string) => new ModelService().respond(url);
		await poll(pollContext(respond, {}, { event: 'proposalUpdated' }, { budget: null }));
		// No request begins in the last third.
		expect(timeout).toHaveBeenCalledWith(200_000);
		timeout.mockRestore();
	});

	it('records the rest of a long baseline in later polls, and then reports payments', async () => {
		const { n8n, records } = startSlow(PAYMENTS, 60);
		for (let polls = 1; polls <= 4; polls++) {
			expect((await timed(n8n.later)).seconds).toBeLessThan(36);
		}
		n8n.later.service.setChild(records[0]!, 'paymentRequests', 0, 'Paid');
		expect((await timed(n8n)).reported).toMatchObject([{ proposal: { id: records[0]!.id } }]);
	});

	it('reports what it has, and the rest in the next polls, each once', async () => {
		const { n8n, records } = startSlow(PAYMENTS, 50);
		n8n.requestTime = 0;
		await n8n.poll();
		n8n.requestTime = 1000;
		for (const record of records) n8n.later.service.setChild(record, 'paymentRequests', 0, 'Paid');
		const reported = [];
		for (let polls = 1; polls <= 4; polls++) {
			const part = await timed(n8n);
			expect(part.seconds).toBeLessThan(36);
			reported.push(...part.reported.map(({ proposal }) => (proposal as { id: number }).id));
		}
		expect(reported).toEqual(records.map(({ id }) => id));
		expect(n8n.log).toEqual([]);
	});

	it('takes the newest records of a list that is too long as a baseline', async () => {
		const { n8n, records } = startSlow('proposalStatusChanged', 100);
		n8n.service.reading.maxPageSize = 2;
		expect((await timed(n8n)).seconds).toBeLessThan(36);
		n8n.later.service.setStatus(records[0]!, 'Completed');
		n8n.service.modify(records[1]!, () => {});
		expect(await n8n.poll()).toMatchObject([{ id: records[0]!.id, previousStatus: null }]);
	});

	it.each([
		// Two thirds of 36 s, and the first page of the second list.
		['proposalUpdated', 24 + 1],
		['contactCreatedOrUpdated', 24],
	])(
		'says so when the time of a poll is not enough for the list of changes, and loses none: %s',
		async (event, requests) => {
			const { n8n, records } = startSlow(event, 100);
			await n8n.poll();
			for (const record of records) n8n.later.service.modify(record, () => {});
			n8n.service.reading.maxPageSize = 2;
			await expect(n8n.poll()).rejects.toThrow('did not respond in the time that n8n gives a poll');
			expect(n8n.service.requests).toBe(requests);
			n8n.requestTime = 0;
			expect(await n8n.poll()).toHaveLength(100);
		},
	);

	it('makes two requests and writes nothing when nothing has changed', async () => {
		for (const event of [PAYMENTS, 'changeOrderStatusChanged', 'proposalStatusChanged']) {
			const n8n = new DurableScheduler(event, {}, true);
			n8n.service.create('Accepted');
			for (let polls = 1; polls <= 3; polls++) await n8n.later.poll();
			n8n.isReadOnly = true;
			await n8n.later.poll();
			expect(n8n.service.requests).toBe(2);
		}
	});
});
