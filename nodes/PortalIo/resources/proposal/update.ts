import { fieldsOf, sendUpdate } from '../../operation/changes';
import { field, operation, path, proposalId, proposalOutput, request, salesPersonId } from '../kit';

/** In the order of sending. */
const VALUES = {
	name: { part: '', field: field.requiredText('Name') },
	salesPersonId: { part: '', field: salesPersonId },
	description: {
		part: '/description',
		field: field.clearableText('Description', {
			typeOptions: { rows: 4 },
			description: 'The project description for the client. Leave empty to clear it.',
		}),
	},
	internalNotes: {
		part: '/internalnotes',
		field: field.clearableText('Internal Notes', {
			typeOptions: { rows: 4 },
			description:
				'Notes for your company only. They replace the current notes, which n8n cannot read. Leave empty to clear them.',
		}),
	},
};

/** docs/dev/portal-api.md#proposals */
export const update = operation({
	name: 'Update',
	action: 'Update proposal',
	description:
		'Update the name, salesperson, description or internal notes of a proposal. Not possible once it is accepted, completed or declined.',
	fields: { proposalId, updateFields: fieldsOf(VALUES) },
	run: async (call) => {
		const { proposalId } = call.values;
		const response = await sendUpdate(call, VALUES, (part, values) =>
			request.set(path`/public/proposals/${proposalId}` + part, values),
		);
		return { records: [response] };
	},
	output: proposalOutput,
});
