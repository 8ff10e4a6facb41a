import { PROPOSAL_STATUSES } from '../../../../client/model';
import { path } from '../../../../client/http/path';
import { choices } from '../../../shared/labels';
import { contactId, paging, simplify, sorting } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import {
	choicesOf,
	collectionOf,
	optionalBooleanOf,
	optionalIdOf,
	optionalTextOf,
} from '../../shared/values';
import { simplifyProposal } from './simplify';

/** `SortBy` of the newer documentation (public reference, 3.1). */
const sort = sorting([
	'ClientName',
	'CreatedDate',
	'LastModifiedByMe',
	'ModifiedDate',
	'Name',
	'Number',
	'Status',
]);

/** Specification, *Listing and reading proposals*; filters: public reference, 3.1. */
export const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many proposals',
	description:
		'List proposals, filtered by text, status, contact or date of change. Gives a summary of each unless its details are asked for. Changes nothing.',
	mark: 'spec',
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
					displayName: 'Archived',
					name: 'isArchive',
					type: 'boolean',
					default: false,
					description: 'Whether to return only archived proposals instead of only the others',
				},
				{ ...contactId, required: false, description: 'Only proposals of this contact' },
				{
					displayName: 'Modified After',
					name: 'modifiedAfter',
					type: 'dateTime',
					default: '',
					description: 'Only proposals that changed after this moment',
				},
				{
					displayName: 'Search Text',
					name: 'searchText',
					type: 'string',
					default: '',
					description: 'Only proposals with this text in their name, number or customer',
				},
				{
					displayName: 'Statuses',
					name: 'statuses',
					type: 'multiOptions',
					options: choices(PROPOSAL_STATUSES),
					default: [],
					description: 'Only proposals in one of these statuses',
				},
			],
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Include Details',
					name: 'includeDetails',
					type: 'boolean',
					default: false,
					description:
						'Whether to read each proposal in full, with areas, items and profit, which takes one more request for each',
				},
				...sort.fields,
			],
		},
	],
	request: (parameters) => {
		const filters = collectionOf(parameters.filters);
		return {
			method: 'GET',
			path: '/public/proposals',
			query: {
				SearchText: optionalTextOf(filters.searchText, 'Search Text'),
				Statuses: choicesOf(filters.statuses, 'Statuses', PROPOSAL_STATUSES),
				ContactId: optionalIdOf(filters.contactId, 'Contact'),
				ModifiedAfter: optionalTextOf(filters.modifiedAfter, 'Modified After'),
				IsArchive: optionalBooleanOf(filters.isArchive, 'Archived'),
				...sort.query(parameters.options),
			},
		};
	},
	list: () => ({ records: 'proposals', count: 'proposalCount', stableSort: 'Number' }),
	detail: (record, parameters) =>
		collectionOf(parameters.options).includeDetails === true
			? { method: 'GET', path: path`/public/proposals/${Number(record.id)}` }
			: undefined,
	output: (answer, { simplify: simple }) => (simple ? simplifyProposal(answer) : answer),
};
