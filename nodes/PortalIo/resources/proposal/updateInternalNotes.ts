import { path } from '../../../../client/http/path';
import { proposalId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { idOf, textOf } from '../../shared/values';

/** Public reference, 3.6. */
export const updateInternalNotes: Operation = {
	name: 'Update Internal Notes',
	action: 'Update internal notes of proposal',
	description: 'Replace the notes of a proposal that only your own company sees',
	mark: 'docs',
	fields: [
		proposalId,
		{
			displayName: 'Internal Notes',
			name: 'internalNotes',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			description: 'The new text; empty clears it',
		},
	],
	request: (parameters) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${idOf(parameters.proposalId, 'Proposal')}/internalnotes`,
		form: { InternalNotes: textOf(parameters.internalNotes, 'Internal Notes') },
	}),
};
