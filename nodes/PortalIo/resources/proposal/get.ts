import { oneRequest, operation, proposalId, proposalOutput, proposalRequest } from '../kit';

/** docs/dev/portal-api.md#proposals */
export const get = operation({
	name: 'Get',
	action: 'Get proposal',
	description:
		"Retrieve a proposal: its status, client, salesperson and total; as 'Raw' also its areas, items and payments",
	fields: { proposalId },
	run: oneRequest(({ proposalId }) => proposalRequest(proposalId)),
	output: proposalOutput,
});
