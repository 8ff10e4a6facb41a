import { path } from '../../../../client/encoding';
import { changeOrderShape } from '../../../shared/proposal';
import { paging, simplify } from '../../fields/lists';
import { proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { withProposalId } from '../../operation/output';

/** docs/dev/portal-api.md#change-orders */
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
		shape: changeOrderShape,
		records: withProposalId,
		raw: 'records',
	},
});
