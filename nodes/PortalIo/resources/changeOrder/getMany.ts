import { path } from '../../../../client/http/path';
import { paging, simplifiedBy, simplify } from '../../shared/lists';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { simplifyProposal } from '../proposal/simplify';

/** docs/portal-api.md#change-orders */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many change orders',
	description: 'List the change orders of a proposal with status and total. Changes nothing.',
	mark: 'docs',
	fields: { proposalId, ...paging, simplify },
	request: (values) => ({
		method: 'GET',
		path: path`/public/proposals/${values.proposalId}/changeorders`,
	}),
	output: simplifiedBy(simplifyProposal),
});
