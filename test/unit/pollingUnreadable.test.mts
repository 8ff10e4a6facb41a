/** Proposals that alone cannot be read, in the polling trigger. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FORBIDDEN, PolledNode, polledNode } from './polledNode.mts';
import type { ModelRecord } from './pollingModel.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const PAYMENTS = 'paymentStatusChanged';

const start = async (event: string, count = 2, more: object = {}) => {
	const started = await polledNode(event, count, more);
	const { n8n } = started;
	/** The status of the response by ID, or the code of a connection that fails. */
	const failing = new Map<number, number | string>();
	n8n.intercept = (url) => {
		const failure = failing.get(Number(url.split('/').at(-1)));
		if (typeof failure === 'string') throw Object.assign(new Error(failure), { code: failure });
		if (failure === 403) return FORBIDDEN;
		return failure && { statusCode: failure, body: {}, headers: { 'retry-after': '3600' } };
	};
	const pay = (record: ModelRecord, status: string) =>
		n8n.later.service.setChild(record, 'paymentRequests', 0, status);
	return { ...started, failing, broken: started.one, other: started.two, pay };
};

it.each([
	[PAYMENTS, 'paymentRequests'],
	['changeOrderStatusChanged', 'changeOrders'],
] as const)('skips only a proposal that this user may not read: %s', async (event, kind) => {
	const { n8n, failing, broken, other } = await start(event);
	failing.set(broken.id, 403);
	for (const status of ['Pending', 'Submitted']) {
		for (const one of [broken, other]) n8n.later.service.setChild(one, kind, 0, status);
		n8n.log.length = 0;
		expect(await n8n.poll()).toMatchObject([{ status, proposal: { id: other.id } }]);
		expect(n8n.log).toEqual([expect.stringContaining(`proposal ${broken.id} could not be read`)]);
		await n8n.later.poll();
		expect(n8n.reads).not.toContain(broken.id);
	}
	failing.clear();
	expect(await n8n.later.poll()).toEqual([]);
	n8n.later.service.setChild(broken, kind, 0, 'Accepted');
	expect(await n8n.poll()).toMatchObject([{ status: 'Accepted' }]);
});

it.each([
	[PAYMENTS, 500, 'Portal.io could not process the request'],
	[PAYMENTS, 200, 'Unexpected response: Portal.io did not return a proposal'],
	['proposalUpdated', 500, 'Portal.io could not process the request'],
])('skips only a proposal that fails in three polls: %s, %i', async (event, status, message) => {
	const options = { fetchProposal: event === 'proposalUpdated' };
	const { n8n, failing, broken, other, pay } = await start(event, 2, { options });
	failing.set(broken.id, status);
	pay(broken, 'Submitted');
	// At the same time: it is listed again as long as the other one is.
	n8n.service.setChild(other, 'paymentRequests', 0, 'Submitted');
	expect(await n8n.poll()).toMatchObject([{ proposal: { id: other.id } }]);
	expect(n8n.log).toEqual([expect.stringContaining(message)]);
	await expect(n8n.later.poll()).rejects.toThrow(message);
	const listed = [{ id: broken.id, proposal: null, proposalError: { error: message } }];
	expect(await n8n.later.poll()).toMatchObject(options.fetchProposal ? listed : []);
	expect(n8n.log.slice(1)).toEqual([
		expect.stringContaining(`proposal ${broken.id} could not be read: ${message}`),
	]);
	expect(await n8n.later.poll()).toEqual([]);
	failing.clear();
	pay(broken, 'Paid');
	expect(await n8n.poll()).toHaveLength(1);
});

it('skips no proposal whose failed polls are not in a row', async () => {
	const { n8n, failing, broken, pay } = await start(PAYMENTS);
	for (const status of ['Submitted', 'Paid']) {
		pay(broken, status);
		failing.set(broken.id, 500);
		await expect(n8n.later.poll()).rejects.toMatchObject({ httpCode: '500' });
		await expect(n8n.later.poll()).rejects.toMatchObject({ httpCode: '500' });
		failing.clear();
		expect(await n8n.later.poll()).toMatchObject([{ status }]);
	}
});

it.each([
	['Paid', undefined, 0],
	['Submitted', 'Accepted', 1],
])('reports what failed in the baseline by its dates: %s, %s', async (before, after, count) => {
	const kind = after ? 'changeOrders' : 'paymentRequests';
	const event = after ? 'changeOrderStatusChanged' : PAYMENTS;
	const n8n = new PolledNode(event);
	const broken = n8n.later.service.create('Submitted');
	n8n.service.setChild(broken, kind, 0, before);
	n8n.intercept = (url) => (url.endsWith(`/${broken.id}`) ? { statusCode: 500 } : undefined);
	expect(await n8n.poll()).toEqual([]);
	n8n.intercept = () => undefined;
	n8n.later.service.modify(broken, () => {});
	if (after) n8n.service.setChild(broken, kind, 0, after);
	expect(await n8n.poll()).toHaveLength(count);
});

it('skips no proposal whose reads get no response, however often, and reads the others', async () => {
	const { n8n, failing, records, pay } = await start(PAYMENTS, 3);
	const [one, two, hidden] = records;
	for (const record of records) pay(record, 'Submitted');
	failing.set(one!.id, 'ENOTFOUND').set(hidden!.id, 403);
	expect(await n8n.later.poll()).toMatchObject([{ proposal: { id: two!.id } }]);
	for (let polls = 2; polls <= 5; polls++) {
		await expect(n8n.later.poll()).rejects.toThrow('Portal.io cannot be reached');
	}
	failing.clear();
	expect(await n8n.later.poll()).toMatchObject([{ proposal: { id: one!.id } }]);
});

it('skips no proposal whose reads a proxy or firewall rejects, however often', async () => {
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

it('counts no poll in which the list fails', async () => {
	const { n8n, failing, broken, pay } = await start(PAYMENTS);
	pay(broken, 'Submitted');
	failing.set(broken.id, 500);
	const { intercept } = n8n;
	const polls = [false, true, true, true, false].map((isListBroken) => async () => {
		n8n.intercept = (url) => (isListBroken ? { statusCode: 500, body: {} } : intercept(url));
		await expect(n8n.later.poll()).rejects.toMatchObject({ httpCode: '500' });
	});
	for (const poll of polls) await poll();
	n8n.intercept = () => undefined;
	expect(await n8n.later.poll()).toMatchObject([{ status: 'Submitted' }]);
});

it.each([
	['one', [500, 403]],
	['two', [500, 500]],
	['three, with a response that is no proposal', [500, 500, 200]],
] as const)('skips proposals after three polls: %s', async (_what, statuses) => {
	const { n8n, failing, records, pay } = await start(PAYMENTS, 3);
	for (let polls = 1; polls <= 3; polls++) {
		for (const [index, status] of statuses.entries()) {
			pay(records[index]!, `Status ${polls}`);
			if (status) failing.set(records[index]!.id, status);
		}
		if (polls < 3) await expect(n8n.poll()).rejects.toMatchObject({ httpCode: '500' });
	}
	expect(await n8n.poll()).toEqual([]);
	failing.clear();
	expect(await n8n.later.poll()).toEqual([]);
});

it('forgets a proposal that could not be read when it is deleted', async () => {
	const options = { fetchProposal: true };
	const { n8n, failing, broken } = await start('proposalUpdated', 1, { options });
	failing.set(broken.id, 500);
	n8n.later.service.modify(broken, () => {});
	await expect(n8n.poll()).rejects.toMatchObject({ httpCode: '500' });
	n8n.service.records.delete(broken.id);
	expect(await n8n.poll()).toEqual([]);
	expect(JSON.parse(n8n.database.state as string)).toMatchObject({ recheck: [] });
});

it.each([401, 402, 429])('blames no proposal for a login or limit with %i', async (status) => {
	const { n8n, failing, broken, records, pay } = await start(PAYMENTS, 6);
	n8n.account = { appKey: randomUUID() };
	for (const { id } of records) failing.set(id, status);
	for (const modified of [[broken], [], [], records.slice(1)]) {
		for (const record of modified) pay(record, 'Submitted');
		await expect(n8n.poll()).rejects.toMatchObject({ httpCode: String(status) });
		// After the first failure it reads no more than it has begun to.
		expect(new Set(n8n.reads).size).toBeLessThanOrEqual(4);
	}
	// A refused login is tried again with another password.
	n8n.account = { appKey: randomUUID() };
	failing.clear();
	expect(await n8n.later.poll()).toHaveLength(6);
});

it('blames no proposal for the end of the time of a poll', async () => {
	const { n8n, failing, broken, pay } = await start(PAYMENTS, 1);
	pay(broken, 'Submitted');
	failing.set(broken.id, 500);
	// It ends after two lists, with the failed proposal.
	n8n.requestTime = 8000;
	for (let polls = 1; polls <= 4; polls++) {
		await expect(n8n.poll()).rejects.toThrow('within the time limit');
	}
	n8n.requestTime = 0;
	await expect(n8n.poll()).rejects.toMatchObject({ httpCode: '500' });
	failing.clear();
	expect(await n8n.poll()).toMatchObject([{ status: 'Submitted' }]);
});
