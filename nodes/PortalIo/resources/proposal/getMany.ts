import { PROPOSAL_STATUSES } from '../../../../client/model';
import { path } from '../../../../client/http/path';
import { optional } from '../../shared/field';
import { choices, date, filters, flag, options, text } from '../../shared/fieldTypes';
import { paging, simplifiedBy, simplify, sorting } from '../../shared/lists';
import { contactId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';
import { simplifyProposal } from './simplify';

const SORT_FIELDS = [
	'ClientName',
	'CreatedDate',
	'LastModifiedByMe',
	'ModifiedDate',
	'Name',
	'Number',
	'Status',
];

/** docs/portal-api.md#proposals */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many proposals',
	description:
		'List proposals, filtered by text, status, contact or date of change. Gives a summary of each unless its details are asked for. Changes nothing.',
	mark: 'spec',
	fields: {
		...paging,
		simplify,
		filters: filters({
			isArchive: flag('Archived', {
				default: false,
				description: 'Whether to return only archived proposals instead of only the others',
			}),
			contactId: optional(contactId, { description: 'Only proposals of this contact' }),
			modifiedAfter: date('Modified After', {
				description: 'Only proposals that changed after this moment',
			}),
			searchText: text('Search Text', {
				description: 'Only proposals with this text in their name, number or customer',
			}),
			statuses: choices('Statuses', PROPOSAL_STATUSES, {
				description: 'Only proposals in one of these statuses',
			}),
		}),
		options: options({
			includeDetails: flag('Include Details', {
				default: false,
				description:
					'Whether to read each proposal in full, with areas, items and profit, which takes one more request for each',
			}),
			...sorting(SORT_FIELDS),
		}),
	},
	request: ({ filters, options: { sortBy, sortDirection } }) => ({
		method: 'GET',
		path: '/public/proposals',
		query: toWire({ ...filters, sortBy, sortDirection }),
	}),
	list: () => ({ records: 'proposals', count: 'proposalCount', stableSort: 'Number' }),
	detail: ({ id }, { options: { includeDetails } }) =>
		includeDetails ? { method: 'GET', path: path`/public/proposals/${Number(id)}` } : undefined,
	output: simplifiedBy(simplifyProposal),
});
