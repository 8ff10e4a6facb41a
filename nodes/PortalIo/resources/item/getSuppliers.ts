import { path } from '../../../../client/encoding';
import { withKnown } from '../../operation/output';
import { itemId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';

/** docs/dev/portal-api.md#items */
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
		records: (supplier, { proposalId, itemId }) => withKnown(supplier, { proposalId, itemId }),
	},
});
