import { path } from '../../../../client/encoding';
import { simplify } from '../../fields/lists';
import { itemId, proposalId, supplierId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { itemShape, itemsWithIds } from './proposalItems';

/** docs/portal-api.md#items */
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
	output: { shape: itemShape, records: (response, { itemId }) => itemsWithIds(response, [itemId]) },
});
