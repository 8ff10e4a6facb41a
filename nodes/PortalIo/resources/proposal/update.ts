import { path } from '../../../../client/request';
import * as field from '../../fields/fieldTypes';
import { proposalId, salesPersonId } from '../../fields/locators';
import { readUpdatedProposal } from '../../operation/changedRecords';
import { request } from '../../operation/requests';
import { defineUpdate, type UpdateRequestBuilder } from '../../operation/updateOperation';
import { proposalOutput } from '../outputs';

/** Values of a proposal, in the order in which an update sends them. */
export const PROPOSAL_VALUES = {
	name: { part: '', field: field.requiredName('Name') },
	salesPersonId: { part: '', field: salesPersonId },
	description: {
		part: '/description',
		field: field.clearableText('Description', {
			...field.FOUR_ROWS,
			description: 'The project description for the client. Leave empty to clear it.',
		}),
	},
	internalNotes: {
		part: '/internalnotes',
		field: field.clearableText('Internal Notes', {
			...field.FOUR_ROWS,
			description:
				'Notes for your company only. They replace the current notes, which n8n cannot read. Leave empty to clear them.',
		}),
	},
};

export const proposalUpdate =
	(id: number): UpdateRequestBuilder =>
	(part, values) =>
		request.repeatablePost(path`/public/proposals/${id}` + part, values);

/** See docs/dev/portal-api.md#proposals. */
export const update = defineUpdate({
	name: 'Update',
	action: 'Update proposal',
	description:
		"Update a proposal's name, salesperson, description, or internal notes. Not possible once the proposal is accepted, completed, or declined.",
	fields: { proposalId },
	table: PROPOSAL_VALUES,
	requestBuilder: ({ proposalId }) => proposalUpdate(proposalId),
	run: async (call, sendUpdate) => {
		const response = await sendUpdate();
		return [await readUpdatedProposal(call, call.values.proposalId, response)];
	},
	output: proposalOutput,
});
