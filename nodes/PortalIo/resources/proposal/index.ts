import { proposalRequest } from '../../../../client/model';
import { proposalId } from '../../fields/locators';
import { oneRequest, operation, proposalOutput, type Resource } from '../kit';
import { assignContact, assignLocation } from './assign';
import { create } from './create';
import { duplicate } from './duplicate';
import { getMany } from './getMany';
import { update } from './update';

/** docs/dev/portal-api.md#proposals */
const get = operation({
	name: 'Get',
	action: 'Get proposal',
	description: "Retrieve a proposal; as 'Raw' with its areas, items and payments",
	fields: { proposalId },
	run: oneRequest(({ proposalId }) => proposalRequest(proposalId)),
	output: proposalOutput,
});

export const proposal: Resource = {
	name: 'Proposal',
	description: 'A proposal to a client',
	operations: {
		assignContact,
		assignLocation,
		create,
		duplicate,
		get,
		getMany,
		update,
	},
};
