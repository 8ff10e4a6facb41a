/** docs/dev/portal-api.md#items */
import { itemsOf, proposalAfterChange, readProposal } from '../../../../client/model';
import { fieldsOf, sendUpdate } from '../../operation/changes';
import { itemType } from '../catalog';
import { anyItemIds, areaOptionIds, catalogItemId, itemId } from '../../fields/locators';
import { field, itemOutput, oneRequest, operation, path, refreshedOutput, request } from '../kit';
import { itemIds, proposalId, supplierId, type Resource } from '../kit';
import { add, areaOptionId, checkedOptions, placementOptions } from './add';
import { afterChange, find, foundResult, itemsWith, resultError } from './find';
import { getMany } from './getMany';
import { assumedFields, UPDATED, updateOfItem } from './values';

const copy = operation({
	name: 'Copy',
	action: 'Copy items in proposal',
	description: 'Copy items of a proposal to one or more area options',
	fields: { proposalId, itemIds, areaOptionIds, options: checkedOptions },
	run: async (call) => {
		const { proposalId, itemIds, areaOptionIds } = call.values;
		const form = assumedFields({ proposalItemIds: itemIds, areaOptionIds });
		const place = path`/public/proposals/${proposalId}/items/copy`;
		const response = await call.send(request.post(place, form));
		return await foundResult(call, response, (all) => {
			// Portal.io copies items with those nested under them, and only once if both are chosen.
			const originals = itemsWith(all, itemIds, true);
			const known = originals.map(({ id }) => id);
			const items = areaOptionIds.flatMap((areaOptionId) =>
				itemIds.map((itemId) => {
					const original = originals.find(({ id }) => id === itemId);
					const { itemType, quantity, referencedItemId = null } = original ?? {};
					const values = { areaOptionId, itemType, quantity, referencedItemId };
					return { name: `item ${itemId}`, values };
				}),
			);
			return { items, known, verb: 'copied', withNested: true };
		});
	},
	output: itemOutput,
});

const MAX_IDS = 100;
const CHECK_FIRST =
	'These items were not selected for deletion. Check the proposal in Portal.io before you run the step again.';

const deleteItems = operation({
	name: 'Delete',
	action: 'Delete items from proposal',
	description: 'Permanently delete items from a proposal, with the items nested under them',
	fields: { proposalId, itemIds, options: checkedOptions },
	run: async (call) => {
		const { proposalId, itemIds, options } = call.values;
		const isChecked = options.checkResult !== false;
		const before = isChecked ? itemsOf(await readProposal(call, proposalId)) : [];
		const place = path`/public/proposals/${proposalId}/items`;
		let response: unknown;
		for (let start = 0; start < itemIds.length; start += MAX_IDS) {
			const proposalItemIds = itemIds.slice(start, start + MAX_IDS).join(',');
			const query = assumedFields({ proposalItemIds });
			response = await call.send(request.remove(place, query));
		}
		if (!isChecked) return { records: [response] };
		const { all } = await afterChange(call, response, isChecked);
		const left = new Set(all.map(({ id }) => id));
		const kept = itemIds.filter((id) => left.has(id)).map((id) => `item ${id} is still there`);
		const deleted = itemsWith(before, itemIds, true);
		// An ID that Portal.io does not understand could stand for all items.
		const lost = before.filter((item) => !left.has(item.id) && !deleted.includes(item));
		if (lost.length > 0) {
			const others = lost.length === 1 ? 'another item was' : `${lost.length} other items were`;
			const alsoDeleted = `${others} deleted too: ${lost.map(({ id }) => id).join(', ')}`;
			throw resultError(call, [alsoDeleted, ...kept], { beforeRepeating: CHECK_FIRST });
		}
		if (kept.length > 0) throw resultError(call, kept);
		return { records: [response] };
	},
});

const getSuppliers = operation({
	name: 'Get Suppliers',
	action: 'Get suppliers of item',
	description: 'Retrieve the suppliers of a proposal item, with their costs',
	fields: { proposalId, itemId },
	run: oneRequest(
		({ proposalId, itemId }) =>
			request.get(path`/public/proposals/${proposalId}/items/${itemId}/suppliers`),
		{ list: ['suppliers'], known: ['proposalId', 'itemId'] },
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

const move = operation({
	name: 'Move',
	action: 'Move items in proposal',
	description: 'Move items of a proposal to another area option',
	fields: { proposalId, itemIds, areaOptionId, options: placementOptions },
	run: async (call) => {
		const { proposalId, itemIds, areaOptionId } = call.values;
		const form = assumedFields({ proposalItemIds: itemIds, areaOptionId });
		const place = path`/public/proposals/${proposalId}/items/move`;
		const response = await call.send(request.set(place, form));
		const items = itemIds.map((id) => ({
			...{ name: `item ${id}`, id, mayBeNew: true },
			values: { areaOptionId },
		}));
		return await foundResult(call, response, { items, withNested: true });
	},
	output: itemOutput,
});

const refreshCosts = operation({
	name: 'Refresh Costs',
	action: 'Refresh costs of items',
	description:
		'Set item costs to the latest catalog costs. This changes the margin, not the prices.',
	fields: { proposalId, itemIds: field.narrowing(anyItemIds('Leave empty for all items.')) },
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
	description: 'Replace a proposal item with another catalog item',
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
	description: 'Set the supplier of a proposal item, which also sets its cost',
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

const update = operation({
	name: 'Update',
	action: 'Update item in proposal',
	description:
		'Update the quantity, prices, descriptions, image or tax settings of a proposal item',
	fields: { proposalId, itemId, updateFields: fieldsOf(UPDATED), options: checkedOptions },
	run: async (call) => {
		const { proposalId, itemId, updateFields } = call.values;
		const requestOf = updateOfItem(proposalId, itemId);
		const response = await sendUpdate(call, UPDATED, requestOf, async (request, latest) => {
			if (request.isRepeatable) return await call.send(request);
			// A toggle: it is sent only if the item does not have the value.
			const proposal = await proposalAfterChange(call, proposalId, latest);
			const { isCombinedPrice } = updateFields;
			const toggled = { items: [{ id: itemId, values: { isCombinedPrice } }] };
			const { missing } = find(itemsOf(proposal), toggled, call.sentAt);
			return missing.length === 0 ? proposal : await call.send(request);
		});
		const items = [{ id: itemId, values: updateFields }];
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
