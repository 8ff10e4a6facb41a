import { path } from '../../../../client/encoding';
import { assumedFields } from '../../operation/assumedFields';
import { simplify } from '../../fields/lists';
import { catalogItemId, itemId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { itemType } from '../catalog/get';
import { findResult } from './checkResult';
import { checkedOptions } from './itemOptions';
import { itemShape } from './itemShape';

/** docs/dev/portal-api.md#items */
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
		options: checkedOptions,
	},
	request: ({ proposalId, itemId, catalogItemId }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/${itemId}/replace`,
		form: assumedFields({ itemId: catalogItemId }),
	}),
	find: async (call, response) => {
		const { itemId, catalogItemId } = call.values;
		const values = { referencedItemId: catalogItemId };
		return await findResult(call, response, () => ({
			items: [{ name: '', id: itemId, mayBeNew: true, values }],
		}));
	},
	output: { shape: itemShape },
});
