import { itemsOf } from '../../../../client/model';
import { areaOptionIds, itemIds, proposalId } from '../../fields/locators';
import { itemOutput, operation, path, request } from '../kit';
import { areaOptionId, checkedOptions, placementOptions } from './fields';
import { foundResult, itemsWith } from './find';
import { assumedFields } from './values';

/** docs/dev/portal-api.md#items */
export const copy = operation({
	name: 'Copy',
	action: 'Copy items in proposal',
	description: 'Copy items of a proposal to one or more area options',
	fields: { proposalId, itemIds, areaOptionIds, options: checkedOptions },
	run: async (call) => {
		const { proposalId, itemIds, areaOptionIds } = call.values;
		const form = assumedFields({ proposalItemIds: itemIds, areaOptionIds });
		const place = path`/public/proposals/${proposalId}/items/copy`;
		const response = await call.send(request.post(place, form));
		return await foundResult(call, response, (proposal) => {
			// Portal.io copies items with those nested under them, and only once if both are chosen.
			const originals = itemsWith(itemsOf(proposal), itemIds);
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

/** docs/dev/portal-api.md#items */
export const move = operation({
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
