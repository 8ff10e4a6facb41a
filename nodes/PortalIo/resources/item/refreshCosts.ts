import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { proposalId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { idOf, idsOf } from '../../shared/values';

/** Path: specification, *Further operations*; body assumed (operations.md, `item`). */
export const refreshCosts: Operation = {
	name: 'Refresh Costs',
	action: 'Refresh costs of items',
	description:
		'Set the costs of items to the latest costs of the catalog, which changes the margin of the proposal and not its prices',
	mark: 'assumed',
	fields: [
		proposalId,
		{
			displayName: 'Item IDs',
			name: 'itemIds',
			type: 'string',
			default: '',
			placeholder: 'e.g. 101, 102',
			description: 'The items to refresh, separated by commas, or a list. Empty: all of them.',
		},
		correctionOptions,
	],
	request: (parameters) => {
		const itemIds = idsOf(parameters.itemIds, 'Item IDs');
		return {
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${idOf(parameters.proposalId, 'Proposal')}/items/costupdate`,
			...assumedBody(itemIds.length === 0 ? {} : { ProposalItemIds: itemIds }, parameters),
		};
	},
};
