import { path } from '../../../../client/http/path';
import { clearableText } from '../../shared/fieldTypes';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';

/** docs/portal-api.md#proposals */
export const updateDescription = operation({
	name: 'Update Description',
	action: 'Update description of proposal',
	description: 'Replace the project description that the customer reads',
	mark: 'docs',
	fields: {
		proposalId,
		description: clearableText('Description', {
			typeOptions: { rows: 4 },
			description: 'The new text; empty clears it',
		}),
	},
	request: ({ proposalId, description }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/description`,
		form: toWire({ description }),
	}),
});
