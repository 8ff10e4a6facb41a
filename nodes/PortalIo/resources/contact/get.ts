import { path } from '../../../../client/encoding';
import { contactShape } from '../../../shared/contact';
import { flag, options } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { contactId } from '../../fields/locators';
import { operation, toPascalCase } from '../../operation/operation';

/** docs/dev/portal-api.md#contacts-and-locations */
export const get = operation({
	name: 'Get',
	action: 'Get contact',
	description:
		"Retrieve a contact: names, email, phone and city; without 'Simplify' also its locations",
	fields: {
		contactId,
		simplify,
		options: options({
			includeCounts: flag('Include Counts', {
				description:
					"Whether to count the proposals and payments of the contact; turn off 'Simplify' to see them",
			}),
		}),
	},
	request: (values) => ({
		method: 'GET',
		path: path`/public/people/${values.contactId}`,
		query: toPascalCase(values.options),
	}),
	output: { shape: contactShape },
});
