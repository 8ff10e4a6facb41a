import { path } from '../../../../client/encoding';
import { proposalShape } from '../../../shared/proposal';
import { paging, simplify } from '../../shared/lists';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { withProposalId } from '../../shared/output';

/** docs/portal-api.md#change-orders */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many change orders',
	description: 'Retrieve a list of the change orders of a proposal, with status and total',
	fields: { proposalId, ...paging, simplify },
	request: (values) => ({
		method: 'GET',
		path: path`/public/proposals/${values.proposalId}/changeorders`,
	}),
	output: {
		list: ['changeOrders'],
		shape: proposalShape,
		records: withProposalId,
		raw: 'records',
	},
});
