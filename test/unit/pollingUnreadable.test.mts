/** Proposals that alone cannot be read, in the polling trigger. */
import { beforeEach, describe, expect, it } from 'vitest';
import { poll } from '../../nodes/PortalIoPollingTrigger/poll.ts';
import { ModelService, pollContext, type ModelRecord } from './pollingModel.mts';

const HOUR = 3600_000;
let service: ModelService;
let memory: Record<string, unknown>;
let log: string[];
/** The proposals that were read in full. */
let reads: number[];
/** The status that reading a proposal ends with, by its ID. */
let failing: Map<number, number>;
beforeEach(() => {
	service = new ModelService();
	memory = {};
	log = [];
	reads = [];
	failing = new Map();
});

const pollFor = async (event: string, options: object = {}) => {
	const parameters = { event, simplify: false, options };
	const respond = (url: string) => {
		const id = Number(/proposals\/(\d+)$/.exec(url)?.[1]);
		if (id > 0) reads.push(id);
		const statusCode = failing.get(id);
		return statusCode ? { statusCode, body: {} } : service.respond(url);
	};
	const output = await poll(pollContext(respond, memory, parameters, log));
	return (output?.[0] ?? []).map(({ json }) => json);
};
const later = () => service.pass(HOUR);
const create = (status = 'Submitted') => {
	later();
	return service.create(status);
};
const pay = (record: ModelRecord, status: string, index = 0) => {
	later();
	service.setChild(record, 'paymentRequests', index, status);
};

describe('a proposal that this user may not read', () => {
	it.each(['paymentStatusChanged', 'changeOrderStatusChanged'])(
		'is skipped with a line in the log, and holds back no other one: %s',
		async (event) => {
			const kind = event === 'paymentStatusChanged' ? 'paymentRequests' : 'changeOrders';
			const [broken, other] = [create(), create()];
			await pollFor(event);
			failing.set(broken.id, 403);
			for (const status of ['Pending', 'Submitted']) {
				for (const record of [broken, other]) {
					later();
					service.setChild(record, kind, 0, status);
				}
				log = [];
				expect(await pollFor(event)).toMatchObject([{ status, proposal: { id: other.id } }]);
				expect(log).toEqual([expect.stringContaining(`proposal ${broken.id} could not be read`)]);
			}
		},
	);

	it('is tried again when it changes, and only then', async () => {
		const broken = create();
		await pollFor('paymentStatusChanged');
		failing.set(broken.id, 403);
		pay(broken, 'Submitted');
		await pollFor('paymentStatusChanged');
		reads = [];
		await pollFor('paymentStatusChanged');
		expect(reads).toEqual([]);
		failing.clear();
		expect(await pollFor('paymentStatusChanged')).toEqual([]);
		pay(broken, 'Paid');
		expect(await pollFor('paymentStatusChanged')).toMatchObject([{ status: 'Paid' }]);
	});

	it('is skipped in the baseline, and its earlier payments are not reported when it can be read', async () => {
		const broken = create();
		pay(broken, 'Paid');
		failing.set(broken.id, 403);
		const other = create();
		await pollFor('paymentStatusChanged');
		expect(log).toHaveLength(1);
		later();
		failing.clear();
		service.modify(broken, () => {});
		pay(other, 'Paid');
		expect(await pollFor('paymentStatusChanged')).toMatchObject([{ proposal: { id: other.id } }]);
		pay(broken, 'Submitted', 1);
		expect(await pollFor('paymentStatusChanged')).toMatchObject([{ status: 'Submitted' }]);
	});

	it('is skipped where its earlier status is not known', async () => {
		const [broken, other] = [create('Accepted'), create('Draft')];
		await pollFor('proposalStatusChanged');
		// As for the oldest of more than 5,000 proposals.
		Reflect.deleteProperty(memory.known as object, String(broken.id));
		memory.isComplete = false;
		failing.set(broken.id, 403);
		later();
		service.modify(broken, () => {});
		service.setStatus(other, 'Submitted');
		expect(await pollFor('proposalStatusChanged')).toMatchObject([{ id: other.id }]);
	});
});

describe('a proposal that alone fails', () => {
	const options = { fetchProposal: true };

	it.each([
		['paymentStatusChanged', {}],
		['proposalUpdated', options],
	])(
		'fails two polls and is skipped by the third, which reports the others: %s',
		async (event, more) => {
			const [broken, other] = [create(), create()];
			await pollFor(event);
			failing.set(broken.id, 500);
			for (const record of [broken, other]) pay(record, 'Submitted');
			for (const attempt of [1, 2]) {
				await expect(pollFor(event, more), `poll ${attempt}`).rejects.toMatchObject({
					httpCode: '500',
				});
			}
			expect(log).toEqual([]);
			const reported = await pollFor(event, more);
			expect(log).toEqual([expect.stringContaining(String(broken.id))]);
			if (event === 'paymentStatusChanged') {
				expect(reported).toMatchObject([{ proposal: { id: other.id } }]);
			} else {
				expect(reported).toMatchObject([
					{ id: broken.id, proposalError: { error: 'Portal.io could not process the request' } },
					{ id: other.id, proposal: { id: other.id } },
				]);
			}
			expect(await pollFor(event, more)).toEqual([]);
		},
	);

	it('counts polls in a row', async () => {
		const broken = create();
		await pollFor('paymentStatusChanged');
		for (const status of ['Submitted', 'Paid']) {
			pay(broken, status);
			for (const attempt of [1, 2]) {
				failing.set(broken.id, 500);
				await expect(pollFor('paymentStatusChanged'), `poll ${attempt}`).rejects.toThrow();
			}
			failing.clear();
			expect(await pollFor('paymentStatusChanged')).toMatchObject([{ status }]);
		}
	});
});

it('several proposals that fail, and none that can be read, fail every poll', async () => {
	const records = [create(), create()];
	await pollFor('paymentStatusChanged');
	for (const record of records) {
		pay(record, 'Submitted');
		failing.set(record.id, 500);
	}
	for (let attempt = 1; attempt <= 5; attempt++) {
		await expect(pollFor('paymentStatusChanged'), `poll ${attempt}`).rejects.toThrow();
	}
	failing.clear();
	expect(await pollFor('paymentStatusChanged')).toHaveLength(2);
});

it.each([401, 402])('a login or limit that fails with %i fails every poll', async (status) => {
	const record = create();
	await pollFor('paymentStatusChanged');
	pay(record, 'Submitted');
	failing.set(record.id, status);
	for (let attempt = 1; attempt <= 4; attempt++) {
		await expect(pollFor('paymentStatusChanged')).rejects.toMatchObject({
			httpCode: String(status),
		});
	}
});
