import { proposalShape } from '../../../shared/proposal';
import { oneRequest, operation, proposalId, proposalRequest, simplify } from '../kit';

/** docs/dev/portal-api.md#proposals */
export const get = operation({
	name: 'Get',
	action: 'Get proposal',
	description:
		"Retrieve a proposal: its status, client, salesperson and total; without 'Simplify' also its areas, items, profit and payments",
	fields: { proposalId, simplify },
	run: oneRequest(({ proposalId }) => proposalRequest(proposalId)),
	output: proposalShape,
});
