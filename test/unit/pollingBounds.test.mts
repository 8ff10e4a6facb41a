/** What the polling trigger remembers of many thousand proposals, and what it can still detect. */
import type { IPollFunctions } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { KNOWN_RECORDS } from '../../nodes/PortalIoPollingTrigger/memory.ts';
import { poll } from '../../nodes/PortalIoPollingTrigger/poll.ts';
import { ModelService, credential } from './pollingModel.mts';

const HOUR = 3600_000;
let service: ModelService;
let memory: Record<string, unknown>;
/** How many requests are under way, and how many were at most. */
let open = 0;
let most = 0;
beforeEach(() => {
	service = new ModelService({
		isInclusive: false,
		inSeconds: false,
		readsSeconds: false,
		shufflesTies: false,
		maxPageSize: 100,
	});
	memory = {};
	most = 0;
});

const pollFor = async (event: string, more: object = {}) => {
	const parameters: Record<string, unknown> = { event, simplify: false, ...more };
	const context = {
		getNode: () => ({ name: 'Poll', type: 'poll', credentials: {} }),
		getCredentials: async () => credential,
		getMode: () => 'trigger',
		getNodeParameter: (name: string, byDefault: unknown) => parameters[name] ?? byDefault,
		getWorkflowStaticData: () => memory,
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: { url: string }) => {
				most = Math.max(most, ++open);
				const response = service.respond(options.url);
				await null;
				open--;
				return response;
			},
		},
	};
	service.still = service.reading.shufflesTies ? undefined : new Map();
	const output = await poll(context as unknown as IPollFunctions);
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
	it('does not grow with 100,000 proposals', async () => {
		plant(100_000, 'Draft');
		service.pass(HOUR);
		await pollFor('proposalStatusChanged');
		const first = size();
		expect(Object.keys(memory.known as object)).toHaveLength(KNOWN_RECORDS);
		expect(first).toBeLessThan(200_000);
		for (const record of [...service.records.values()].slice(0, 300)) {
			service.pass(1000);
			service.setStatus(record, 'Submitted');
		}
		expect(await pollFor('proposalStatusChanged')).toHaveLength(300);
		expect(size()).toBeLessThan(first + 10_000);
		expect(await pollFor('proposalStatusChanged')).toEqual([]);
	}, 120_000);

	it.each(['proposalUpdated', 'proposalStatusChanged', 'proposalCreated'])(
		'stays bounded when all are modified in the same instant, and reports each once: %s',
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
			expect(size()).toBeLessThan(200_000);
			expect(await pollFor(event)).toEqual([]);
			service.pass(1);
			const last = service.create('Accepted');
			service.pass(1);
			service.modify(last, () => {});
			expect(await pollFor(event)).toMatchObject([{ id: last.id }]);
		},
		120_000,
	);

	it('reads 250 proposals in full at first and 50 in each later poll', async () => {
		for (let index = 0; index < 400; index++) {
			service.pass(60_000);
			service.create('Accepted');
		}
		await pollFor('paymentStatusChanged');
		expect(memory.pending).toHaveLength(150);
		for (const left of [100, 50, 0, 0]) {
			await pollFor('paymentStatusChanged');
			expect(memory.pending).toHaveLength(left);
		}
		service.pass(HOUR);
		service.setChild([...service.records.values()][0]!, 'paymentRequests', 0, 'Paid');
		expect(await pollFor('paymentStatusChanged')).toMatchObject([
			{ status: 'Paid', previousStatus: null },
		]);
	});
});

describe('a proposal that is no longer remembered', () => {
	const forgotten = async (status: string) => {
		const [record] = plant(1, status);
		service.pass(HOUR);
		plant(KNOWN_RECORDS + 50, 'Draft');
		service.pass(HOUR);
		await pollFor('proposalStatusChanged');
		expect(memory.known).not.toHaveProperty(String(record!.id));
		return record!;
	};

	it.each(['Submitted', 'ViewedByClient', 'Accepted', 'Declined', 'Completed'])(
		'is reported when its status becomes %s, and not when it is modified in that status',
		async (status) => {
			const before = await forgotten(status);
			service.modify(before, () => {});
			expect(await pollFor('proposalStatusChanged')).toEqual([]);
			service.setStatus(before, 'Draft');
			memory = {};
			const record = await forgotten('Draft');
			service.setStatus(record, status);
			expect(await pollFor('proposalStatusChanged')).toMatchObject([
				{ id: record.id, status, previousStatus: null },
			]);
			service.pass(1);
			service.modify(record, () => {});
			expect(await pollFor('proposalStatusChanged')).toEqual([]);
		},
	);

	it.each(['Expired', 'Delayed', 'EmailFailed'])(
		'is reported when its status becomes %s',
		async (status) => {
			const record = await forgotten('Submitted');
			service.setStatus(record, status);
			expect(await pollFor('proposalStatusChanged')).toMatchObject([{ id: record.id, status }]);
		},
	);

	it('is not reported when it is edited as a draft', async () => {
		service.modify(await forgotten('Draft'), () => {});
		expect(await pollFor('proposalStatusChanged')).toEqual([]);
	});
});

describe('a poll', () => {
	it.each([
		['proposalUpdated', 1, 3],
		['proposalUpdated', 100, 3],
		['proposalUpdated', 1000, 21],
		['proposalUpdated', 5000, 101],
		['contactCreatedOrUpdated', 1, 1],
		['contactCreatedOrUpdated', 100, 1],
		['contactCreatedOrUpdated', 1000, 20],
		['contactCreatedOrUpdated', 5000, 100],
	])('%s: reads the lists of %i changed records in %i requests', async (event, count, requests) => {
		const records = plant(count, '');
		await pollFor(event);
		service.pass(HOUR);
		for (const record of records) service.modify(record, () => {});
		service.requests = 0;
		expect(await pollFor(event)).toHaveLength(count);
		expect(service.requests).toBe(requests);
	});

	it.each(['proposalUpdated', 'contactCreatedOrUpdated'])(
		'ends when the service gives no count and repeats its last page (%s)',
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

describe('a status that this package does not know', () => {
	it.each<[string, unknown, string[]]>([
		['is reported like any other', [], ['Renegotiated', 'Accepted']],
		['can be chosen as text', 'Renegotiated, Withdrawn', ['Renegotiated']],
		['is left out when others are chosen', ['Accepted'], ['Accepted']],
	])('%s', async (_case, statuses, expected) => {
		const [record] = plant(1, 'Submitted');
		await pollFor('proposalStatusChanged', { statuses });
		const reported = [];
		for (const status of ['Renegotiated', 'Accepted']) {
			service.pass(60_000);
			service.setStatus(record!, status);
			reported.push(...(await pollFor('proposalStatusChanged', { statuses })));
		}
		expect(reported.map(({ status }) => status)).toEqual(expected);
	});
});

describe('a mistaken time', () => {
	it('in the far future does not hide what comes before it', async () => {
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
