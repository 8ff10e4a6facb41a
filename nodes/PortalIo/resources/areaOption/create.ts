import { path } from '../../../../client/http/path';
import { additionalFields, text } from '../../shared/fieldTypes';
import { areaId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';

/** docs/portal-api.md#areas-and-options */
export const create = operation({
	name: 'Create',
	action: 'Create area option',
	description:
		'Add an alternative to an area of a proposal, for the customer to choose from. An area takes three at the most.',
	mark: 'docs',
	fields: {
		proposalId,
		areaId,
		additionalFields: additionalFields({
			clientDescription: text('Client Description', {
				typeOptions: { rows: 4 },
				description: 'What the customer reads about this option',
			}),
			internalNotes: text('Internal Notes', {
				typeOptions: { rows: 4 },
				description: 'What the installers read about this option',
			}),
		}),
	},
	request: (values) => ({
		method: 'POST',
		path: path`/public/proposals/${values.proposalId}/area/${values.areaId}/option`,
		form: toWire(values.additionalFields),
	}),
});
