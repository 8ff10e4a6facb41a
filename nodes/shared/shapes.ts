/** Shapes of records that several nodes output. They contain the fields that people map most. */
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

/** Lists of proposals and change orders lack the salesperson. */
export const salespersonFields: Shape = {
	salesPersonName: [
		'string',
		'dealer.salesperson.firstName + dealer.salesperson.lastName',
		// Some events contain the name of the salesperson as text.
		'salesPerson',
	],
};

const proposalIdentity: Shape = {
	proposalId: ['integer', 'id'],
	number: 'integer',
	name: 'string',
	status: 'string',
};

/** Portal.io names these fields differently in a list, in a full proposal, and in an event. */
const clientAndTotal: Shape = {
	...clientFields,
	proposalTotal: ['number', 'total', 'financialSummary.proposalTotal', 'total.proposalTotal'],
};

export const listedProposalFields: Shape = {
	...proposalIdentity,
	contactId: ['integer?', 'customer.id'],
	...clientAndTotal,
};

/** The name of the user who modified a proposal last. Lists and events lack it. */
export const lastModifiedBy: Shape = {
	lastModifiedBy: ['string', 'lastModifiedUser.firstName + lastModifiedUser.lastName'],
};

/** The fields about a proposal in the triggers. Each event adds one. */
export const triggerProposalFields: Shape = { ...proposalIdentity, ...clientAndTotal };

/** The fields about a proposal in the triggers that lists lack. */
export const triggerDetailFields: Shape = { ...salespersonFields, ...lastModifiedBy };

/** The total excludes tax. A list and a full change order name it differently. */
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
