import { path } from '../../../../client/encoding';
import { itemId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** docs/portal-api.md#items */
export const getSuppliers = operation({
	name: 'Get Suppliers',
	action: 'Get suppliers of item',
	description: 'Retrieve the suppliers of an item of a proposal, with the cost from each',
	fields: { proposalId, itemId },
	request: ({ proposalId, itemId }) => ({
		method: 'GET',
		path: path`/public/proposals/${proposalId}/items/${itemId}/suppliers`,
	}),
	output: {
		list: ['suppliers'],
		schema: {
			proposalId: 'integer',
			itemId: 'integer',
			id: 'integer',
			name: 'string',
			cost: 'object',
		},
		records: (supplier, { proposalId, itemId }) => ({ proposalId, itemId, ...supplier }),
	},
});
