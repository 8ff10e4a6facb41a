import { PARTY_TYPES } from '../../../../client/model';
import { choices, filters, options, text } from '../../shared/fieldTypes';
import { paging, simplifiedBy, simplify, sorting } from '../../shared/lists';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';
import { simplifyContact } from './simplify';

const SORT_FIELDS = [
	'CreatedDate',
	'FirstName',
	'LastActive',
	'LastActiveByMe',
	'LastName',
	'ModifiedDate',
];

/** docs/portal-api.md#contacts-and-locations */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many contacts',
	description: 'List contacts, filtered by text or by person and company. Changes nothing.',
	mark: 'docs',
	fields: {
		...paging,
		simplify,
		filters: filters({
			contactTypes: choices('Contact Types', PARTY_TYPES, {
				description: 'Only persons, or only companies',
			}),
			searchText: text('Search Text', {
				description: 'Only contacts with this text in a name or email address',
			}),
		}),
		options: options(sorting(SORT_FIELDS)),
	},
	request: (values) => ({
		method: 'GET',
		path: '/public/people',
		query: toWire({ ...values.filters, ...values.options }),
	}),
	list: () => ({ records: 'people', count: 'peopleCount', stableSort: 'CreatedDate' }),
	output: simplifiedBy(simplifyContact),
});
