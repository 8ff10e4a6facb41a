/** docs/dev/portal-api.md#items */
import { anyItemIds, catalogItemId, itemId, proposalId, supplierId } from '../../fields/locators';
import { itemType } from '../catalog';
import { field, itemOutput, oneRequest, operation, path, refreshedOutput, request } from '../kit';
import type { Resource } from '../kit';
import { add } from './add';
import { deleteItems } from './delete';
import { checkedOptions } from './fields';
import { foundResult } from './find';
import { getMany } from './getMany';
import { copy, move } from './place';
import { update } from './update';
import { assumedFields } from './values';

const getSuppliers = operation({
	name: 'Get Suppliers',
	action: 'Get suppliers of item',
	description: 'Retrieve the suppliers of an item of a proposal, with their costs',
	fields: { proposalId, itemId },
	run: oneRequest(
		({ proposalId, itemId }) =>
			request.get(path`/public/proposals/${proposalId}/items/${itemId}/suppliers`),
		{ list: ['suppliers'], known: ({ proposalId, itemId }) => ({ proposalId, itemId }) },
	),
	output: {
		asIs: {
			proposalId: 'integer',
			itemId: 'integer',
			id: 'integer',
			name: 'string',
			cost: 'object',
		},
	},
});

const refreshCosts = operation({
	name: 'Refresh Costs',
	action: 'Refresh costs of items',
	description:
		'Set the costs of items to the latest costs of the catalog. This changes the margin, not the prices.',
	fields: {
		proposalId,
		itemIds: field.narrowing(anyItemIds('Leave empty for all items.')),
	},
	run: oneRequest(({ proposalId, itemIds }) =>
		request.set(
			path`/public/proposals/${proposalId}/items/costupdate`,
			assumedFields(itemIds.length === 0 ? {} : { proposalItemIds: itemIds }),
		),
	),
	output: refreshedOutput,
});

const replace = operation({
	name: 'Replace',
	action: 'Replace item in proposal',
	description: 'Replace an item of a proposal with another item of the catalog',
	fields: { proposalId, itemId, itemType, catalogItemId, options: checkedOptions },
	run: async (call) => {
		const { proposalId, itemId, catalogItemId } = call.values;
		const place = path`/public/proposals/${proposalId}/items/${itemId}/replace`;
		const form = assumedFields({ itemId: catalogItemId });
		const response = await call.send(request.set(place, form));
		const values = { referencedItemId: catalogItemId };
		const items = [{ id: itemId, mayBeNew: true, values }];
		return await foundResult(call, response, { items });
	},
	output: itemOutput,
});

const setSupplier = operation({
	name: 'Set Supplier',
	action: 'Set supplier of item',
	description: "Set the supplier of an item of a proposal, and with it the item's cost",
	fields: { proposalId, itemId, supplierId },
	run: async (call) => {
		const { proposalId, itemId, supplierId } = call.values;
		const place = path`/public/proposals/${proposalId}/items/${itemId}/supplier/${supplierId}`;
		const response = await call.send(request.set(place, {}));
		const items = [{ id: itemId, values: {} }];
		return await foundResult(call, response, { items });
	},
	output: itemOutput,
});

export const item: Resource = {
	name: 'Item',
	description: 'An item of a proposal',
	operations: {
		...{ add, copy, delete: deleteItems, getMany, getSuppliers, move, refreshCosts, replace },
		...{ setSupplier, update },
	},
};
