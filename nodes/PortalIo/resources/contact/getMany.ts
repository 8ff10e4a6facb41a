import { PARTY_TYPES } from '../../../../client/model';
import { contactShape } from '../../../shared/contact';
import { choices, filters, text } from '../../fields/types';
import { orderOf, paging, simplify, sort } from '../../fields/lists';
import { operation, toPascalCase } from '../../operation/operation';

const SORT_FIELDS = [
	'CreatedDate',
	'FirstName',
	'LastActive',
	'LastActiveByMe',
	'LastName',
	'ModifiedDate',
];

/** docs/dev/portal-api.md#contacts-and-locations */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many contacts',
	description: 'Retrieve a list of contacts, filtered by text or by person and company',
	fields: {
		...paging,
		simplify,
		filters: filters({
			partyTypes: choices('Person or Company', PARTY_TYPES, {
				description: 'Return only people or only companies',
			}),
			searchText: text('Search Text', {
				description: 'Return only contacts with this text in a name or email address',
			}),
		}),
		sort: sort(SORT_FIELDS),
	},
	execute: async (call) => {
		const { filters, sort, returnAll } = call.values;
		const { partyTypes, searchText } = filters;
		const isUsual = sort.sortBy === undefined && sort.sortDirection === undefined;
		const order = isUsual && returnAll ? {} : orderOf(sort, 'CreatedDate');
		const people = await call.readList({
			request: {
				method: 'GET',
				path: '/public/people',
				// Portal.io calls people and companies contact types here.
				query: toPascalCase({ contactTypes: partyTypes, searchText, ...order }),
			},
			records: 'people',
			count: 'peopleCount',
			stableSort: 'CreatedDate',
		});
		// All of them come from the oldest, so that none is lost when another one is added meanwhile.
		return isUsual && returnAll ? people.reverse() : people;
	},
	output: { shape: contactShape },
});
