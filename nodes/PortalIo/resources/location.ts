/** docs/dev/portal-api.md#contacts-and-locations */
import { path } from '../../../client/request';
import type { Shape } from '../../shared/simplify';
import * as collection from '../fields/collections';
import * as field from '../fields/kinds';
import { paging } from '../fields/listing';
import { contactId } from '../fields/locators';
import { invalidField } from '../fields/fieldError';
import { oneRequest, operation, type Resource } from '../operation/operation';
import { request } from '../operation/requests';

const locationShape: Shape = {
	locationId: ['integer', 'id'],
	contactId: 'integer',
	street: 'string',
	suite: 'string',
	city: 'string',
	postalCode: 'string',
	state: 'string',
	country: 'string',
	isPrimary: 'boolean',
	isBilling: 'boolean',
	stateAbbrev: 'string',
	phone: 'string',
	contactFirstName: 'string',
	contactLastName: 'string',
	contactEmail: 'string',
	contactPhoneNumber: 'string',
};

const create = operation({
	name: 'Create',
	action: 'Create location for contact',
	description: 'Add a location to a contact: a site, or a billing address',
	kind: 'change',
	queue: 'contactId',
	fields: {
		contactId,
		street: field.requiredText('Street', { max: 255 }),
		additionalFields: collection.additionalFields({
			isBilling: field.flag('Billing', {
				description: 'Whether this is the billing address. Replaces the current one.',
			}),
			city: field.text('City'),
			contactEmail: field.email('Contact Email'),
			contactFirstName: field.text('Contact First Name', { max: 50 }),
			contactLastName: field.text('Contact Last Name', { max: 50 }),
			contactPhoneNumber: field.text('Contact Phone'),
			country: field.text('Country', {
				placeholder: 'e.g. United States',
				description: "Requires a 'State' too",
			}),
			postalCode: field.text('Postal Code'),
			isPrimary: field.flag('Primary', {
				description: 'Whether this is the primary location. Replaces the current one.',
			}),
			state: field.text('State', { placeholder: 'e.g. Colorado' }),
			suite: field.text('Suite'),
		}),
	},
	validate: ({ additionalFields: { country, state } }) => {
		if (country === undefined || state !== undefined) return;
		throw invalidField('State', "is empty: Portal.io requires it with a 'Country'");
	},
	run: oneRequest(
		({ contactId, street, additionalFields }) =>
			request.post(path`/public/people/${contactId}/location`, { street, ...additionalFields }),
		{ inputFields: ['contactId'] },
	),
	output: { flat: locationShape },
});

const getMany = operation({
	name: 'Get Many',
	action: 'Get many locations for contact',
	description: 'Retrieve a list of the locations of a contact, the primary one first',
	kind: 'read',
	fields: { contactId, ...paging },
	run: oneRequest(({ contactId }) => request.get(path`/public/people/${contactId}/location`), {
		pages: { records: 'contactLocations', count: 'locationCount' },
		inputFields: ['contactId'],
	}),
	// Locations in a list may have no ID.
	output: { flat: { ...locationShape, locationId: ['integer?', 'id'] } },
});

export const location: Resource = {
	name: 'Location',
	description: 'An address of a contact',
	operations: { create, getMany },
};
