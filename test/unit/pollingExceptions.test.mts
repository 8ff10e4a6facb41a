/**
 * Tests the exceptions in docs/triggers.md#missed-and-repeated-changes, in which the polling trigger loses or repeats
 * changes.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PolledNode, polledNode } from './polledNode.mts';
import type { ModelRecord } from './pollingModel.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const PAYMENTS = 'paymentStatusChanged';
const STATUS = 'proposalStatusChanged';

it('ignores a status that changes and changes back between two polls', async () => {
	const { n8n, service, one } = await polledNode(STATUS);
	service.setStatus((n8n.later, one), 'Accepted');
	service.setStatus(one, 'Submitted');
	expect(await n8n.poll()).toEqual([]);
});

it("reports a change again after two polls list the record's previous version", async () => {
	const { n8n, service, one } = await polledNode(STATUS);
	service.modify(one, () => {});
	await n8n.poll();
	const previousVersion = structuredClone(one);
	service.setStatus((n8n.after(60_000), one), 'Accepted');
	expect(await n8n.poll()).toMatchObject([{ status: 'Accepted' }]);
	const reported: unknown[] = [];
	for (const version of [previousVersion, previousVersion, one, one]) {
		service.records.set(one.id, version);
		for (const { status } of await n8n.after(60_000).poll()) reported.push(status);
	}
	expect(reported).toEqual(['Submitted', 'Accepted']);
});

it('misses a payment that changes before its proposal is read', async () => {
	const n8n = new PolledNode(PAYMENTS, {}, 'in memory');
	const records: ModelRecord[] = [];
	const setPayment = (index: number, status: string) =>
		n8n.service.setChild(records[index]!, 'paymentRequests', 0, status);
	for (let index = 0; index < 600; index++) {
		records.push(n8n.after(60_000).service.create('Draft'));
		setPayment(index, 'Submitted');
	}
	// Leave each poll time for fewer than 200 requests.
	n8n.requestTime = 100;
	const poll = async () => await n8n.after(60_000).poll();
	n8n.after(3600_000);
	expect(await poll()).toEqual([]);
	setPayment(0, 'Paid');
	expect(await poll()).toEqual([]);
	for (let polls = 1; polls <= 4; polls++) await poll();
	setPayment(1, 'Paid');
	expect(await poll()).toMatchObject([{ previousStatus: 'Submitted' }]);
});

it('reports the next change of a proposal that the baseline had no time to list', async () => {
	const n8n = new PolledNode(STATUS);
	const records = Array.from({ length: 100 }, () => n8n.later.service.create('Accepted'));
	n8n.service.options.maxPageSize = 2;
	n8n.requestTime = 3000;
	const from = Date.now();
	await n8n.poll();
	expect((Date.now() - from) / 1000).toBeLessThan(120);
	n8n.requestTime = 0;
	const [unlisted, listed] = [records[0]!, records[99]!];
	for (const record of [unlisted, listed]) n8n.later.service.modify(record, () => {});
	expect(await n8n.poll()).toMatchObject([{ id: unlisted.id, previousStatus: null }]);
});

it('ignores old payments of a proposal that the baseline had no time to list', async () => {
	const n8n = new PolledNode(PAYMENTS);
	const records = Array.from({ length: 100 }, () => {
		const record = n8n.later.service.create('Accepted');
		n8n.service.setChild(record, 'paymentRequests', 0, 'Paid');
		return record;
	});
	n8n.service.options.maxPageSize = 2;
	n8n.requestTime = 3000;
	await n8n.poll();
	n8n.requestTime = 0;
	for (const record of [records[0]!, records[99]!]) n8n.later.service.modify(record, () => {});
	expect(await n8n.poll()).toEqual([]);
	n8n.later.service.setChild(records[0]!, 'paymentRequests', 0, 'Refunded');
	expect(await n8n.poll()).toMatchObject([{ previousStatus: 'Paid' }]);
});
