/** What the polling trigger remembers of many thousand proposals, and what it can still detect. */
import { beforeEach, describe, expect, it } from 'vitest';
import { KNOWN_RECORDS } from '../../nodes/PortalIoPollingTrigger/memory.ts';
import { poll } from '../../nodes/PortalIoPollingTrigger/poll.ts';
import { ModelService, pollContext, remembered } from './pollingModel.mts';

const HOUR = 3600_000;
let service: ModelService;
let memory: Record<string, unknown>;
/** How many requests are under way, and how many were at most. */
let open = 0;
let most = 0;
/** How many proposals were read in full. */
let reads = 0;
beforeEach(() => {
	service = new ModelService();
	memory = {};
	most = 0;
});

const pollFor = async (event: string, more: object = {}) => {
	const parameters = { event, simplify: false, ...more };
	const respond = async (url: string) => {
		most = Math.max(most, ++open);
		if (/proposals\/\d/.test(url)) reads++;
		const response = service.respond(url);
		await null;
		open--;
		return response;
	};
	service.still = new Map();
	const output = await poll(pollContext(respond, memory, parameters));
	return (output?.[0] ?? []).map(({ json }) => json);
};
/** Proposals that were modified one second after another, the first created longest ago. */
const plant = (count: number, status: string) =>
	Array.from({ length: count }, () => {
		service.pass(1000);
		return service.create(status);
	});
const size = () => JSON.stringify(memory).length;

describe('the memory of a polling trigger', () => {
	it('remembers no more with 100,000 proposals', async () => {
		plant(100_000, 'Draft');
		service.pass(HOUR);
		await pollFor('proposalStatusChanged');
		const first = size();
		expect(Object.keys(remembered(memory).known)).toHaveLength(KNOWN_RECORDS);
		expect(first).toBeLessThan(225_000);
		const changed = [...service.records.values()].slice(0, 300);
		for (const record of changed) {
			service.pass(1000);
			service.setStatus(record, 'Submitted');
		}
		expect(await pollFor('proposalStatusChanged')).toHaveLength(300);
		const known = Object.keys(remembered(memory).known);
		expect(known).toEqual(expect.arrayContaining(changed.map(({ id }) => String(id))));
		expect(size()).toBeLessThan(first + 10_000);
		expect(await pollFor('proposalStatusChanged')).toEqual([]);
	}, 120_000);

	it.each(['proposalUpdated', 'proposalStatusChanged', 'proposalCreated'])(
		'keeps the memory bounded when all are modified at once, and reports each once: %s',
		async (event) => {
			plant(5, 'Draft');
			await pollFor(event);
			service.pass(HOUR);
			const count = KNOWN_RECORDS + 2000;
			for (let index = 0; index < count; index++) service.create('Submitted');
			service.pass(event === 'proposalUpdated' ? HOUR : 1);
			if (event === 'proposalUpdated') {
				for (const record of service.records.values()) service.modify(record, () => {});
			}
			const reported = await pollFor(event);
			expect(reported.length).toBeGreaterThanOrEqual(count);
			expect(new Set(reported.map(({ id }) => id)).size).toBe(reported.length);
			expect(size()).toBeLessThan(225_000);
			expect(await pollFor(event)).toEqual([]);
			service.pass(1);
			const last = service.create('Accepted');
			service.pass(1);
			service.modify(last, () => {});
			expect(await pollFor(event)).toMatchObject([{ id: last.id }]);
			if (event === 'proposalUpdated') return;
			const { known } = remembered(memory);
			const forgotten = [...service.records.values()].find(
				({ id, status }) => status === 'Submitted' && known[id] === undefined,
			)!;
			service.pass(1);
			service.modify(forgotten, () => {});
			expect(await pollFor(event)).toEqual([]);
		},
		120_000,
	);

	it('reads 250 proposals in full at first and 50 in each later poll', async () => {
		for (let index = 0; index < 400; index++) {
			service.pass(60_000);
			service.create('Accepted').isArchived = index % 2 === 0;
		}
		const oldest = [...service.records.keys()].slice(0, 150);
		await pollFor('paymentStatusChanged');
		expect(remembered(memory).pending).toEqual(oldest.reverse());
		for (const left of [100, 50, 0, 0]) {
			await pollFor('paymentStatusChanged');
			expect(remembered(memory).pending).toHaveLength(left);
		}
		service.pass(HOUR);
		service.setChild([...service.records.values()][0]!, 'paymentRequests', 0, 'Paid');
		expect(await pollFor('paymentStatusChanged')).toMatchObject([
			{ status: 'Paid', previousStatus: null },
		]);
	});
});

describe('a proposal that is no longer remembered', () => {
	const EVENT = 'proposalStatusChanged';
	const DATED = ['Submitted', 'ViewedByClient', 'Accepted', 'Declined', 'Completed'];
	const UNDATED = ['Expired', 'Delayed', 'EmailFailed', 'A status that is not known here'];
	/** Proposals of these statuses, and behind each more than are remembered. */
	const forgotten = async (statuses: string[]) => {
		const records = statuses.flatMap((status) => plant(1, status));
		service.pass(HOUR);
		plant(KNOWN_RECORDS + 50, 'Draft');
		service.pass(HOUR);
		await pollFor(EVENT);
		for (const { id } of records) expect(remembered(memory).known).not.toHaveProperty(String(id));
		return records;
	};

	it('ignores a modified proposal that is no longer remembered and has its status', async () => {
		const records = await forgotten(['Draft', ...DATED]);
		for (const record of records) service.modify(record, () => {});
		expect(await pollFor(EVENT)).toEqual([]);
	});

	it('reports a status without its date of a proposal that is no longer remembered', async () => {
		const [record] = await forgotten(['Submitted']);
		// As when the dealer accepts, and not the client.
		service.modify(record!, (one) => Object.assign(one, { status: 'Accepted' }));
		expect(await pollFor(EVENT)).toMatchObject([{ id: record!.id, status: 'Accepted' }]);
	});

	it('reports a new status of a proposal that is no longer remembered, and not again', async () => {
		const before = [...DATED.map(() => 'Draft'), ...UNDATED.map(() => 'Submitted')];
		const records = await forgotten(before);
		const statuses = [...DATED, ...UNDATED];
		// Added by now, and so not known either.
		records.push(service.create('Draft'), service.create('Draft'));
		statuses.push('Submitted', 'Accepted');
		const expected = records.map((record, index) => {
			const status = statuses[index]!;
			service.pass(1);
			service.setStatus(record, status);
			return { id: record.id, status, previousStatus: null };
		});
		reads = 0;
		expect(await pollFor(EVENT)).toMatchObject(expected);
		// Only where a date decides.
		expect(reads).toBe(DATED.length);
		service.pass(1);
		for (const record of records) service.modify(record, () => {});
		expect(await pollFor(EVENT)).toEqual([]);
	});
});

describe('a poll', () => {
	it.each([
		['proposalUpdated', 100, 3],
		['proposalUpdated', 1000, 21],
		['contactCreatedOrUpdated', 100, 1],
		['contactCreatedOrUpdated', 1000, 20],
	])(
		'reads, with %s, the lists of %i changed records in %i requests',
		async (event, count, requests) => {
			const records = plant(count, '');
			await pollFor(event);
			service.pass(HOUR);
			for (const record of records) service.modify(record, () => {});
			service.requests = 0;
			expect(await pollFor(event)).toHaveLength(count);
			expect(service.requests).toBe(requests);
		},
	);

	it.each(['proposalUpdated', 'contactCreatedOrUpdated'])(
		'ends a poll when the service gives no count and repeats its last page (%s)',
		async (event) => {
			service.reading.maxPageSize = 5;
			plant(12, 'Draft');
			await pollFor(event);
			service.pass(HOUR);
			for (const record of service.records.values()) service.modify(record, () => {});
			service.repeatsLastPage = true;
			expect(await pollFor(event)).toHaveLength(12);
		},
	);

	it('reads no more than four proposals in full at the same time', async () => {
		plant(30, 'Accepted');
		await pollFor('paymentStatusChanged');
		service.pass(HOUR);
		for (const record of service.records.values()) {
			service.setChild(record, 'paymentRequests', 0, 'Paid');
		}
		expect(await pollFor('paymentStatusChanged')).toHaveLength(30);
		expect(most).toBe(4);
	});

	it('reports changes in the order in which they were made', async () => {
		const records = plant(6, 'Draft');
		await pollFor('proposalUpdated');
		const order = [3, 0, 5, 1].map((index) => records[index]!);
		for (const record of order) {
			service.pass(1000);
			service.modify(record, () => {});
		}
		const reported = await pollFor('proposalUpdated');
		expect(reported.map(({ id }) => id)).toEqual(order.map(({ id }) => id));
		service.reading.shufflesTies = true;
		service.pass(1000);
		for (const record of records) service.modify(record, () => {});
		const atOnce = await pollFor('proposalUpdated');
		expect(atOnce.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
	});

	it('reports nothing when the service returns an earlier version of a record', async () => {
		for (const event of ['proposalUpdated', 'proposalStatusChanged']) {
			memory = {};
			const [record] = plant(1, 'Draft');
			await pollFor(event);
			service.pass(60_000);
			service.setStatus(record!, 'Submitted');
			const before = structuredClone(record!);
			service.pass(60_000);
			service.setStatus(record!, 'Accepted');
			expect(await pollFor(event)).toHaveLength(1);
			// Another of its machines, which lags behind.
			service.records.set(record!.id, before);
			expect(await pollFor(event)).toEqual([]);
			service.records.set(record!.id, record!);
			expect(await pollFor(event)).toEqual([]);
		}
	});
});

describe('a mistaken time', () => {
	it('reports what comes before a mistaken time in the far future', async () => {
		const [wrong, right] = plant(2, 'Draft');
		await pollFor('proposalUpdated');
		service.pass(HOUR);
		service.modify(wrong!, (one) => (one.lastModifiedDate = '2099-01-01T00:00:00.000Z'));
		expect(await pollFor('proposalUpdated')).toMatchObject([{ id: wrong!.id }]);
		service.pass(HOUR);
		service.modify(right!, () => {});
		expect(await pollFor('proposalUpdated')).toMatchObject([{ id: right!.id }]);
		expect(await pollFor('proposalUpdated')).toEqual([]);
	});
});
