import { PARTY_TYPES } from '../../../../client/model';
import { choices } from '../../../shared/labels';
import { paging, simplify, sorting } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { choicesOf, collectionOf, optionalTextOf } from '../../shared/values';
import { simplifyContact } from './simplify';

/** `SortBy` of the newer documentation (public reference, 5.1). */
const sort = sorting([
	'CreatedDate',
	'FirstName',
	'LastActive',
	'LastActiveByMe',
	'LastName',
	'ModifiedDate',
]);

/** Public reference, 5.1. */
export const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many contacts',
	description: 'List contacts, filtered by text or by person and company. Changes nothing.',
	mark: 'docs',
	fields: [
		...paging,
		simplify,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'Contact Types',
					name: 'contactTypes',
					type: 'multiOptions',
					options: choices(PARTY_TYPES),
					default: [],
					description: 'Only persons, or only companies',
				},
				{
					displayName: 'Search Text',
					name: 'searchText',
					type: 'string',
					default: '',
					description: 'Only contacts with this text in a name or e-mail address',
				},
			],
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: sort.fields,
		},
	],
	request: (parameters) => {
		const filters = collectionOf(parameters.filters);
		return {
			method: 'GET',
			path: '/public/people',
			query: {
				SearchText: optionalTextOf(filters.searchText, 'Search Text'),
				ContactTypes: choicesOf(filters.contactTypes, 'Contact Types', PARTY_TYPES),
				...sort.query(parameters.options),
			},
		};
	},
	list: () => ({ records: 'people', count: 'peopleCount', stableSort: 'CreatedDate' }),
	output: (answer, { simplify: simple }) => (simple ? simplifyContact(answer) : answer),
};
