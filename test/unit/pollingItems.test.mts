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
	const changed = { record, previousStatus: 'Sent', proposal: { ...proposal, ...parent } };
	const shown = simplifyTo(outputShapes.changeOrderStatusChanged, changed);
	expect(shown).toMatchObject({ previousStatus: 'Sent', ...expected });
});

it.each([
	[client('other'), 'other', 'other@example.com'],
	[null, null, null],
	[undefined, null, null],
])('names the client of the proposal with a payment: %o', (customer, clientName, clientEmail) => {
	const record = { id: 7, status: 'Paid', amount: 12.5, dueDate: '2026-05-01' };
	const changed = { record, previousStatus: 'Due', proposal: { ...proposal, customer } };
	expect(simplifyTo(outputShapes.paymentStatusChanged, changed)).toEqual({
		...{ ...record, previousStatus: 'Due', clientName, clientEmail },
		...{ proposalId: 5, proposalNumber: 1012, proposalName: 'Den' },
	});
});
