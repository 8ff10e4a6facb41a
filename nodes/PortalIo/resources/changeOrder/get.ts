import { path } from '../../../../client/http/path';
import { simplifiedBy, simplify } from '../../shared/lists';
import { changeOrderId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { simplifyProposal } from '../proposal/simplify';

/** docs/portal-api.md#change-orders */
export const get = operation({
	name: 'Get',
	action: 'Get change order',
	description:
		'Read one change order of a proposal: status, totals, areas with items. Changes nothing.',
	mark: 'docs',
	fields: { proposalId, changeOrderId, simplify },
	request: (values) => ({
		method: 'GET',
		path: path`/public/proposals/${values.proposalId}/changeorders/${values.changeOrderId}`,
	}),
	output: simplifiedBy(simplifyProposal),
});
