import { path } from '../../../../client/encoding';
import { simplify } from '../../fields/lists';
import { itemId, proposalId, supplierId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { findResult } from './checkResult';
import { itemShape } from './itemShape';

/** docs/dev/portal-api.md#items */
export const setSupplier = operation({
	name: 'Set Supplier',
	action: 'Set supplier of item',
	description:
		"Set the supplier of an item of a proposal, which sets the item's cost to that of the supplier",
	fields: { proposalId, itemId, supplierId, simplify },
	request: ({ proposalId, itemId, supplierId }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/${itemId}/supplier/${supplierId}`,
		form: {},
	}),
	find: async (call, response) =>
		await findResult(call, response, () => ({
			items: [{ name: '', id: call.values.itemId, values: {} }],
		})),
	output: { shape: itemShape },
});
