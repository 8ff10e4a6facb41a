import {
	anyItemIds,
	narrowing,
	oneRequest,
	operation,
	path,
	proposalId,
	refreshedOutput,
} from '../kit';
import { assumedFields } from './values';

/** docs/dev/portal-api.md#items */
export const refreshCosts = operation({
	name: 'Refresh Costs',
	action: 'Refresh costs of items',
	description:
		'Set the costs of items to the latest costs of the catalog. This changes the margin of the proposal, not its prices.',
	fields: {
		proposalId,
		itemIds: narrowing(anyItemIds('Items to refresh. Leave empty for all items')),
	},
	run: oneRequest(({ proposalId, itemIds }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/costupdate`,
		form: assumedFields(itemIds.length === 0 ? {} : { proposalItemIds: itemIds }),
	})),
	output: refreshedOutput,
});
