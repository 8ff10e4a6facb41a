/** Tests the polling trigger over the wire, with the simulator. */
import { beforeEach, describe, expect, it } from 'vitest';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/pollEvents.ts';
import { restoredService, seed } from './account.mts';

/**
 * Service whose list of contacts includes dates, without which contacts cannot be polled. The documented list lacks
 * them.
 */
const service = restoredService({ listedContacts: 'full' });
beforeEach(async () => await service.control.advance(1));

/** Returns a trigger after its first poll, which has recorded the baseline. */
const triggerWithBaseline = async (event: string, parameters: object = {}) => {
	const node = service.polling(event, parameters);
	await node.poll();
	service.control.clearRequests();
	return node;
};
const now = () => new Date(service.control.now()).toISOString();
const touch = (id: number, changes: { isArchived?: boolean } = {}) =>
	service.control.update('proposals', { id }, { lastModifiedDate: now(), ...changes });
const setPayment = (status: string) => {
	const [payment] = service.control.proposal(accepted).paymentRequests;
	service.control.update('payment_requests', { id: payment.id }, { status });
	touch(accepted);
	return payment as { id: number; status: string; amount: number; dueDate: string };
};
const fullReads = () => service.count('proposal.get');
const { accepted, submitted, staleTheater, viewed, archived } = seed.proposals;
const changeOrderId = seed.changeOrders.draft;
const EVENTS = Object.keys(pollEvents);

const client = { clientName: 'Maren Holt', clientEmail: 'maren.holt@clients.example' };
/** Returns the simplified output of the proposal `submitted` as a list returns it, without a salesperson. */
const submittedItem = () => ({
	proposalId: submitted,
	number: 1009,
	name: 'Holt bedroom televisions',
	status: service.control.proposal(submitted).status,
	...client,
	proposalTotal: 5033.12,
});

describe('a baseline', () => {
	it.each(EVENTS)('is recorded in the first poll: %s', async (event) => {
		const node = service.polling(event);
		expect(await node.poll()).toBeNull();
		expect(await node.poll()).toBeNull();
		expect(node.staticData()).toMatchObject({ owner: expect.any(String) });
	});

	it.each(['proposalUpdated', 'contactCreatedOrUpdated'])(
		'is not recorded from a response that is not a list: %s',
		async (event) => {
			const node = service.polling(event);
			service.control.failNext({ status: 200, body: { maintenance: true }, times: 9 });
			await expect(node.poll()).rejects.toMatchObject({
				message: expect.stringMatching(/^Unexpected response: .* did not return the list/),
				description: expect.stringContaining("an object with 'maintenance'"),
			});
			expect(node.staticData()).toEqual({});
		},
	);

	it('is followed by requests only for later changes, in both lists of proposals', async () => {
		const node = await triggerWithBaseline('proposalStatusChanged');
		const before = JSON.stringify(node.staticData());
		await node.poll();
		expect(JSON.stringify(node.staticData())).toBe(before);
		const queries = service.control.requests.map(({ path, query }) => [
			path,
			Object.fromEntries(new URLSearchParams(query)),
		]);
		// Expect requests for changes since ten minutes and one second before the newest one. The second is necessary,
		// because Portal.io might exclude changes at exactly the requested time.
		const newest = Date.parse(service.control.proposal(viewed).lastModifiedDate);
		const query = {
			SortBy: 'ModifiedDate',
			SortDirection: 'Desc',
			PageNumber: '1',
			PageSize: '100',
			ModifiedAfter: new Date(newest - 601_000).toISOString(),
		};
		expect(queries).toEqual(
			['false', 'true'].map((IsArchive) => ['/public/proposals', { ...query, IsArchive }]),
		);
	});
});

describe('a poll', () => {
	it('reports a new status with the previous one', async () => {
		const node = await triggerWithBaseline('proposalStatusChanged');
		service.control.setStatus(submitted, 'ViewedByClient');
		expect(await node.poll()).toEqual([
			{ ...submittedItem(), status: 'ViewedByClient', previousStatus: 'Submitted' },
		]);
		touch(submitted);
		expect(await node.poll()).toBeNull();
	});

	it('reports changes of archived proposals', async () => {
		const node = await triggerWithBaseline('proposalUpdated');
		touch(archived);
		touch(staleTheater, { isArchived: true });
		const reported = await node.poll();
		const ids = reported!.map(({ proposalId }) => proposalId);
		expect(ids.sort()).toEqual([staleTheater, archived].sort());
		touch(staleTheater, { isArchived: false });
		expect(await node.poll()).toMatchObject([{ proposalId: staleTheater }]);
	});

	it('reports the new status of a payment', async () => {
		const node = await triggerWithBaseline('paymentStatusChanged');
		const payment = setPayment('Refunded');
		expect(await node.poll()).toEqual([
			{
				paymentId: payment.id,
				proposalId: accepted,
				proposalNumber: 1012,
				...client,
				proposalName: 'Holt family room',
				status: 'Refunded',
				previousStatus: payment.status,
				amount: payment.amount,
				dueDate: payment.dueDate,
			},
		]);
		const paths = service.requestsOf('proposal.get').map(({ path }) => path);
		expect(paths).toEqual([`/public/proposals/${accepted}`]);
		touch(accepted);
		expect(await node.poll()).toBeNull();
	});

	it('reports the new status of a change order', async () => {
		const node = await triggerWithBaseline('changeOrderStatusChanged');
		service.control.setStatus(changeOrderId, 'Submitted');
		expect(await node.poll()).toEqual([
			{
				changeOrderId,
				proposalId: accepted,
				number: 1019,
				name: 'Add a subwoofer',
				status: 'Submitted',
				previousStatus: 'Draft',
				...client,
				salesPersonName: 'Avery Lindqvist',
				changeOrderTotal: 1355.25,
			},
		]);
		expect(await node.poll()).toBeNull();
	});

	it('reports a new and a changed contact', async () => {
		const node = await triggerWithBaseline('contactCreatedOrUpdated');
		const id = seed.contacts.withPrimary;
		service.control.update('people', { id }, { firstName: 'Changed', lastModifiedDate: now() });
		const added = service.control.addContact('New');
		const reported = (await node.poll())!;
		expect(reported.map(({ contactId }) => contactId).sort()).toEqual([id, added].sort());
		expect(reported).toContainEqual({
			contactId: id,
			partyType: 'Person',
			contactType: 'Client',
			firstName: 'Changed',
			lastName: 'Holt',
			companyName: null,
			email: 'maren.holt@clients.example',
			phone: '303-555-5101',
			city: expect.any(String),
			lastModifiedDate: expect.any(String),
		});
		expect(await node.poll()).toBeNull();
	});

	it('reports each change in only one of two simultaneous polls', async () => {
		const node = await triggerWithBaseline('proposalUpdated');
		touch(submitted);
		const outcomes = await Promise.all([node.poll(), node.poll()]);
		expect(outcomes.filter((items) => items !== null)).toMatchObject([[{ proposalId: submitted }]]);
	});

	it('records a new baseline when the event changes', async () => {
		const node = await triggerWithBaseline('proposalUpdated');
		touch(submitted);
		node.node.parameters.event = 'proposalStatusChanged';
		service.control.setStatus(submitted, 'Expired');
		expect(await node.poll()).toBeNull();
		service.control.setStatus(submitted, 'Submitted');
		expect(await node.poll()).toMatchObject([{ previousStatus: 'Expired' }]);
	});
});

describe('a test run', () => {
	it.each(EVENTS)('shows a sample without storing any static data: %s', async (event) => {
		const node = service.polling(event);
		const [sample] = (await node.test())!;
		// n8n allows at most ten fields in a simplified output.
		expect(Object.keys(sample!).length).toBeLessThanOrEqual(10);
		if (event.endsWith('StatusChanged')) expect(sample).toMatchObject({ previousStatus: null });
		expect(node.staticData()).toEqual({});
	});

	it('fails if there is no record to show', async () => {
		const node = service.polling('paymentStatusChanged', {}, service.credential('otherDealer'));
		await expect(node.test()).rejects.toMatchObject({
			message: 'No sample record found',
			description: expect.stringMatching(/It found no match \(records checked: \d+\)\./),
		});
	});
});

describe('Include Full Proposal', () => {
	const options = { fetchProposal: true };

	it('outputs the full proposal with the listed status', async () => {
		const node = await triggerWithBaseline('proposalStatusChanged', { options });
		service.control.setStatus(submitted, 'Accepted');
		const gate = service.control.hold('proposal.get');
		const polling = node.poll();
		await gate.arrived(1);
		service.control.setStatus(submitted, 'Declined');
		gate.release();
		expect(await polling).toMatchObject([
			{ proposalId: submitted, status: 'Accepted', salesPersonName: 'Avery Lindqvist' },
		]);
		expect(fullReads()).toBe(1);
	});

	it('with Raw output, adds the full proposal to the listed record', async () => {
		const node = await triggerWithBaseline('proposalUpdated', { options, output: 'raw' });
		touch(viewed);
		const [item] = (await node.poll())!;
		expect(item!.proposal).toEqual(service.control.proposal(viewed));
		expect(item).toMatchObject({ id: viewed, total: { proposalTotal: 7955 } });
		const [sample] = (await service.polling('proposalUpdated', { options, output: 'raw' }).test())!;
		expect(sample!.proposal).toEqual(service.control.proposal(sample!.id as number));
	});

	it('reads only the full proposals whose changes start the workflow', async () => {
		const node = await triggerWithBaseline('proposalStatusChanged', {
			options,
			statuses: ['Accepted'],
		});
		service.control.setStatus(viewed, 'Declined');
		expect(await node.poll()).toBeNull();
		expect(fullReads()).toBe(0);
	});
});

const statuses = '={{ ["Accepted", "Declined"] }}';

describe('chosen statuses', () => {
	it('filter proposals', async () => {
		const node = await triggerWithBaseline('proposalStatusChanged', { statuses });
		service.control.setStatus(submitted, 'ViewedByClient');
		expect(await node.poll()).toBeNull();
		service.control.setStatus(submitted, 'Declined');
		// Expect the status in between, which was not reported but was remembered.
		expect(await node.poll()).toMatchObject([
			{ proposalId: submitted, status: 'Declined', previousStatus: 'ViewedByClient' },
		]);
		service.control.setStatus(submitted, 'Expired');
		node.node.parameters.statuses = ['Expired'];
		expect(await node.poll()).toMatchObject([{ proposalId: submitted, status: 'Expired' }]);
	});

	it('filter change orders and payment requests', async () => {
		const orders = await triggerWithBaseline('changeOrderStatusChanged', { statuses });
		service.control.setStatus(changeOrderId, 'Submitted');
		expect(await orders.poll()).toBeNull();
		service.control.setStatus(changeOrderId, 'Accepted');
		expect(await orders.poll()).toMatchObject([{ previousStatus: 'Submitted' }]);
		const payments = await triggerWithBaseline('paymentStatusChanged', {
			paymentStatuses: ['Paid'],
		});
		setPayment('Verifying');
		expect(await payments.poll()).toBeNull();
		setPayment('Paid');
		expect(await payments.poll()).toMatchObject([{ previousStatus: 'Verifying' }]);
	});
});
