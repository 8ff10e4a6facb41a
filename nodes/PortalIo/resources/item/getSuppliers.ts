import { path } from '../../../../client/http/path';
import { listOf } from '../../shared/answers';
import { itemId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** docs/portal-api.md#items */
export const getSuppliers = operation({
	name: 'Get Suppliers',
	action: 'Get suppliers of item',
	description:
		'List who supplies an item of a proposal, with what it costs there. Changes nothing.',
	mark: 'spec',
	fields: { proposalId, itemId },
	request: ({ proposalId, itemId }) => ({
		method: 'GET',
		path: path`/public/proposals/${proposalId}/items/${itemId}/suppliers`,
	}),
	output: (answer) => listOf(answer, 'suppliers'),
});
