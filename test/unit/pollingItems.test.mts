/** The polling trigger's output for payment requests and change orders. */
import { expect, it } from 'vitest';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/events.ts';
import { simplifyTo } from '../../nodes/shared/shape.ts';

const client = (name: string) => ({ id: 1, companyName: name, contactEmail: `${name}@x.io` });
const people = (name: string) => ({
	customer: client(name),
	dealer: { salesperson: { firstName: name } },
});
const proposal = { id: 5, number: 1012, name: 'Den', status: 'Accepted' };

it.each([
	[people('own'), people('other'), 'own'],
	[{}, people('other'), 'other'],
	[{}, {}, null],
])('names the people of a change order, or those of its proposal: %o', (own, parent, name) => {
	const record = { id: 7, status: 'Draft', ...own };
	const changed = { record, previousStatus: 'Sent', proposal: { ...proposal, ...parent } };
	const expected = { clientName: name, clientEmail: name && `${name}@x.io`, salesPersonName: name };
	expect(simplifyTo(pollEvents.changeOrderStatusChanged!.shape, changed)).toMatchObject({
		...{ previousStatus: 'Sent', ...expected },
	});
});

it.each([
	[client('other'), 'other', 'other@x.io'],
	[null, null, null],
	[undefined, null, null],
])('names the client of the proposal with a payment: %o', (customer, clientName, clientEmail) => {
	const record = { id: 7, status: 'Paid', amount: 12.5, dueDate: '2026-05-01' };
	const changed = { record, previousStatus: 'Due', proposal: { ...proposal, customer } };
	expect(simplifyTo(pollEvents.paymentStatusChanged!.shape, changed)).toEqual({
		...{ ...record, previousStatus: 'Due', clientName, clientEmail },
		...{ proposalId: 5, proposalNumber: 1012, proposalName: 'Den' },
	});
});
