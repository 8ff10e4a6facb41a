import { path } from '../../../../client/encoding';
import { overriddenBody } from '../../unconfirmed/bodyOverrides';
import { simplify } from '../../shared/lists';
import { areaOptionId, itemIds, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { placementOptions } from './placementOptions';
import { itemShape, itemsOfOption, nestedItemsWithIds } from './proposalItems';

/** docs/portal-api.md#items */
export const move = operation({
	name: 'Move',
	action: 'Move items in proposal',
	description: 'Move items of a proposal to another area option',
	fields: { proposalId, itemIds, areaOptionId, simplify, options: placementOptions },
	request: ({ proposalId, itemIds, areaOptionId, options }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/move`,
		...overriddenBody({ proposalItemIds: itemIds, areaOptionId }, options),
	}),
	// Should moving give the items new IDs, all of the option are the next best answer.
	output: {
		shape: itemShape,
		records: (response, { itemIds, areaOptionId }) =>
			nestedItemsWithIds(response, itemIds) ?? itemsOfOption(response, areaOptionId),
	},
});
