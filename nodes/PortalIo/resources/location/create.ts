import type { INodeProperties } from 'n8n-workflow';
import { path } from '../../../../client/http/path';
import { contactId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import {
	collectionOf,
	FieldError,
	filledTextOf,
	idOf,
	optionalBooleanOf,
	shortTextOf,
} from '../../shared/values';

const text = (displayName: string, name: string, description?: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	...(description === undefined ? {} : { description }),
});

/** Public reference, 5.5. */
export const create: Operation = {
	name: 'Create',
	action: 'Create location',
	description:
		'Add a location to a contact: where a system is installed, or where bills go. Running it twice adds two.',
	mark: 'docs',
	fields: [
		contactId,
		{ ...text('Street', 'street'), required: true },
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				{
					displayName: 'Billing',
					name: 'isBilling',
					type: 'boolean',
					default: true,
					description: 'Whether bills go here, and no longer to the location that had this mark',
				},
				text('City', 'city'),
				text('Contact Email', 'contactEmail'),
				text('Contact First Name', 'contactFirstName'),
				text('Contact Last Name', 'contactLastName'),
				text('Contact Phone', 'contactPhoneNumber'),
				text('Country', 'country', "Needs the 'State' too"),
				text('Postal Code', 'postalCode'),
				{
					displayName: 'Primary',
					name: 'isPrimary',
					type: 'boolean',
					default: true,
					description: 'Whether this is the main location, in place of the one that had this mark',
				},
				text('State', 'state'),
				text('Suite', 'suite'),
			],
		},
	],
	request: (parameters) => {
		const more = collectionOf(parameters.additionalFields);
		const state = shortTextOf(more.state, 'State', Infinity);
		const country = shortTextOf(more.country, 'Country', Infinity);
		if (country !== undefined && state === undefined) {
			throw new FieldError('State', "is empty: Portal.io wants it with a 'Country'");
		}
		return {
			method: 'POST',
			path: path`/public/people/${idOf(parameters.contactId, 'Contact')}/location`,
			form: {
				Street: shortTextOf(filledTextOf(parameters.street, 'Street'), 'Street', 255),
				Suite: shortTextOf(more.suite, 'Suite', Infinity),
				City: shortTextOf(more.city, 'City', Infinity),
				PostalCode: shortTextOf(more.postalCode, 'Postal Code', Infinity),
				State: state,
				Country: country,
				ContactFirstName: shortTextOf(more.contactFirstName, 'Contact First Name', 50),
				ContactLastName: shortTextOf(more.contactLastName, 'Contact Last Name', 50),
				ContactPhoneNumber: shortTextOf(more.contactPhoneNumber, 'Contact Phone', Infinity),
				ContactEmail: shortTextOf(more.contactEmail, 'Contact Email', Infinity),
				IsPrimary: optionalBooleanOf(more.isPrimary, 'Primary'),
				IsBilling: optionalBooleanOf(more.isBilling, 'Billing'),
			},
		};
	},
};
