/** Proposals that alone cannot be read, in the polling trigger. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { poll } from '../../nodes/PortalIoPollingTrigger/poll.ts';
import { ModelService, pollContext, remembered, type ModelRecord } from './pollingModel.mts';

const HOUR = 3600_000;
let service: ModelService;
let memory: Record<string, unknown>;
let log: string[];
let account: object;
/** The proposals that were read in full. */
let reads: number[];
/** The status that reading a proposal ends with, by its ID. */
let failing: Map<number, number>;
/** What happens while a proposal is read. */
let whileReading = () => {};
beforeEach(() => {
	service = new ModelService();
	memory = {};
	log = [];
	account = {};
	reads = [];
	failing = new Map();
	whileReading = () => {};
});

const pollFor = async (event: string, options: object = {}) => {
	const parameters = { event, simplify: false, options };
	const respond = (url: string) => {
		const id = Number(/proposals\/(\d+)$/.exec(url)?.[1]);
		if (id > 0) reads.push(id);
		if (id > 0) whileReading();
		const statusCode = failing.get(id);
		return statusCode
			? { statusCode, body: {}, headers: { 'retry-after': '3600' } }
			: service.respond(url);
	};
	service.requests = 0;
	const output = await poll(pollContext(respond, memory, parameters, { log, account }));
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
		'skips a proposal that this user may not read, and holds back no other one: %s',
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

	it('tries a proposal that could not be read again when it changes, and only then', async () => {
		const broken = create();
		await pollFor('paymentStatusChanged');
		failing.set(broken.id, 403);
		pay(broken, 'Submitted');
		await pollFor('paymentStatusChanged');
		reads = [];
		await pollFor('paymentStatusChanged');
		expect(reads).toEqual([]);
		// As if nothing had changed.
		expect(service.requests).toBe(2);
		failing.clear();
		expect(await pollFor('paymentStatusChanged')).toEqual([]);
		pay(broken, 'Paid');
		expect(await pollFor('paymentStatusChanged')).toMatchObject([{ status: 'Paid' }]);
	});

	it('skips a proposal that cannot be read in the baseline, and never reports its earlier payments', async () => {
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

	it('skips a proposal whose earlier status is not known', async () => {
		const [broken, other] = [create('Accepted'), create('Draft')];
		await pollFor('proposalStatusChanged');
		// As for the oldest of more than 5,000 proposals.
		const { known, ...other_ } = remembered(memory);
		Reflect.deleteProperty(known, String(broken.id));
		memory.state = JSON.stringify({ ...other_, known, isComplete: false });
		failing.set(broken.id, 403);
		later();
		service.modify(broken, () => {});
		service.setStatus(other, 'Submitted');
		expect(await pollFor('proposalStatusChanged')).toMatchObject([{ id: other.id }]);
		expect(log).toEqual([expect.stringContaining(`proposal ${broken.id} could not be read`)]);
	});

	it('remembers the status that it reports of a proposal that this user may not read', async () => {
		const broken = create('Draft');
		await pollFor('proposalStatusChanged');
		failing.set(broken.id, 403);
		for (const [previousStatus, status] of [
			['Draft', 'Submitted'],
			['Submitted', 'Draft'],
		]) {
			later();
			service.setStatus(broken, status!);
			const reported = await pollFor('proposalStatusChanged', { fetchProposal: true });
			expect(reported).toMatchObject([{ status, previousStatus, proposalError: {} }]);
		}
	});

	it('skips all proposals where this user may read none', async () => {
		const records = [create(), create()];
		await pollFor('paymentStatusChanged');
		for (const record of records) pay(record, 'Paid');
		for (const { id } of records) failing.set(id, 403);
		expect(await pollFor('paymentStatusChanged')).toEqual([]);
		expect(log).toHaveLength(2);
	});
});

it.each([
	['paymentRequests', 'Paid', undefined, 0],
	['changeOrders', 'Submitted', undefined, 0],
	['changeOrders', 'Submitted', 'Accepted', 1],
] as const)(
	'decides by dates what is new in a proposal that was not read in the baseline: %s, %s, then %s',
	async (kind, before, after, count) => {
		const event = kind === 'changeOrders' ? 'changeOrderStatusChanged' : 'paymentStatusChanged';
		const broken = create();
		service.setChild(broken, kind, 0, before);
		failing.set(broken.id, 500);
		await pollFor(event);
		failing.clear();
		later();
		service.modify(broken, () => {});
		if (after) service.setChild(broken, kind, 0, after);
		expect(await pollFor(event)).toHaveLength(count);
	},
);

describe('a proposal that alone fails', () => {
	const options = { fetchProposal: true };

	it.each([
		['paymentStatusChanged', 500, 'Portal.io could not process the request'],
		['paymentStatusChanged', 200, 'Unexpected response: Portal.io did not return the proposal'],
		['proposalUpdated', 500, 'Portal.io could not process the request'],
	])(
		'skips a proposal that alone fails in the third poll, and holds back no other one: %s, %i',
		async (event, status, message) => {
			const more = event === 'proposalUpdated' ? options : {};
			const [broken, other] = [create(), create()];
			await pollFor(event);
			failing.set(broken.id, status);
			for (const record of [broken, other]) pay(record, 'Submitted');
			const [reported] = await pollFor(event, more);
			expect(reported).toMatchObject({ proposal: { id: other.id } });
			expect(log).toEqual([expect.stringContaining(message)]);
			await expect(pollFor(event, more)).rejects.toThrow(message);
			const skipped = await pollFor(event, more);
			expect(log[1]).toContain(`proposal ${broken.id} could not be read`);
			const proposalError = { error: message };
			const listed = [{ id: broken.id, proposalError }];
			expect(skipped).toMatchObject(event === 'proposalUpdated' ? listed : []);
			expect(await pollFor(event, more)).toEqual([]);
		},
	);

	it('counts the polls in a row in which a proposal failed', async () => {
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

it('fails every poll when several proposals fail and none can be read', async () => {
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

it('fails a poll that could read none of what the first one has left', async () => {
	for (let count = 0; count < 300; count++) create();
	await pollFor('paymentStatusChanged');
	for (const id of remembered(memory).pending) failing.set(id, 402);
	await expect(pollFor('paymentStatusChanged')).rejects.toMatchObject({ httpCode: '402' });
	failing.clear();
	expect(await pollFor('paymentStatusChanged')).toEqual([]);
	expect(remembered(memory).pending).toEqual([]);
});

it('gives up in an outage only what this user may not read', async () => {
	const [broken, other, hidden] = [create(), create(), create()];
	await pollFor('paymentStatusChanged');
	pay(broken, 'Submitted');
	failing.set(broken.id, 500);
	// Alone, in two polls.
	for (let attempt = 1; attempt <= 2; attempt++) {
		await expect(pollFor('paymentStatusChanged')).rejects.toThrow();
	}
	for (const record of [other, hidden]) pay(record, 'Submitted');
	failing.set(other.id, 500).set(hidden.id, 403);
	await expect(pollFor('paymentStatusChanged')).rejects.toThrow();
	failing.clear();
	const reported = await pollFor('paymentStatusChanged');
	expect(reported).toMatchObject([broken, other].map(({ id }) => ({ proposal: { id } })));
});

it('blames no proposal when the time of a poll ends while it is read', async () => {
	const record = create();
	await pollFor('paymentStatusChanged');
	pay(record, 'Submitted');
	const timeout = vi.spyOn(AbortSignal, 'timeout');
	onTestFinished(() => timeout.mockRestore());
	failing.set(record.id, 500);
	for (let attempt = 1; attempt <= 3; attempt++) {
		const ending = new AbortController();
		timeout.mockReturnValue(ending.signal);
		whileReading = () => ending.abort();
		await expect(pollFor('paymentStatusChanged')).rejects.toThrow('in the time that n8n gives');
	}
	timeout.mockRestore();
	failing.clear();
	expect(await pollFor('paymentStatusChanged')).toMatchObject([{ status: 'Submitted' }]);
});

it.each([401, 402, 429])(
	'blames no proposal for a login or limit that fails with %i',
	async (status) => {
		const record = create();
		account = { username: `${randomUUID()}@example.com` };
		await pollFor('paymentStatusChanged');
		pay(record, 'Submitted');
		failing.set(record.id, status);
		for (let attempt = 1; attempt <= 4; attempt++) {
			await expect(pollFor('paymentStatusChanged')).rejects.toMatchObject({
				httpCode: String(status),
			});
		}
		expect(remembered(memory).failures).toEqual({});
		// What was refused is tried again with another password.
		account = { ...account, password: 'another' };
		failing.clear();
		expect(await pollFor('paymentStatusChanged')).toHaveLength(1);
	},
);
