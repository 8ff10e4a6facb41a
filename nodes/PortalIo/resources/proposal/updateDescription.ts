import { path } from '../../../../client/http/path';
import { proposalId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { idOf, textOf } from '../../shared/values';

/** Public reference, 3.5. */
export const updateDescription: Operation = {
	name: 'Update Description',
	action: 'Update description of proposal',
	description: 'Replace the project description that the customer reads',
	mark: 'docs',
	fields: [
		proposalId,
		{
			displayName: 'Description',
			name: 'description',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			description: 'The new text; empty clears it',
		},
	],
	request: (parameters) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${idOf(parameters.proposalId, 'Proposal')}/description`,
		form: { Description: textOf(parameters.description, 'Description') },
	}),
};
