/** The fields of records that several nodes output. */
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

export const clientFields: Shape = {
	clientName: ['string', 'customer.companyName', 'customer.firstName + customer.lastName'],
	clientEmail: ['string', 'customer.contactEmail'],
};

const clientAndSalesperson: Shape = {
	...clientFields,
	salesPersonName: [
		'string',
		'dealer.salesperson.firstName + dealer.salesperson.lastName',
		// Its name, in some events.
		'salesPerson',
	],
};

/** The fields of a proposal, from a list, in full or from an event, that people map most. */
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

/** The fields of a change order that people map most. Its total is without tax, and named differently in a list and in full. */
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
