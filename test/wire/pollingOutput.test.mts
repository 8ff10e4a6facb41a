/** What the polling trigger starts a workflow with, and on which statuses. */
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

let offset = 0;
/** Lets the service's clock run on. */
const later = (seconds: number) => service.control.setClockOffset((offset += seconds));
const now = () => new Date(Date.now() + offset * 1000).toISOString();
const touch = (proposalId: number) =>
	service.control.updateProposal(proposalId, { lastModifiedDate: now() });
const setPayment = (status: string) => {
	const [payment] = service.control.proposal(accepted).paymentRequests;
	service.control.updatePayment(payment.id, { status });
	touch(accepted);
	return payment as { id: number; amount: number; dueDate: string };
};
const { accepted, submitted, submittedToo, viewed } = seed.proposals;
const changeOrderId = 48301;

/** A node that has recorded its baseline. */
const active = async (event: string, parameters: object = {}) => {
	const node = pollingTriggerNode({
		credential: service.account,
		parameters: { event, ...parameters },
	});
	await node.poll();
	service.control.clearRequests();
	return node;
};
const readsInFull = () =>
	service.control.requests.filter(({ operationId }) => operationId === 'proposal.get').length;

const PROPOSAL = [
	'proposalId',
	'number',
	'name',
	'status',
	'customerName',
	'customerEmail',
	'salesPersonName',
	'proposalTotal',
	'lastModifiedDate',
];
/** The proposal `submitted`, of a private customer. */
const listed = () => ({
	proposalId: submitted,
	number: 1009,
	name: 'Holt bedroom televisions',
	status: service.control.proposal(submitted).status,
	customerName: 'Maren Holt',
	customerEmail: 'maren.holt@clients.example',
	// The list does not name them.
	salesPersonName: null as string | null,
	proposalTotal: 5033.12,
	lastModifiedDate: service.control.proposal(submitted).lastModifiedDate,
});

describe('the simplified output', () => {
	it('of a new status is the flat proposal and the previous status', async () => {
		const node = await active('proposalStatusChanged');
		service.control.setStatus(submitted, 'ViewedByClient');
		const [item] = (await node.poll())!;
		expect(Object.keys(item!)).toEqual([...PROPOSAL, 'previousStatus']);
		expect(item).toEqual({
			...listed(),
			status: 'ViewedByClient',
			previousStatus: 'Submitted',
		});
		service.control.setStatus(submitted, 'Submitted');
		expect(await node.poll()).toMatchObject([{ previousStatus: 'ViewedByClient' }]);
	});

	it.each(['proposalCreated', 'proposalUpdated'])('of %s is the flat proposal', async (event) => {
		const node = await active(event);
		service.control.addProposals(1, { like: submitted, name: 'New', createdDate: now() });
		touch(submitted);
		const items = (await node.poll())!;
		expect(items).toHaveLength(1);
		expect(Object.keys(items[0]!)).toEqual(PROPOSAL);
		if (event === 'proposalUpdated') expect(items).toEqual([listed()]);
		else expect(items).toMatchObject([{ name: 'New', customerName: 'Maren Holt' }]);
	});

	it('names a company by its name', async () => {
		const node = await active('proposalUpdated');
		touch(submittedToo);
		expect(await node.poll()).toMatchObject([
			{ customerName: 'Quarry Street Hospitality', customerEmail: 'theo@quarrystreet.example' },
		]);
	});

	it('of a payment request is flat, with its proposal and customer', async () => {
		const node = await active('paymentStatusChanged');
		const before = service.control.proposal(accepted).paymentRequests[0].status;
		const payment = setPayment('Refunded');
		const items = await node.poll();
		expect(Object.keys(items![0]!)).toHaveLength(10);
		expect(items).toEqual([
			{
				id: payment.id,
				proposalId: accepted,
				proposalNumber: 1012,
				proposalName: 'Holt family room',
				status: 'Refunded',
				previousStatus: before,
				amount: payment.amount,
				dueDate: payment.dueDate,
				customerName: 'Maren Holt',
				customerEmail: 'maren.holt@clients.example',
			},
		]);
		setPayment(before);
	});

	it('of a change order is flat, with the ID of its proposal', async () => {
		const node = await active('changeOrderStatusChanged');
		service.control.setStatus(changeOrderId, 'Submitted');
		const items = await node.poll();
		expect(Object.keys(items![0]!)).toHaveLength(10);
		expect(items).toEqual([
			{
				id: changeOrderId,
				proposalId: accepted,
				number: 1019,
				name: 'Add a subwoofer',
				status: 'Submitted',
				customerName: 'Maren Holt',
				customerEmail: 'maren.holt@clients.example',
				// That of the proposal.
				salesPersonName: 'Avery Lindqvist',
				proposalTotal: 1458.92,
				previousStatus: 'Draft',
			},
		]);
		service.control.setStatus(changeOrderId, 'Draft');
	});

	it('of a contact is flat', async () => {
		const node = await active('contactCreatedOrUpdated');
		const { withPrimary } = seed.contacts;
		service.control.updateContact(withPrimary, { lastModifiedDate: now() });
		expect(await node.poll()).toEqual([
			{
				id: withPrimary,
				partyType: 'Person',
				contactType: 'Client',
				firstName: 'Maren',
				lastName: 'Holt',
				companyName: null,
				email: 'maren.holt@clients.example',
				phone: '303-555-5101',
				city: expect.any(String),
				lastModifiedDate: expect.any(String),
			},
		]);
	});

	it.each([
		'changeOrderStatusChanged',
		'contactCreatedOrUpdated',
		'paymentStatusChanged',
		'proposalCreated',
		'proposalStatusChanged',
		'proposalUpdated',
	])('has the same fields in a test run: %s', async (event) => {
		const [sample] = (await pollingTriggerNode({
			credential: service.account,
			parameters: { event },
		}).test())!;
		const count = /^proposal(Created|Updated)/.test(event) ? 9 : 10;
		expect(Object.keys(sample!)).toHaveLength(count);
		expect(sample).not.toHaveProperty('proposal');
	});
});

describe('the fetched proposal', () => {
	const options = { fetchProposal: true };

	it.each(['proposalCreated', 'proposalStatusChanged', 'proposalUpdated'])(
		'fills the flat fields: %s',
		async (event) => {
			const node = await active(event, { options });
			const [created] = service.control.addProposals(1, {
				like: submitted,
				createdDate: now(),
			});
			later(1);
			service.control.setStatus(created!, 'Accepted');
			expect(await node.poll()).toMatchObject([
				{
					proposalId: created,
					status: 'Accepted',
					customerName: 'Maren Holt',
					salesPersonName: 'Avery Lindqvist',
				},
			]);
			expect(readsInFull()).toBeGreaterThan(0);
		},
	);

	it('stands beside the record that was listed without Simplify', async () => {
		const node = await active('proposalUpdated', { options, simplify: false });
		touch(viewed);
		const [item] = (await node.poll())!;
		expect(item!.proposal).toEqual(service.control.proposal(viewed));
		expect(item).toMatchObject({ id: viewed, total: { proposalTotal: 7955 } });
	});

	it('is read for the changes alone that the workflow starts on', async () => {
		const node = await active('proposalStatusChanged', { options, statuses: ['Accepted'] });
		service.control.setStatus(viewed, 'Declined');
		expect(await node.poll()).toBeNull();
		expect(readsInFull()).toBe(0);
		service.control.setStatus(viewed, 'ViewedByClient');
	});

	it.each([true, false])(
		'that was deleted meanwhile leaves what was listed (simplify: %s)',
		async (simplify) => {
			const node = await active('proposalUpdated', { options, simplify });
			touch(submitted);
			service.control.failNext({ operationId: 'proposal.get', status: 404 });
			const items = await node.poll();
			if (simplify) expect(items).toEqual([listed()]);
			else expect(items).toMatchObject([{ id: submitted, proposal: null }]);
			expect(await node.poll()).toBeNull();
		},
	);

	it('that cannot be read fails the poll, and the next one reports the change', async () => {
		const node = await active('proposalUpdated', { options });
		const before = JSON.stringify(node.staticData());
		touch(submitted);
		service.control.failNext({ operationId: 'proposal.get', status: 402 });
		await expect(node.poll()).rejects.toMatchObject({ httpCode: '402' });
		expect(JSON.stringify(node.staticData())).toBe(before);
		expect(await node.poll()).toMatchObject([{ proposalId: submitted }]);
	});

	it('that this user may not read does not hold back the change', async () => {
		const node = await active('proposalUpdated', { options });
		touch(submitted);
		service.control.failNext({ operationId: 'proposal.get', status: 403 });
		expect(await node.poll()).toMatchObject([
			{
				proposalId: submitted,
				proposalError: 'This Portal.io user does not have permission to do this',
			},
		]);
	});

	it('comes with a test run', async () => {
		const parameters = { event: 'proposalUpdated', options, simplify: false };
		const [sample] = (await pollingTriggerNode({
			credential: service.account,
			parameters,
		}).test())!;
		expect(sample!.proposal).toEqual(service.control.proposal(sample!.id as number));
	});
});

describe('the chosen statuses', () => {
	it.each<[string, unknown]>([
		['a multi-select', ['Accepted', 'Declined']],
		['text', 'Accepted, Declined'],
		['an expression', '={{ ["Accepted", "Declined"] }}'],
	])('decide what a proposal starts, given as %s', async (_how, statuses) => {
		const node = await active('proposalStatusChanged', { statuses });
		service.control.setStatus(submitted, 'ViewedByClient');
		expect(await node.poll()).toBeNull();
		service.control.setStatus(submitted, 'Declined');
		// The status in between was not reported, and not forgotten.
		expect(await node.poll()).toMatchObject([
			{ proposalId: submitted, status: 'Declined', previousStatus: 'ViewedByClient' },
		]);
		service.control.setStatus(submitted, 'Submitted');
		expect(await node.poll()).toBeNull();
		service.control.setStatus(submitted, 'Declined');
		expect(await node.poll()).toMatchObject([{ previousStatus: 'Submitted' }]);
		service.control.setStatus(submitted, 'Submitted');
	});

	it('decide what a change order starts', async () => {
		const node = await active('changeOrderStatusChanged', { statuses: ['Accepted'] });
		service.control.setStatus(changeOrderId, 'Submitted');
		expect(await node.poll()).toBeNull();
		service.control.setStatus(changeOrderId, 'Accepted');
		expect(await node.poll()).toMatchObject([
			{ id: changeOrderId, status: 'Accepted', previousStatus: 'Submitted' },
		]);
		service.control.setStatus(changeOrderId, 'Draft');
	});

	it('decide what a payment request starts', async () => {
		const node = await active('paymentStatusChanged', { paymentStatuses: ['Paid', 'Cancelled'] });
		const { id } = setPayment('Verifying');
		expect(await node.poll()).toBeNull();
		setPayment('Paid');
		expect(await node.poll()).toMatchObject([{ id, status: 'Paid', previousStatus: 'Verifying' }]);
		setPayment('Refunded');
		expect(await node.poll()).toBeNull();
	});

	it('do not concern other events', async () => {
		const node = await active('proposalUpdated', {
			statuses: ['Accepted'],
			paymentStatuses: ['Paid'],
		});
		touch(submitted);
		expect(await node.poll()).toMatchObject([{ proposalId: submitted, status: 'Submitted' }]);
	});

	it('do not change what is remembered', async () => {
		const all = await active('proposalStatusChanged');
		const some = await active('proposalStatusChanged', { statuses: ['Expired'] });
		for (const status of ['ViewedByClient', 'Expired', 'Submitted']) {
			service.control.setStatus(submitted, status);
			expect(await all.poll()).toMatchObject([{ status }]);
			if (status === 'Expired') expect(await some.poll()).toMatchObject([{ status }]);
			else expect(await some.poll()).toBeNull();
			expect(some.staticData()).toEqual(all.staticData());
		}
	});

	it('can be changed without a new baseline', async () => {
		const node = await active('proposalStatusChanged', { statuses: ['Expired'] });
		service.control.setStatus(submitted, 'ViewedByClient');
		node.node.parameters.statuses = ['ViewedByClient'];
		expect(await node.poll()).toMatchObject([{ proposalId: submitted, status: 'ViewedByClient' }]);
		service.control.setStatus(submitted, 'Submitted');
	});

	it.each<[string[], object]>([
		[['ViewedByClient'], { proposalId: viewed, status: 'ViewedByClient' }],
		// There is none: any other shows the fields too.
		[['Renegotiated'], { previousStatus: null }],
	])('choose the sample of a test run: %o', async (statuses, expected) => {
		const parameters = { event: 'proposalStatusChanged', statuses };
		expect(
			await pollingTriggerNode({ credential: service.account, parameters }).test(),
		).toMatchObject([expected]);
	});
});
