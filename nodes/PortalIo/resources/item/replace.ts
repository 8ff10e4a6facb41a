import { itemType } from '../catalog';
import { catalogItemId, itemId, itemOutput, operation, path, proposalId } from '../kit';
import { checkedOptions } from './fields';
import { foundResult } from './find';
import { assumedFields } from './values';

/** docs/dev/portal-api.md#items */
export const replace = operation({
	name: 'Replace',
	action: 'Replace item in proposal',
	description: 'Replace an item of a proposal with another item of the catalog',
	fields: { proposalId, itemId, itemType, catalogItemId, options: checkedOptions },
	run: async (call) => {
		const { proposalId, itemId, catalogItemId } = call.values;
		const response = await call.send({
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${proposalId}/items/${itemId}/replace`,
			form: assumedFields({ itemId: catalogItemId }),
		});
		const values = { referencedItemId: catalogItemId };
		const items = [{ id: itemId, mayBeNew: true, values }];
		return await foundResult(call, response, () => ({ items }));
	},
	output: itemOutput,
});
