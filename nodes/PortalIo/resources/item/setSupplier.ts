import { itemId, itemOutput, operation, path, proposalId, supplierId } from '../kit';
import { foundResult } from './find';

/** docs/dev/portal-api.md#items */
export const setSupplier = operation({
	name: 'Set Supplier',
	action: 'Set supplier of item',
	description:
		"Set the supplier of an item of a proposal. The item's cost becomes the supplier's cost.",
	fields: { proposalId, itemId, supplierId },
	run: async (call) => {
		const { proposalId, itemId, supplierId } = call.values;
		const response = await call.send({
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${proposalId}/items/${itemId}/supplier/${supplierId}`,
			form: {},
		});
		const items = [{ id: itemId, values: {} }];
		return await foundResult(call, response, () => ({ items }));
	},
	output: itemOutput,
});
