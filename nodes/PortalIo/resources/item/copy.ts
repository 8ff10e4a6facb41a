import { path } from '../../../../client/encoding';
import { assumedFields } from '../../operation/assumedFields';
import { simplify } from '../../fields/lists';
import { areaOptionIds, itemIds, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { checkResult } from './checkResult';
import { lookForNew } from './foundItems';
import { checkedOptions } from './itemOptions';
import { itemShape, nestedItemsWithIds, newItems } from './proposalItems';

/** docs/portal-api.md#items */
export const copy = operation({
	name: 'Copy',
	action: 'Copy items in proposal',
	description: 'Copy items of a proposal to one or more area options',
	fields: { proposalId, itemIds, areaOptionIds, simplify, options: checkedOptions },
	request: ({ proposalId, itemIds, areaOptionIds }) => ({
		method: 'POST',
		path: path`/public/proposals/${proposalId}/items/copy`,
		form: assumedFields({ proposalItemIds: itemIds, areaOptionIds }),
	}),
	check: async (call, response) => {
		const { itemIds, areaOptionIds } = call.values;
		return await checkResult(call, response, (found) => {
			const wanted = areaOptionIds.flatMap((areaOptionId) =>
				itemIds.map((itemId) => {
					const original = found.find(({ id }) => id === itemId);
					return {
						name: `item ${itemId}`,
						areaOptionId,
						referencedItemId: original?.referencedItemId,
						itemType: original?.itemType,
						quantity: original?.quantity,
					};
				}),
			);
			const copies = found.filter(({ id }) => !itemIds.includes(id));
			return lookForNew(wanted, copies, 'copied');
		});
	},
	output: {
		shape: itemShape,
		records: (response, { itemIds, areaOptionIds }) => {
			const copied = nestedItemsWithIds(response, itemIds) ?? [];
			const sought = areaOptionIds.flatMap((areaOptionId) =>
				copied.map(({ itemType, referencedItemId }) => ({
					areaOptionId,
					itemType,
					referencedItemId,
				})),
			);
			return newItems(response, sought);
		},
	},
});
