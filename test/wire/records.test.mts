/** What comes out of operations whose response is not the record that they return. */
import { expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;
const proposalId = seed.proposals.staleTheater;
const firstArea = () => service.control.proposal(proposalId).areas[0];

it('returns the option, in its area, that was created or updated', async () => {
	const { id: areaId, name: areaName } = firstArea();
	const [created] = await run('areaOption.create', {
		proposalId,
		areaId,
		additionalFields: { clientDescription: 'In oak', installerNotes: 'Bring the long ladder' },
	});
	const { id } = firstArea().options.at(-1);
	const option = {
		id,
		proposalId,
		areaId,
		areaOptionId: id,
		areaName,
		status: 'Draft',
		clientDescription: 'In oak',
		installerNotes: 'Bring the long ladder',
		total: 0,
	};
	expect(created).toEqual(option);
	const ids = { proposalId, areaId, areaOptionId: id };
	const updateFields = { clientDescription: '', installerNotes: 'Mind the cat' };
	expect(await run('areaOption.update', { ...ids, updateFields })).toEqual([
		{ ...option, clientDescription: null, installerNotes: 'Mind the cat' },
	]);
});

it('returns created and listed locations with the ID of their contact', async () => {
	const contactId = seed.contacts.withPrimary;
	const [created] = await run('location.create', {
		contactId,
		street: '1 Straße & Co',
		additionalFields: { city: 'Denver', state: 'Colorado', country: 'US', isPrimary: true },
	});
	expect(created).toEqual({
		id: expect.any(Number),
		contactId,
		street: '1 Straße & Co',
		suite: null,
		city: 'Denver',
		postalCode: null,
		state: 'Colorado',
		country: 'US',
		isPrimary: true,
		isBilling: false,
	});
	expect(await run('location.getMany', { contactId, returnAll: true })).toContainEqual(created);
});

it('returns each of the locations that have no ID', async () => {
	const contactLocations = [{ city: 'Denver' }, { city: 'Denver' }, { city: 'Boulder' }];
	const body = { contactLocations, locationCount: 3 };
	service.control.failNext({ operationId: 'location.getMany', status: 200, body });
	const contactId = seed.contacts.withPrimary;
	const found = await run('location.getMany', { contactId, returnAll: true });
	expect(found).toMatchObject(contactLocations.map((one) => ({ contactId, ...one })));
});

it('returns the secret of a subscription only when it is created', async () => {
	const url = 'https://receiver.example.com/portal?x=1&y=2';
	const events = ['proposal.status_changed', 'proposal.build.status_update'];
	const [created] = await run('webhookSubscription.create', { url, events, description: 'Mine' });
	const [stored] = service.control.subscriptions();
	expect(created).toMatchObject({ url, description: 'Mine', enabled: true, events });
	expect(created!.secretKey).toBe(stored!.secret_key);
	const { subscriptionId } = created!;
	const updateFields = { enabled: false, events: [events[0]!], description: '' };
	const updated = await run('webhookSubscription.update', { subscriptionId, updateFields });
	expect(updated).toMatchObject([{ url, enabled: false, events: [events[0]] }]);
	const listed = await run('webhookSubscription.getMany');
	expect(listed).toMatchObject([{ subscriptionId, enabled: false }]);
	expect(JSON.stringify([updated, listed])).not.toContain(stored!.secret_key);
});

it('gives a change order the same amount when it is read as when it is listed', async () => {
	const proposalId = seed.proposals.accepted;
	const listed = await run('changeOrder.getMany', { proposalId });
	expect(listed).not.toEqual([]);
	for (const { id: changeOrderId, changeOrderTotal } of listed) {
		const [order] = await run('changeOrder.get', { proposalId, changeOrderId, simplify: false });
		const { changeOrderSubtotal } = order!.financialSummary as { changeOrderSubtotal: number };
		expect(changeOrderTotal).toBe(changeOrderSubtotal);
		const read = await run('changeOrder.get', { proposalId, changeOrderId });
		expect(read).toMatchObject([{ id: changeOrderId, changeOrderTotal }]);
	}
});

it('returns payment requests, and with the schedule what it plans', async () => {
	const { accepted } = seed.proposals;
	const requested = await run('payment.getMany', { proposalId: accepted });
	expect(requested).toMatchObject([
		{ id: 81001, status: 'Paid', amount: 2500, isScheduled: false, paymentMethod: 'Card' },
		{ id: 81002, status: 'Submitted', amount: 3000, description: 'Equipment delivered' },
	]);
	const options = { includeSchedule: true };
	const all = await run('payment.getMany', { proposalId: accepted, options });
	const planned = all.slice(2);
	expect(planned).toMatchObject([
		{ id: null, status: null, milestone: null, dueDate: expect.any(String), isScheduled: true },
		{ id: null, dueDate: null, milestone: 'Equipment delivered', isScheduled: true },
		{ id: null, dueDate: null, milestone: 'Completion', proposalNumber: 1012 },
	]);
	const { proposalTotal } = service.control.proposal(accepted).financialSummary;
	const sum = planned.reduce((total, { amount }) => total + Number(amount), 0);
	expect(sum).toBeCloseTo(proposalTotal, 2);
});

it('shows first what people look for in the lists of a proposal', async () => {
	const { staleWholeHome: proposalId } = seed.proposals;
	const firstOf = async (operation: Parameters<typeof run>[0], id = proposalId) => {
		const [record] = await run(operation, { proposalId: id });
		return Object.keys(record!).slice(0, 4);
	};
	expect(await firstOf('item.getMany')).toEqual(['id', 'name', 'quantity', 'sellPrice']);
	const area = ['areaName', 'status', 'total', 'totalRecurringService'];
	expect(await firstOf('area.getMany')).toEqual(area);
	const service = ['name', 'quantity', 'sellPrice', 'totalSell'];
	expect(await firstOf('recurringService.getMany')).toEqual(service);
	const payment = ['id', 'status', 'amount', 'dueDate'];
	expect(await firstOf('payment.getMany', seed.proposals.accepted)).toEqual(payment);
});

it('returns each option of each area, with the number of its items', async () => {
	const { staleWholeHome } = seed.proposals;
	const output = await run('area.getMany', { proposalId: staleWholeHome });
	expect(output.map(({ areaName, status, itemCount }) => [areaName, status, itemCount])).toEqual([
		['Lobby', 'Draft', 3],
		['Lobby', 'Draft', 3],
		['Lobby', 'Declined', 2],
		['Rack room', 'Draft', 5],
		['Terrace', 'Draft', 4],
	]);
});

it('returns nothing where there is nothing', async () => {
	const { empty } = seed.proposals;
	for (const name of ['item.getMany', 'area.getMany', 'payment.getMany', 'aiContent.getMany'])
		expect(await run(name, { proposalId: empty }), name).toEqual([]);
});

it('returns no more than Limit of a list that comes in one response', async () => {
	const all = await run('user.getMany', { returnAll: true });
	expect(all.length).toBeGreaterThan(2);
	expect(await run('user.getMany', { limit: 2 })).toEqual(all.slice(0, 2));
});
