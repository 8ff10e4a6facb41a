import { path } from '../../../../client/encoding';
import { overriddenBody, overrideOptions } from '../../unconfirmed/bodyOverrides';
import { simplify } from '../../shared/lists';
import { catalogItemId, itemId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { itemType } from '../catalog/get';
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
		options: overrideOptions,
	},
	request: ({ proposalId, itemId, catalogItemId, options }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/${itemId}/replace`,
		...overriddenBody({ itemId: catalogItemId }, options),
	}),
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
