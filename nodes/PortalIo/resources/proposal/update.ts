import {
	added,
	clearableText,
	operation,
	path,
	proposalId,
	requiredText,
	salesPersonId,
	sendUpdate,
	toPascalCase,
	updateFields,
	proposalOutput,
} from '../kit';

const fields = {
	description: added(
		clearableText('Description', {
			typeOptions: { rows: 4 },
			description: 'The project description that the client reads. Leave empty to clear it.',
		}),
	),
	internalNotes: added(
		clearableText('Internal Notes', {
			typeOptions: { rows: 4 },
			description:
				'Notes that only your own company reads. They replace the current notes, which Portal.io does not return to any request. Leave empty to clear them.',
		}),
	),
	name: added(requiredText('Name')),
	salesPersonId: added(salesPersonId),
};

/** What follows the path of the proposal to set each field, in the order of sending. */
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
