import { path } from '../../../../client/encoding';
import { overriddenBody, overrideOptions } from '../../unconfirmed/bodyOverrides';
import { simplify } from '../../shared/lists';
import { areaOptionIds, itemIds, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { itemShape, nestedItemsWithIds, newItems } from './proposalItems';

/** docs/portal-api.md#items */
export const copy = operation({
	name: 'Copy',
	action: 'Copy items in proposal',
	description: 'Copy items of a proposal to one or more area options',
	fields: { proposalId, itemIds, areaOptionIds, simplify, options: overrideOptions },
	request: ({ proposalId, itemIds, areaOptionIds, options }) => ({
		method: 'POST',
		path: path`/public/proposals/${proposalId}/items/copy`,
		...overriddenBody({ proposalItemIds: itemIds, areaOptionIds }, options),
	}),
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
