import { path } from '../../../../client/encoding';
import { additionalFields, email, flag, requiredText, text } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { contactId } from '../../fields/locators';
import { operation, toPascalCase } from '../../operation/operation';
import { FieldError } from '../../fields/values';

import { locationShape, withContactId } from './shape';

/** docs/dev/portal-api.md#contacts-and-locations */
export const create = operation({
	name: 'Create',
	action: 'Create location for contact',
	description: 'Add a location to a contact: a site, or a billing address',
	fields: {
		contactId,
		street: requiredText('Street', { max: 255 }),
		additionalFields: additionalFields({
			isBilling: flag('Billing', {
				description: 'Whether this is the billing address, which replaces the current one',
			}),
			city: text('City'),
			contactEmail: email('Contact Email'),
			contactFirstName: text('Contact First Name', { max: 50 }),
			contactLastName: text('Contact Last Name', { max: 50 }),
			contactPhoneNumber: text('Contact Phone'),
			country: text('Country', {
				placeholder: 'e.g. United States',
				description: "Portal.io requires 'State' with it",
			}),
			postalCode: text('Postal Code'),
			isPrimary: flag('Primary', {
				description: 'Whether this is the main location, which replaces the current one',
			}),
			state: text('State', { placeholder: 'e.g. Colorado' }),
			suite: text('Suite'),
		}),
		simplify,
	},
	validate: ({ additionalFields: { country, state } }) => {
		if (country === undefined || state !== undefined) return;
		throw new FieldError('State', "is empty: Portal.io requires it with a 'Country'");
	},
	request: ({ contactId, street, additionalFields: more }) => {
		const { suite, city, postalCode, state, country, ...others } = more;
		return {
			method: 'POST',
			path: path`/public/people/${contactId}/location`,
			form: toPascalCase({ street, suite, city, postalCode, state, country, ...others }),
		};
	},
	output: { shape: locationShape, records: withContactId, raw: 'records' },
});
