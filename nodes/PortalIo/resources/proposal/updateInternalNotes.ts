import { path } from '../../../../client/http/path';
import { clearableText } from '../../shared/fieldTypes';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';

/** docs/portal-api.md#proposals */
export const updateInternalNotes = operation({
	name: 'Update Internal Notes',
	action: 'Update internal notes of proposal',
	description: 'Replace the notes of a proposal that only your own company sees',
	mark: 'docs',
	fields: {
		proposalId,
		internalNotes: clearableText('Internal Notes', {
			typeOptions: { rows: 4 },
			description: 'The new text; empty clears it',
		}),
	},
	request: ({ proposalId, internalNotes }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/internalnotes`,
		form: toWire({ internalNotes }),
	}),
});
