/** Shapes of records that several nodes output, with the fields that people map most. */
import type { Shape } from './simplify';

export const contactShape: Shape = {
	contactId: ['integer', 'id'],
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

export const clientFields: Shape = {
	clientName: ['string', 'customer.companyName', 'customer.firstName + customer.lastName'],
	clientEmail: ['string', 'customer.contactEmail'],
};

/** Fields of the salesperson, who is missing from lists of proposals and change orders. */
export const salespersonFields: Shape = {
	salesPersonName: [
		'string',
		'dealer.salesperson.firstName + dealer.salesperson.lastName',
		// Some events contain the name as text.
		'salesPerson',
	],
};

const proposalIdentity: Shape = {
	proposalId: ['integer', 'id'],
	number: 'integer',
	name: 'string',
	status: 'string',
};

/** Client and total, whose names differ in a list, in a full proposal, and in an event. */
const clientAndTotal: Shape = {
	...clientFields,
	proposalTotal: ['number', 'total', 'financialSummary.proposalTotal', 'total.proposalTotal'],
};

export const listedProposalFields: Shape = {
	...proposalIdentity,
	contactId: ['integer?', 'customer.id'],
	...clientAndTotal,
};

/** Name of the user who last modified a proposal. Lists and events lack it. */
export const lastModifiedBy: Shape = {
	lastModifiedBy: ['string', 'lastModifiedUser.firstName + lastModifiedUser.lastName'],
};

/** Fields of a proposal in the output of both triggers. Each event adds one. */
export const triggerProposalFields: Shape = { ...proposalIdentity, ...clientAndTotal };

/** Additional fields of a full proposal in the output of both triggers. */
export const triggerDetailFields: Shape = { ...salespersonFields, ...lastModifiedBy };

/** Fields of a change order. The total excludes tax. Its name differs in a list and in a full change order. */
export const changeOrderFields: Shape = {
	changeOrderId: ['integer', 'id'],
	proposalId: 'integer',
	number: 'integer',
	name: 'string',
	status: 'string',
	...clientFields,
	changeOrderTotal: [
		'number',
		'total',
		'total.changeOrderTotal',
		'financialSummary.changeOrderSubtotal',
	],
};
