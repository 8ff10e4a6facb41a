/** Shapes of records that several nodes output. They contain the fields that people map most. */
import type { Shape } from './simplify';

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

export const clientFields: Shape = {
	clientName: ['string', 'customer.companyName', 'customer.firstName + customer.lastName'],
	clientEmail: ['string', 'customer.contactEmail'],
};

const clientAndSalesperson: Shape = {
	...clientFields,
	salesPersonName: [
		'string',
		'dealer.salesperson.firstName + dealer.salesperson.lastName',
		// Some events contain the name of the salesperson as text.
		'salesPerson',
	],
};

/** Portal.io names these fields differently in a list, in a full proposal and in an event. */
export const proposalFields: Shape = {
	proposalId: ['integer', 'id'],
	number: 'integer',
	name: 'string',
	status: 'string',
	contactId: ['integer?', 'customer.id'],
	...clientAndSalesperson,
	proposalTotal: ['number', 'total', 'financialSummary.proposalTotal', 'total.proposalTotal'],
};

export const proposalShape: Shape = { ...proposalFields, lastModifiedDate: 'string' };

/** The total excludes tax. A list and a full change order name it differently. */
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
