import { path } from '../../../../client/encoding';
import { changeOrderShape } from '../../../shared/proposal';
import { simplify } from '../../fields/lists';
import { changeOrderId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { withProposalId } from '../../operation/output';

/** docs/dev/portal-api.md#change-orders */
export const get = operation({
	name: 'Get',
	action: 'Get change order',
	description:
		"Retrieve a change order of a proposal: its status and total; without 'Simplify' also its areas and items",
	fields: { proposalId, changeOrderId, simplify },
	request: (values) => ({
		method: 'GET',
		path: path`/public/proposals/${values.proposalId}/changeorders/${values.changeOrderId}`,
	}),
	output: { shape: changeOrderShape, records: withProposalId, raw: 'records' },
});
