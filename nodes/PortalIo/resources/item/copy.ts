import { path } from '../../../../client/encoding';
import { itemsOf } from '../../../../client/model';
import { assumedFields } from '../../operation/assumedFields';
import { simplify } from '../../fields/lists';
import { areaOptionIds, itemIds, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { findResult } from './checkResult';
import { withNested } from './find';
import { checkedOptions } from './itemOptions';
import { itemShape } from './itemShape';

/** docs/dev/portal-api.md#items */
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
	find: async (call, response) => {
		const { itemIds, areaOptionIds } = call.values;
		return await findResult(call, response, (proposal) => {
			// Items are copied with what is nested under them, and only once if they are named, too.
			const originals = withNested(itemsOf(proposal), itemIds);
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
	output: { shape: itemShape },
});
