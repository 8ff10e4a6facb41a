/** See docs/dev/portal-api.md#contacts-and-locations. */
import { path } from '../../../client/request';
import type { Shape } from '../../shared/simplify';
import { nameKey } from '../../shared/text';
import * as collection from '../fields/collections';
import * as field from '../fields/fieldTypes';
import { paging } from '../fields/listFields';
import { contactId } from '../fields/locators';
import { invalidField } from '../fields/fieldError';
import { readCreated } from '../operation/changedRecords';
import { runOneRequest, defineOperation, type Resource } from '../operation/operation';
import { addDefaults } from '../operation/output';
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

const locationsRequest = (contactId: number) =>
	request.get(path`/public/people/${contactId}/location`);

const LOCATION_PAGES = { records: 'contactLocations', count: 'locationCount' };

const create = defineOperation({
	name: 'Create',
	action: 'Create location for contact',
	description: 'Add a job site or a billing address to a contact',
	kind: 'change',
	queue: 'contactId',
	fields: {
		contactId,
		street: field.requiredText('Street', { max: 255 }),
		additionalFields: collection.additionalFields({
			isBilling: field.flag('Billing', {
				description: 'Whether to make this the billing address, in place of the current one',
			}),
			city: field.text('City'),
			contactEmail: field.email('Contact Email'),
			contactFirstName: field.text('Contact First Name', { max: 50 }),
			contactLastName: field.text('Contact Last Name', { max: 50 }),
			contactPhoneNumber: field.text('Contact Phone'),
			country: field.text('Country', {
				placeholder: 'e.g. United States',
				description: "Requires 'State'",
			}),
			postalCode: field.text('Postal Code'),
			isPrimary: field.flag('Primary', {
				description: 'Whether to make this the primary location, in place of the current one',
			}),
			state: field.text('State', { placeholder: 'e.g. Colorado' }),
			suite: field.text('Suite'),
		}),
		options: collection.options({
			reuseExisting: field.flag('Reuse Existing Location', {
				description:
					'Whether to return an existing location of the contact instead of creating another, if it has the same street, and the same city and suite if both locations have them. Case, spaces, and punctuation do not matter.',
			}),
		}),
	},
	validate: ({ additionalFields: { country, state } }) => {
		if (country === undefined || state !== undefined) return;
		throw invalidField('State', "is empty: Portal.io requires it with a 'Country'");
	},
	run: async (call) => {
		const { contactId, street, additionalFields, options } = call.values;
		const newLocation = { street, ...additionalFields };
		const pages = { request: locationsRequest(contactId), ...LOCATION_PAGES };
		if (options.reuseExisting) {
			const existing = (await call.readList(pages)).find((one) => isSamePlace(one, newLocation));
			if (existing !== undefined) return [addDefaults(existing, { contactId, reused: true })];
		}
		const response = await call.send(
			request.post(path`/public/people/${contactId}/location`, newLocation),
		);
		const location = await readCreated(call, response, 'street', async (id) => {
			const locations = await call.readList(pages);
			return locations.find((one) => one.id === id) ?? response;
		});
		return [addDefaults(location, { contactId, reused: false })];
	},
	output: {
		flat: { ...locationShape, reused: 'boolean' },
		simplified: [
			'locationId',
			'contactId',
			'street',
			'suite',
			'city',
			'postalCode',
			'state',
			'country',
			'isPrimary',
			'reused',
		],
	},
});

interface Place {
	street?: unknown;
	city?: unknown;
	suite?: unknown;
}

function isSamePlace(one: Place, other: Place): boolean {
	const street = addressKey(one.street);
	const isSameStreet = street !== '' && street === addressKey(other.street);
	return (
		isSameStreet && isSameIfPresent(one.city, other.city) && isSameIfPresent(one.suite, other.suite)
	);
}

function isSameIfPresent(one: unknown, other: unknown): boolean {
	const keys = [addressKey(one), addressKey(other)];
	return keys.includes('') || keys[0] === keys[1];
}

/**
 * Returns an address without spaces and punctuation, except between digits, because `12-1` and `121` are different
 * houses.
 */
function addressKey(text: unknown): string {
	const name = nameKey(text);
	return name.replace(/[^\p{L}\p{N}]+/gu, (gap, start: number) =>
		isDigit(name[start - 1]) && isDigit(name[start + gap.length]) ? ' ' : '',
	);
}

const isDigit = (character = ''): boolean => /\d/.test(character);

const getMany = defineOperation({
	name: 'Get Many',
	action: 'Get many locations for contact',
	description: "Retrieve a list of a contact's locations, the primary one first",
	kind: 'read',
	fields: { contactId, ...paging },
	run: runOneRequest(({ contactId }) => locationsRequest(contactId), {
		pages: LOCATION_PAGES,
		inputFields: ['contactId'],
	}),
	// Make the ID optional, because locations in a list can lack it.
	output: { flat: { ...locationShape, locationId: ['integer?', 'id'] } },
});

export const location: Resource = {
	name: 'Location',
	description: "A contact's job site or billing address",
	operations: { create, getMany },
};
