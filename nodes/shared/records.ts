/** The fields of records that several nodes output. */
import type { Proposal, ProposalSummary } from '../../client/model';
import type { Shape } from './shape';

/** The ten fields of a contact that people map most. */
export const contactShape: Shape = {
	id: 'integer',
	partyType: 'string',
	contactType: 'string',
	firstName: 'string',
	lastName: 'string',
	companyName: 'string',
	email: ['string', 'contactEmail'],
	phone: ['string', 'contactPhone'],
	city: ['string', 'primaryLocation.city'],
	lastModifiedDate: 'string',
};

/** A proposal or change order, from a list, in full, or from an event. */
export type ProposalRecord = Partial<
	Omit<ProposalSummary & Proposal, 'financialSummary' | 'total'>
> & {
	/** For a change order: the proposal that it belongs to. */
	proposalId?: number;
	financialSummary?: { proposalTotal?: number; changeOrderSubtotal?: number } | null;
	/** A number in some events. */
	total?: number | { proposalTotal?: number; changeOrderTotal?: number } | null;
	/** In some events, in place of the dealer's salesperson. */
	salesPerson?: string | null;
};

export const clientFields: Shape = {
	clientName: ['string', 'customer.companyName', 'customer.firstName + customer.lastName'],
	clientEmail: ['string', 'customer.contactEmail'],
};

const clientAndSalesperson: Shape = {
	...clientFields,
	salesPersonName: [
		'string',
		'dealer.salesperson.firstName + dealer.salesperson.lastName',
		'salesPerson',
	],
};

/** The fields that people map most. Money is in the proposal's currency. */
export const proposalFields: Shape = {
	proposalId: ['integer', 'id'],
	number: 'integer',
	name: 'string',
	status: 'string',
	contactId: ['integer?', 'customer.id'],
	...clientAndSalesperson,
	proposalTotal: ['number', 'total', 'financialSummary.proposalTotal', 'total.proposalTotal'],
};

/** The ten fields of a proposal that people map most. */
export const proposalShape: Shape = { ...proposalFields, lastModifiedDate: 'string' };

/** The same for a change order. Its total is without tax, and named differently in a list and in full. */
export const changeOrderFields: Shape = {
	id: 'integer',
	proposalId: 'integer',
	number: 'integer',
	name: 'string',
	status: 'string',
	...clientAndSalesperson,
	changeOrderTotal: [
		'number',
		'total',
		'total.changeOrderTotal',
		'financialSummary.changeOrderSubtotal',
	],
};
