import { itemId, oneRequest, operation, path, proposalId } from '../kit';

/** docs/dev/portal-api.md#items */
export const getSuppliers = operation({
	name: 'Get Suppliers',
	action: 'Get suppliers of item',
	description: 'Retrieve the suppliers of an item of a proposal, with the cost from each',
	fields: { proposalId, itemId },
	run: oneRequest(
		({ proposalId, itemId }) => ({
			method: 'GET',
			path: path`/public/proposals/${proposalId}/items/${itemId}/suppliers`,
		}),
		{ list: ['suppliers'], known: ({ proposalId, itemId }) => ({ proposalId, itemId }) },
	),
	output: {
		asIs: {
			proposalId: 'integer',
			itemId: 'integer',
			id: 'integer',
			name: 'string',
			cost: 'object',
		},
	},
});
