import {
	added,
	clearableText,
	operation,
	path,
	proposalId,
	proposalOutput,
	requiredText,
	salesPersonId,
	sendUpdate,
	toPascalCase,
	updateFields,
} from '../kit';

const fields = {
	description: added(
		clearableText('Description', {
			typeOptions: { rows: 4 },
			description: 'The project description for the client. Leave empty to clear it.',
		}),
	),
	internalNotes: added(
		clearableText('Internal Notes', {
			typeOptions: { rows: 4 },
			description:
				'Notes for your company only. They replace the current notes, which the API cannot read. Leave empty to clear them.',
		}),
	),
	name: added(requiredText('Name')),
	salesPersonId: added(salesPersonId),
};

/** The end of the path that sets each field, in the order of sending. */
const PARTS: Record<keyof typeof fields, { part: string }> = {
	name: { part: '' },
	salesPersonId: { part: '' },
	description: { part: '/description' },
	internalNotes: { part: '/internalnotes' },
};

/** docs/dev/portal-api.md#proposals */
export const update = operation({
	name: 'Update',
	action: 'Update proposal',
	description:
		'Update the name, salesperson, description or internal notes of a proposal. Fields that are not added keep their value. Not possible once the proposal is accepted, completed or declined.',
	fields: { proposalId, updateFields: updateFields(fields) },
	run: async (call) => {
		const { proposalId } = call.values;
		const response = await sendUpdate(call, fields, PARTS, (part, values) => ({
			path: path`/public/proposals/${proposalId}` + part,
			form: toPascalCase(values),
		}));
		return { records: [response] };
	},
	output: proposalOutput,
});
