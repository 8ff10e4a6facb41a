import { proposalRequest } from '../../../../client/model';
import { proposalShape } from '../../../shared/proposal';
import { simplify } from '../../fields/lists';
import { proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';

/** docs/dev/portal-api.md#proposals */
export const get = operation({
	name: 'Get',
	action: 'Get proposal',
	description:
		"Retrieve a proposal: its status, client, salesperson and total; without 'Simplify' also its areas, items, profit and payments",
	fields: { proposalId, simplify },
	request: ({ proposalId }) => proposalRequest(proposalId),
	output: { shape: proposalShape },
});
