import type { Proposal, ProposalSummary } from '../../client/model';
import type { Shape } from './shape';

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

/** The client is a company, or a person. */
const clientAndSalesperson: Shape = {
	clientName: ['string', 'customer.companyName', 'customer.firstName + customer.lastName'],
	clientEmail: ['string', 'customer.contactEmail'],
	salesPersonName: [
		'string',
		'dealer.salesperson.firstName + dealer.salesperson.lastName',
		'salesPerson',
	],
};

/** The nine fields of a proposal that people map most. Money is in its currency. */
export const proposalFields: Shape = {
	proposalId: ['integer', 'id'],
	number: 'integer',
	name: 'string',
	status: 'string',
	contactId: ['integer?', 'customer.id'],
	...clientAndSalesperson,
	proposalTotal: ['number', 'total', 'financialSummary.proposalTotal', 'total.proposalTotal'],
};

/** A proposal as the ten flat fields that people map. */
export const proposalShape: Shape = { ...proposalFields, lastModifiedDate: 'string' };

/**
 * The nine fields of a change order that people map most. Its total is its own, without tax: a list
 * and the change order in full have different names for it.
 */
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

/** A change order as the ten flat fields that people map. */
export const changeOrderShape: Shape = { ...changeOrderFields, lastModifiedDate: 'string' };
