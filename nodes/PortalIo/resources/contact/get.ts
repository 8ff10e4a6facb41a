import { path } from '../../../../client/http/path';
import { flag, options } from '../../shared/fieldTypes';
import { simplifiedBy, simplify } from '../../shared/lists';
import { contactId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';
import { simplifyContact } from './simplify';

/** docs/portal-api.md#contacts-and-locations */
export const get = operation({
	name: 'Get',
	action: 'Get contact',
	description: 'Read one contact: names, email, phone, locations. Changes nothing.',
	mark: 'docs',
	fields: {
		contactId,
		simplify,
		options: options({
			includeCounts: flag('Include Counts', {
				description:
					'Whether to count the proposals and payments of the contact; turn off Simplify to see them',
			}),
		}),
	},
	request: (values) => ({
		method: 'GET',
		path: path`/public/people/${values.contactId}`,
		query: toWire(values.options),
	}),
	output: simplifiedBy(simplifyContact),
});
