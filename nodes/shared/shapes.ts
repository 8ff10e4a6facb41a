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

/** Field with the salesperson's name, which lists of proposals and change orders do not contain. */
export const salespersonFields: Shape = {
	salesPersonName: [
		'string',
		'dealer.salesperson.firstName + dealer.salesperson.lastName',
		// In some events, `salesPerson` is the name itself.
		'salesPerson',
	],
};

const proposalIdentity: Shape = {
	proposalId: ['integer', 'id'],
	number: 'integer',
	name: 'string',
	status: 'string',
};

/** Client and total of a proposal. The total has different names in a list, in a full proposal, and in an event. */
const clientAndTotal: Shape = {
	...clientFields,
	proposalTotal: ['number', 'total', 'financialSummary.proposalTotal', 'total.proposalTotal'],
};

export const listedProposalFields: Shape = {
	...proposalIdentity,
	contactId: ['integer?', 'customer.id'],
	...clientAndTotal,
};

/** Name of the user who last modified a proposal. Lists and events do not contain it. */
export const lastModifiedBy: Shape = {
	lastModifiedBy: ['string', 'lastModifiedUser.firstName + lastModifiedUser.lastName'],
};

/** Fields of a proposal in the output of both triggers. Each event adds one field to these. */
export const triggerProposalFields: Shape = { ...proposalIdentity, ...clientAndTotal };

/** Additional fields of a full proposal in the output of both triggers. */
export const triggerDetailFields: Shape = { ...salespersonFields, ...lastModifiedBy };

/** Fields of a change order. The total excludes tax, and has different names in a list and in a full change order. */
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
