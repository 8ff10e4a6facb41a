import { path } from '../../../../client/encoding';
import { assumedFields } from '../../operation/assumedFields';
import { simplify } from '../../fields/lists';
import { catalogItemId, itemId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { itemType } from '../catalog/get';
import { checkResult } from './checkResult';
import { checkedOptions } from './itemOptions';
import { itemShape, itemsWithIds, proposalItems } from './proposalItems';

/** docs/portal-api.md#items */
export const replace = operation({
	name: 'Replace',
	action: 'Replace item in proposal',
	description: 'Replace an item of a proposal with another item of the catalog',
	fields: {
		proposalId,
		itemId,
		itemType,
		catalogItemId,
		simplify,
		options: checkedOptions,
	},
	request: ({ proposalId, itemId, catalogItemId }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/${itemId}/replace`,
		form: assumedFields({ itemId: catalogItemId }),
	}),
	check: async (call, response) => {
		const { itemId, catalogItemId } = call.values;
		return await checkResult(call, response, (found) => {
			const item = found.find(({ id }) => id === itemId);
			const isReplaced =
				item === undefined
					? found.some(({ isNew, referencedItemId }) => isNew && referencedItemId === catalogItemId)
					: item.referencedItemId === catalogItemId;
			const present = item === undefined ? 'gone' : `catalog item ${item.referencedItemId}`;
			return {
				missing: isReplaced
					? []
					: [`item ${itemId} is ${present}, not catalog item ${catalogItemId}`],
			};
		});
	},
	// Should the replacement have an ID of its own, it is the newest of its catalog item.
	output: {
		shape: itemShape,
		records: (response, { itemId, catalogItemId }) =>
			itemsWithIds(response, [itemId]) ??
			proposalItems(response)
				?.filter(({ referencedItemId }) => referencedItemId === catalogItemId)
				.sort((one, other) => other.id - one.id)[0],
	},
});
