/** See docs/dev/portal-api.md#items. */
import { itemsOf } from '../../../../client/proposal';
import { path } from '../../../../client/request';
import { itemId, proposalId, supplierId } from '../../fields/locators';
import { readUpdatedProposal } from '../../operation/changedRecords';
import { defineOperation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { itemOutput } from '../outputs';
import { selectItems } from './checkResult';

export const setSupplier = defineOperation({
	name: 'Set Supplier',
	action: 'Set item supplier',
	description: "Set a proposal item's supplier, which also sets the item's cost",
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, itemId, supplierId },
	run: async (call) => {
		const { proposalId, itemId, supplierId } = call.values;
		const itemsPath = path`/public/proposals/${proposalId}/items/${itemId}/supplier/${supplierId}`;
		const response = await call.send(request.repeatablePost(itemsPath, {}));
		const after = await readUpdatedProposal(call, proposalId, response);
		return selectItems(itemsOf(after), [itemId]);
	},
	output: itemOutput,
});
