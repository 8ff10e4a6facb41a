import { path } from '../../../../client/http/path';
import { itemId, proposalId, supplierId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** docs/portal-api.md#items */
export const setSupplier = operation({
	name: 'Set Supplier',
	action: 'Set supplier of item',
	description:
		'Choose who supplies an item of a proposal, which sets its cost to that of the supplier',
	mark: 'spec',
	fields: { proposalId, itemId, supplierId },
	request: ({ proposalId, itemId, supplierId }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/${itemId}/supplier/${supplierId}`,
		form: {},
	}),
});
