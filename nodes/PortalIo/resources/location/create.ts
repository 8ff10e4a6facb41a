import { path } from '../../../../client/http/path';
import { additionalFields, flag, requiredText, text } from '../../shared/fieldTypes';
import { contactId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { FieldError } from '../../shared/values';
import { toWire } from '../../shared/wire';

const state = text('State');

/** docs/portal-api.md#contacts-and-locations */
export const create = operation({
	name: 'Create',
	action: 'Create location',
	description:
		'Add a location to a contact: where a system is installed, or where bills go. Running it twice adds two.',
	mark: 'docs',
	fields: {
		contactId,
		street: requiredText('Street', { max: 255 }),
		additionalFields: additionalFields({
			isBilling: flag('Billing', {
				description: 'Whether bills go here, and no longer to the location that had this mark',
			}),
			city: text('City'),
			contactEmail: text('Contact Email'),
			contactFirstName: text('Contact First Name', { max: 50 }),
			contactLastName: text('Contact Last Name', { max: 50 }),
			contactPhoneNumber: text('Contact Phone'),
			country: text('Country', { description: "Needs the 'State' too" }),
			postalCode: text('Postal Code'),
			isPrimary: flag('Primary', {
				description: 'Whether this is the main location, in place of the one that had this mark',
			}),
			state,
			suite: text('Suite'),
		}),
	},
	request: ({ contactId, street, additionalFields: more }) => {
		const { suite, city, postalCode, state: stateName, country, ...others } = more;
		if (country !== undefined && stateName === undefined) {
			throw new FieldError(
				state.property.displayName,
				"is empty: Portal.io wants it with a 'Country'",
			);
		}
		return {
			method: 'POST',
			path: path`/public/people/${contactId}/location`,
			form: toWire({ street, suite, city, postalCode, state: stateName, country, ...others }),
		};
	},
});
