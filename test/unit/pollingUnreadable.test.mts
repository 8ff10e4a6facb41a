/** Tests the polling trigger when some proposals cannot be read. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FORBIDDEN, PolledNode, polledNode } from './polledNode.mts';
import type { ModelRecord } from './pollingModel.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const PAYMENTS = 'paymentStatusChanged';
const FAILED = 'Portal.io could not process the request';

/** Makes reads of proposals fail. The returned map has the status or connection error for each proposal ID. */
const failReads = (n8n: PolledNode) => {
	const failing = new Map<number, number | string>();
	n8n.intercept = (url) => {
		const failure = failing.get(Number(url.split('/').at(-1)));
		if (typeof failure === 'string') throw Object.assign(new Error(failure), { code: failure });
		if (failure === 403) return FORBIDDEN;
		return failure && { statusCode: failure, body: {}, headers: { 'retry-after': '3600' } };
	};
	return failing;
};
const start = async (event: string, count = 2, more: object = {}) => {
	const started = await polledNode(event, count, more);
	const { n8n } = started;
	const pay = (record: ModelRecord, status: string) =>
		n8n.later.service.setChild(record, 'paymentRequests', 0, status);
	return { ...started, failing: failReads(n8n), broken: started.one, other: started.two, pay };
};

it.each([
	[PAYMENTS, 'paymentRequests'],
	['changeOrderStatusChanged', 'changeOrders'],
] as const)('skips a proposal that this user is not allowed to read: %s', async (event, kind) => {
	const { n8n, failing, broken, other } = await start(event);
	failing.set(broken.id, 403);
	for (const status of ['Pending', 'Submitted']) {
		for (const one of [broken, other]) n8n.later.service.setChild(one, kind, 0, status);
		n8n.log.length = 0;
		expect(await n8n.poll()).toMatchObject([{ status, proposal: { id: other.id } }]);
		const line = `proposal ${broken.id} is skipped until its next change: This Portal.io user`;
		expect(n8n.log).toEqual([expect.stringContaining(line)]);
		await n8n.later.poll();
		expect(n8n.reads).not.toContain(broken.id);
	}
	failing.clear();
	expect(await n8n.later.poll()).toEqual([]);
	n8n.later.service.setChild(broken, kind, 0, 'Accepted');
	expect(await n8n.poll()).toMatchObject([{ status: 'Accepted' }]);
});

it.each([
	[500, FAILED],
	[200, 'Unexpected response: Portal.io did not return a proposal'],
])(
	'fails the first poll of an unreadable proposal, and reads the proposal again in each later poll: %i',
	async (status, reason) => {
		const { n8n, failing, broken, other, pay } = await start(PAYMENTS);
		failing.set(broken.id, status);
		pay(broken, 'Submitted');
		const message = `Proposal ${broken.id} could not be read: ${reason}`;
		await expect(n8n.poll()).rejects.toThrow(message);
		for (let polls = 2; polls <= 5; polls++) {
			n8n.log.length = 0;
			expect(await n8n.later.poll()).toEqual([]);
			expect(n8n.log).toEqual([
				`Portal.io Polling Trigger: the next poll will try again: ${message}`,
			]);
		}
		pay(other, 'Submitted');
		expect(await n8n.poll()).toMatchObject([{ proposal: { id: other.id } }]);
		failing.clear();
		expect(await n8n.later.poll()).toMatchObject([{ status: 'Submitted' }]);
		expect(await n8n.later.poll()).toEqual([]);
		expect(n8n.reads).toEqual([]);
	},
);

it('reports the other changes if one proposal cannot be read', async () => {
	const { n8n, failing, broken, other, pay } = await start(PAYMENTS);
	failing.set(broken.id, 500);
	for (const record of [broken, other]) pay(record, 'Submitted');
	expect(await n8n.poll()).toMatchObject([{ proposal: { id: other.id } }]);
	const line = `the rest is left for the next poll: Proposal ${broken.id} could not be read: ${FAILED}`;
	expect(n8n.log).toEqual([`Portal.io Polling Trigger: ${line}`]);
});

it('logs one unreadable proposal and the number of others', async () => {
	const { n8n, failing, records, pay } = await start(PAYMENTS, 3);
	for (const record of records) {
		failing.set(record.id, 500);
		pay(record, 'Submitted');
	}
	await expect(n8n.poll()).rejects.toThrow(FAILED);
	n8n.log.length = 0;
	expect(await n8n.later.poll()).toEqual([]);
	expect(n8n.log).toEqual([expect.stringMatching(/Proposal \d+ could not .* \(and 2 others\)$/)]);
});

it('reports, based on its date, a change order that changes before its proposal is first read', async () => {
	const n8n = new PolledNode('changeOrderStatusChanged');
	const broken = n8n.later.service.create('Submitted');
	n8n.service.setChild(broken, 'changeOrders', 0, 'Submitted');
	const failing = failReads(n8n).set(broken.id, 500);
	expect(await n8n.poll()).toEqual([]);
	failing.clear();
	n8n.later.service.setChild(broken, 'changeOrders', 0, 'Accepted');
	expect(await n8n.poll()).toMatchObject([{ status: 'Accepted', previousStatus: null }]);
});

it.each([
	[404, 'No record found with this ID'],
	[403, 'This Portal.io user does not have permission'],
	[500, FAILED],
])('adds the reason to a change whose proposal cannot be read: %i', async (status, error) => {
	const { n8n, failing, broken } = await start('proposalUpdated', 1, {
		options: { fetchProposal: true },
	});
	failing.set(broken.id, status);
	if (status === 404) {
		const body = { errorCode: 'NotFound', message: 'Not found' };
		n8n.intercept = (url) => (/\/\d+$/.test(url) ? { statusCode: 404, body } : undefined);
	}
	n8n.later.service.modify(broken, () => {});
	expect(await n8n.poll()).toMatchObject([
		{
			id: broken.id,
			proposal: null,
			proposalError: { error: expect.stringContaining(error) },
		},
	]);
	expect(await n8n.later.poll()).toEqual([]);
});

describe('a failure that affects all requests', () => {
	it('reports every change after polls without a response', async () => {
		const { n8n, failing, records, pay } = await start(PAYMENTS, 3);
		for (const record of records) pay(record, 'Submitted');
		for (const { id } of records) failing.set(id, 'ENOTFOUND');
		for (let polls = 1; polls <= 5; polls++) {
			await expect(n8n.later.poll()).rejects.toThrow('Portal.io cannot be reached');
		}
		failing.clear();
		expect(await n8n.later.poll()).toHaveLength(3);
	});

	it('fails each poll while a proxy or firewall rejects a read', async () => {
		const { n8n, broken, pay } = await start(PAYMENTS);
		pay(broken, 'Submitted');
		const blocked = { statusCode: 403, body: '<html>Blocked</html>' };
		n8n.intercept = (url) => (url.endsWith(`/${broken.id}`) ? blocked : undefined);
		for (let polls = 1; polls <= 4; polls++) {
			await expect(n8n.later.poll()).rejects.toThrow('did not come from the Portal.io API');
		}
		n8n.intercept = () => undefined;
		expect(await n8n.later.poll()).toMatchObject([{ status: 'Submitted' }]);
	});

	it.each([401, 402, 429])('stops reading proposals in a poll after status %i', async (status) => {
		const { n8n, failing, broken, records, pay } = await start(PAYMENTS, 6);
		n8n.account = { appKey: randomUUID() };
		for (const { id } of records) failing.set(id, status);
		for (const modified of [[broken], [], [], records.slice(1)]) {
			for (const record of modified) pay(record, 'Submitted');
			await expect(n8n.poll()).rejects.toMatchObject({ httpCode: String(status) });
			// Expect no reads after the first failure, except those that had already begun.
			expect(new Set(n8n.reads).size).toBeLessThanOrEqual(4);
		}
		// Change the key, so the rejected login is tried again.
		n8n.account = { appKey: randomUUID() };
		failing.clear();
		expect(await n8n.later.poll()).toHaveLength(6);
	});

	it('reports the remaining listed changes in the next poll', async () => {
		const options = { fetchProposal: true };
		const { n8n, records } = await start('proposalUpdated', 6, { options });
		for (const record of records) n8n.after(60_000).service.modify(record, () => {});
		let reads = 0;
		n8n.intercept = (url) =>
			/\/\d+$/.test(url) && ++reads > 2 ? { statusCode: 402, body: {} } : undefined;
		const reported = (await n8n.poll()).map(({ id }) => id);
		expect(reported).toHaveLength(2);
		n8n.intercept = () => undefined;
		for (let polls = 1; polls <= 2; polls++) {
			reported.push(...(await n8n.later.poll()).map(({ id }) => id));
		}
		expect(reported).toEqual(records.map(({ id }) => id));
	});
});

it('drops a listed proposal that was deleted before it could be read', async () => {
	const { n8n, broken, other } = await start(PAYMENTS);
	const pending = () => JSON.parse(n8n.database.state as string).pending as number[];
	await n8n.poll();
	n8n.service.modify((n8n.later, broken), () => {});
	const body = { errorCode: 'NotFound', message: 'Not found' };
	n8n.intercept = (url) => (url.endsWith(`/${broken.id}`) ? { statusCode: 404, body } : undefined);
	expect(await n8n.poll()).toEqual([]);
	expect(n8n.log).toEqual([]);
	// Expect another try, because the proposal might be so new that this server does not have it yet.
	expect(pending()).toContain(broken.id);
	n8n.service.records.delete(broken.id);
	n8n.service.modify((n8n.later, other), () => {});
	for (let polls = 1; polls <= 2; polls++) await n8n.later.poll();
	expect(pending()).not.toContain(broken.id);
});

it('continues with the same proposal after a poll reaches its time limit', async () => {
	const { n8n, failing, broken, pay } = await start(PAYMENTS, 1);
	pay(broken, 'Submitted');
	failing.set(broken.id, 500);
	// Leave time for two lists and the failed proposal.
	n8n.requestTime = 8000;
	for (let polls = 1; polls <= 4; polls++) {
		await expect(n8n.poll()).rejects.toThrow('within the time limit');
	}
	failing.clear();
	n8n.requestTime = 0;
	expect(await n8n.poll()).toMatchObject([{ status: 'Submitted' }]);
});
