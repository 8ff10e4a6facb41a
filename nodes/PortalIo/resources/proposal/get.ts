import { path } from '../../../../client/http/path';
import { simplifiedBy, simplify } from '../../shared/lists';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { simplifyProposal } from './simplify';

/** docs/portal-api.md#proposals */
export const get = operation({
	name: 'Get',
	action: 'Get proposal',
	description:
		'Read one proposal: its status, customer, totals, areas with items, payments. Changes nothing.',
	mark: 'spec',
	fields: { proposalId, simplify },
	request: ({ proposalId }) => ({ method: 'GET', path: path`/public/proposals/${proposalId}` }),
	output: simplifiedBy(simplifyProposal),
});
