import { path } from '../../../../client/encoding';
import { checkedOptions, overriddenBody } from '../../operation/bodyOverrides';
import { itemIds, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { checkResult } from './checkResult';

/** docs/portal-api.md#items */
export const deleteItems = operation({
	name: 'Delete',
	action: 'Delete items from proposal',
	description: 'Permanently delete items from a proposal, with the items nested under them',
	fields: { proposalId, itemIds, options: checkedOptions },
	request: ({ proposalId, itemIds, options }) => ({
		method: 'DELETE',
		path: path`/public/proposals/${proposalId}/items`,
		...overriddenBody({ proposalItemIds: itemIds }, options),
	}),
	check: async (call, response) => {
		const { itemIds } = call.values;
		await checkResult(call, response, (found) => ({
			missing: itemIds
				.filter((itemId) => found.some(({ id }) => id === itemId))
				.map((itemId) => `item ${itemId} is still there`),
		}));
		return response;
	},
});
