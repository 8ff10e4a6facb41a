/** What the polling trigger says of a payment request or change order, and of its proposal. */
import { expect, it } from 'vitest';
import { outputShapes } from '../../nodes/PortalIoPollingTrigger/items.ts';
import { simplifyTo } from '../../nodes/shared/shape.ts';

const client = (name: string) => ({
	id: 1,
	companyName: name,
	contactEmail: `${name}@example.com`,
});
const salesperson = (firstName: string) => ({ salesperson: { firstName } });
const proposal = { id: 5, number: 1012, name: 'Den', status: 'Accepted' };
const itsOwn = { customer: client('own'), dealer: salesperson('Own') };
const ofProposal = { customer: client('other'), dealer: salesperson('Other') };

it.each([
	[
		itsOwn,
		ofProposal,
		{ clientName: 'own', clientEmail: 'own@example.com', salesPersonName: 'Own' },
	],
	[
		{},
		ofProposal,
		{ clientName: 'other', clientEmail: 'other@example.com', salesPersonName: 'Other' },
	],
	[{}, {}, { clientName: null, clientEmail: null, salesPersonName: null }],
])('names the people of a change order, or those of its proposal: %o', (own, parent, expected) => {
	const record = { id: 7, status: 'Draft', ...own };
	const changed = { record, previousStatus: null, proposal: { ...proposal, ...parent } };
	expect(simplifyTo(outputShapes.changeOrderStatusChanged, changed)).toMatchObject(expected);
});

it.each([
	[client('other'), 'other', 'other@example.com'],
	[null, null, null],
	[undefined, null, null],
])('names the client of the proposal with a payment: %o', (customer, clientName, clientEmail) => {
	const changed = { record: { id: 7, status: 'Paid' }, proposal: { ...proposal, customer } };
	const expected = {
		clientName,
		clientEmail,
		proposalId: 5,
		proposalNumber: 1012,
		proposalName: 'Den',
	};
	expect(simplifyTo(outputShapes.paymentStatusChanged, changed)).toMatchObject(expected);
});
