/** See docs/dev/portal-api.md#items. */
import { path } from '../../../../client/request';
import { itemId, proposalId } from '../../fields/locators';
import { runOneRequest, defineOperation } from '../../operation/operation';
import { request } from '../../operation/requests';

export const getSuppliers = defineOperation({
	name: 'Get Suppliers',
	action: 'Get item suppliers',
	description: 'Retrieve the suppliers for a proposal item, with their costs',
	kind: 'read',
	fields: { proposalId, itemId },
	run: runOneRequest(
		({ proposalId, itemId }) =>
			request.get(path`/public/proposals/${proposalId}/items/${itemId}/suppliers`),
		{ list: ['suppliers'], inputFields: ['proposalId', 'itemId'] },
	),
	output: {
		asIs: {
			proposalId: 'integer',
			itemId: 'integer',
			supplierId: ['integer', 'id'],
			name: 'string',
			cost: 'object',
		},
	},
});
