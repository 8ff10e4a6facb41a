/** The polling trigger over the wire, against the simulator. */
import { beforeEach, describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
import { pollingTriggerNode } from '../../testbed/nodeRunner.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIoPollingTrigger/PortalIoPollingTrigger.node.ts';

const service = restoredService();
beforeEach(() => {
	service.control.clearFaults();
	service.control.clearRequests();
	later(1);
});

const trigger = (event: string, parameters: object = {}) =>
	pollingTriggerNode({
		credential: service.account,
		parameters: { event, simplify: false, ...parameters },
	});
let offset = 0;
/** Lets the service's clock run on. */
const later = (seconds: number) => service.control.setClockOffset((offset += seconds));
const now = () => new Date(Date.now() + offset * 1000).toISOString();
const touch = (proposalId: number, changes: { isArchived?: boolean } = {}) =>
	service.control.updateProposal(proposalId, { lastModifiedDate: now(), ...changes });
const setPayment = (proposalId: number, status: string) => {
	const [payment] = service.control.proposal(proposalId).paymentRequests;
	service.control.updatePayment(payment.id, { status });
	touch(proposalId);
	return payment.id;
};
const { accepted, submitted, staleTheatre, viewed, archived } = seed.proposals;
const changeOrderId = 48301;

describe('the first poll', () => {
	it.each([
		'changeOrderStatusChanged',
		'contactCreatedOrUpdated',
		'paymentStatusChanged',
		'proposalCreated',
		'proposalStatusChanged',
		'proposalUpdated',
	])('records a baseline and reports nothing, and neither does the next: %s', async (event) => {
		const node = trigger(event);
		expect(await node.poll()).toBeNull();
		expect(await node.poll()).toBeNull();
		expect(JSON.parse(JSON.stringify(node.staticData()))).toMatchObject({ source: `${event} 1` });
	});

	it('asks for the newest modifications first, and then only for what is new', async () => {
		const node = trigger('proposalStatusChanged');
		await node.poll();
		service.control.clearRequests();
		await node.poll();
		const queries = service.control.requests.map(({ path, query }) => [
			path,
			Object.fromEntries(new URLSearchParams(query)),
		]);
		const query = {
			SortBy: 'ModifiedDate',
			SortDirection: 'Desc',
			ModifiedAfter: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
			PageNumber: '1',
			PageSize: '100',
		};
		expect(queries).toEqual(
			['false', 'true', 'false'].map((IsArchive) => ['/public/proposals', { ...query, IsArchive }]),
		);
	});
});

describe('a later poll', () => {
	it('reports a new status, and the previous one', async () => {
		const node = trigger('proposalStatusChanged');
		await node.poll();
		service.control.setStatus(submitted, 'ViewedByClient');
		expect(await node.poll()).toMatchObject([
			{ id: submitted, status: 'ViewedByClient', previousStatus: 'Submitted' },
		]);
		touch(submitted);
		expect(await node.poll()).toBeNull();
		service.control.setStatus(submitted, 'Submitted');
		expect(await node.poll()).toMatchObject([{ previousStatus: 'ViewedByClient' }]);
	});

	it('reports a change of an archived proposal, and of one archived meanwhile', async () => {
		const node = trigger('proposalUpdated');
		await node.poll();
		touch(archived);
		touch(staleTheatre, { isArchived: true });
		const reported = await node.poll();
		expect(reported!.map(({ id }) => id).sort()).toEqual([staleTheatre, archived].sort());
		touch(staleTheatre, { isArchived: false });
		expect(await node.poll()).toMatchObject([{ id: staleTheatre }]);
	});

	it('reports a new proposal once, also when it is modified', async () => {
		const [created, updated] = [trigger('proposalCreated'), trigger('proposalUpdated')];
		await created.poll();
		await updated.poll();
		const [id] = service.control.addProposals(1, {
			like: seed.proposals.empty,
			name: 'New',
			createdDate: now(),
		});
		expect(await created.poll()).toMatchObject([{ id, name: 'New' }]);
		expect(await updated.poll()).toBeNull();
		later(5);
		touch(id!);
		expect(await created.poll()).toBeNull();
		expect(await updated.poll()).toMatchObject([{ id }]);
	});

	it('reports the status of a payment, and reads only what was modified', async () => {
		const node = trigger('paymentStatusChanged');
		await node.poll();
		const id = setPayment(accepted, 'Refunded');
		service.control.clearRequests();
		expect(await node.poll()).toMatchObject([
			{
				id,
				status: 'Refunded',
				previousStatus: expect.any(String),
				proposal: { id: accepted, status: 'Accepted' },
			},
		]);
		const details = service.control.requests.filter((one) => one.operationId === 'proposal.get');
		expect(details.map(({ path }) => path)).toContain(`/public/proposals/${accepted}`);
		expect(details.length).toBeLessThanOrEqual(2);
		touch(accepted);
		expect(await node.poll()).toBeNull();
	});

	it('reports the status of a change order', async () => {
		const node = trigger('changeOrderStatusChanged');
		await node.poll();
		service.control.setStatus(changeOrderId, 'Submitted');
		expect(await node.poll()).toMatchObject([
			{
				id: changeOrderId,
				status: 'Submitted',
				previousStatus: 'Draft',
				proposal: { id: accepted },
			},
		]);
		expect(await node.poll()).toBeNull();
		service.control.setStatus(changeOrderId, 'Draft');
	});

	it('reports new and changed contacts', async () => {
		const node = trigger('contactCreatedOrUpdated');
		await node.poll();
		const { customer } = service.control.proposal(accepted);
		service.control.updateContact(customer.id, { firstName: 'Changed', lastModifiedDate: now() });
		const [id] = service.control.addContacts(1, 'New');
		const reported = await node.poll();
		expect(reported!.map(({ firstName }) => firstName).sort()).toEqual(['Changed', 'New']);
		expect(reported!.map((one) => one.id)).toContain(id);
		expect(await node.poll()).toBeNull();
	});

	it('that fails changes nothing, and the next one reports what it did not', async () => {
		const node = trigger('paymentStatusChanged');
		await node.poll();
		const before = JSON.stringify(node.staticData());
		const id = setPayment(accepted, 'Verifying');
		for (const operationId of ['proposal.getMany', 'proposal.get']) {
			service.control.failNext({ operationId, status: 400 });
			await expect(node.poll()).rejects.toMatchObject({ httpCode: '400' });
			// How often the proposal failed is all that is new.
			expect(JSON.stringify({ ...node.staticData(), failures: undefined })).toBe(before);
		}
		expect(await node.poll()).toMatchObject([{ id, status: 'Verifying' }]);
	});

	it('that begins while another one runs leaves the changes to it', async () => {
		const node = trigger('proposalUpdated');
		await node.poll();
		touch(submitted);
		const outcomes = await Promise.all([node.poll(), node.poll()]);
		expect(outcomes.filter((reported) => reported !== null)).toMatchObject([[{ id: submitted }]]);
	});

	it('records a new baseline for another event', async () => {
		const node = trigger('proposalUpdated');
		await node.poll();
		touch(submitted);
		node.node.parameters.event = 'proposalStatusChanged';
		service.control.setStatus(submitted, 'Expired');
		expect(await node.poll()).toBeNull();
		service.control.setStatus(submitted, 'Submitted');
		expect(await node.poll()).toMatchObject([{ previousStatus: 'Expired' }]);
	});

	it("goes by the service's clock, whatever the local one says", async () => {
		const node = trigger('proposalUpdated');
		await node.poll();
		// Behind the newest modification, yet within the time that each poll looks back.
		later(-300);
		touch(viewed);
		expect(await node.poll()).toMatchObject([{ id: viewed }]);
		later(300);
		expect(await node.poll()).toBeNull();
	});
});

describe('a test run', () => {
	it.each<[string, object]>([
		['changeOrderStatusChanged', { previousStatus: null, proposal: { id: accepted } }],
		['contactCreatedOrUpdated', { firstName: expect.any(String) }],
		['paymentStatusChanged', { previousStatus: null, dueDate: expect.any(String) }],
		['proposalCreated', { number: expect.any(Number) }],
		['proposalStatusChanged', { previousStatus: null, number: expect.any(Number) }],
		['proposalUpdated', { number: expect.any(Number) }],
	])('shows a sample and leaves the memory alone: %s', async (event, expected) => {
		const node = trigger(event);
		expect(await node.test()).toMatchObject([expected]);
		expect(node.staticData()).toEqual({});
	});

	it('says so when there is nothing to show', async () => {
		const other = service.credential('otherDealer');
		const node = pollingTriggerNode({
			credential: other,
			parameters: { event: 'paymentStatusChanged' },
		});
		await expect(node.test()).rejects.toThrow('There is nothing yet to show as a sample');
	});
});
