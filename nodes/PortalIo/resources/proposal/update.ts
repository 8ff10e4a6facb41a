import { path } from '../../../../client/request';
import * as field from '../../fields/kinds';
import { proposalId, salesPersonId } from '../../fields/locators';
import { readUpdatedProposal } from '../../operation/confirm';
import { operation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { sendUpdate, settableText, updateFieldsOf, type UpdateOf } from '../../operation/steps';
import { proposalOutput } from '../shapes';

/** An update sends the values in this order. */
export const VALUES = {
	name: { part: '', label: 'Name', field: field.requiredName('Name') },
	salesPersonId: { part: '', label: 'Salesperson', field: salesPersonId },
	description: settableText(
		'/description',
		'Description',
		'The project description for the client. Leave empty to clear it.',
		4,
	),
	internalNotes: settableText(
		'/internalnotes',
		'Internal Notes',
		'Notes for your company only. They replace the current notes, which n8n cannot read. Leave empty to clear them.',
		4,
	),
};

/** Returns the request that sets values of a proposal; `part` ends its path. */
export const updateOfProposal =
	(id: number): UpdateOf =>
	(part, values) =>
		request.repeatablePost(path`/public/proposals/${id}` + part, values);

/** docs/dev/portal-api.md#proposals */
export const update = operation({
	name: 'Update',
	action: 'Update proposal',
	description:
		'Update the name, salesperson, description or internal notes of a proposal. Not possible once it is accepted, completed or declined.',
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, updateFields: updateFieldsOf(VALUES) },
	run: async (call) => {
		const { proposalId } = call.values;
		const response = await sendUpdate(call, VALUES, updateOfProposal(proposalId));
		return { records: [await readUpdatedProposal(call, proposalId, response)] };
	},
	output: proposalOutput,
});
