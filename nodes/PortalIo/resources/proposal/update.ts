import { type FieldValue, path } from '../../../../client/encoding';
import { proposalShape } from '../../../shared/proposal';
import { added } from '../../shared/field';
import { clearableText, requiredText, updateFields } from '../../shared/fieldTypes';
import { simplify } from '../../shared/lists';
import { proposalId, salesPersonId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { sendSteps, updateSteps } from '../../shared/steps';
import { toPascalCase } from '../../shared/pascalCase';

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
			description: 'Notes that only your own company reads. Leave empty to clear them.',
		}),
	),
	name: added(requiredText('Name')),
	salesPersonId: added(salesPersonId),
};

type Name = keyof typeof fields;

/** The fields of each request after the path of the proposal, in the order in which they are sent. */
const REQUESTS: Array<{ suffix: string; names: Name[] }> = [
	{ suffix: '', names: ['name', 'salesPersonId'] },
	{ suffix: '/description', names: ['description'] },
	{ suffix: '/internalnotes', names: ['internalNotes'] },
];

/** docs/portal-api.md#proposals */
export const update = operation({
	name: 'Update',
	action: 'Update proposal',
	description:
		'Update the name, salesperson, description or internal notes of a proposal. Fields that are not added keep their value. Not possible once the proposal is accepted, completed or declined.',
	fields: { proposalId, updateFields: updateFields(fields), simplify },
	execute: async (call) => {
		const { proposalId, updateFields } = call.values;
		const parts = REQUESTS.map(({ suffix, names }) => ({
			names,
			request: (values: Record<string, FieldValue>) => ({
				path: path`/public/proposals/${proposalId}` + suffix,
				form: toPascalCase(values),
			}),
		}));
		return await sendSteps(call, updateSteps(fields, updateFields, parts));
	},
	output: { shape: proposalShape },
});
