import { path } from '../../../../client/encoding';
import { assumedFields } from '../../operation/assumedFields';
import { simplify } from '../../fields/lists';
import { areaOptionId, itemIds, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { checkResult } from './checkResult';
import { placementOptions } from './itemOptions';
import { itemShape, itemsOfOption, nestedItemsWithIds } from './proposalItems';

/** docs/portal-api.md#items */
export const move = operation({
	name: 'Move',
	action: 'Move items in proposal',
	description: 'Move items of a proposal to another area option',
	fields: { proposalId, itemIds, areaOptionId, simplify, options: placementOptions },
	request: ({ proposalId, itemIds, areaOptionId }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/move`,
		form: assumedFields({ proposalItemIds: itemIds, areaOptionId }),
	}),
	check: async (call, response) => {
		const { itemIds, areaOptionId } = call.values;
		return await checkResult(call, response, (found) => ({
			missing: itemIds.flatMap((itemId) => {
				const item = found.find(({ id }) => id === itemId);
				return item === undefined || item.areaOptionId === areaOptionId
					? []
					: [`item ${itemId} is in area option ${item.areaOptionId}, not ${areaOptionId}`];
			}),
		}));
	},
	// Should moving give the items new IDs, all of the option are the next best answer.
	output: {
		shape: itemShape,
		records: (response, { itemIds, areaOptionId }) =>
			nestedItemsWithIds(response, itemIds) ?? itemsOfOption(response, areaOptionId),
	},
});
