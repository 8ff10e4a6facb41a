import { areaOptionIds, itemIds, itemOutput, itemsOf, operation, path, proposalId } from '../kit';
import { checkedOptions } from './fields';
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
		const response = await call.send({
			method: 'POST',
			path: path`/public/proposals/${proposalId}/items/copy`,
			form: assumedFields({ proposalItemIds: itemIds, areaOptionIds }),
		});
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
