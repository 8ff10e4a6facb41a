import { path } from '../../../../client/http/path';
import { additionalFields, text } from '../../shared/fieldTypes';
import { simplify } from '../../shared/lists';
import { areaId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';
import { optionShape, placedOption } from './placedOption';

/** docs/portal-api.md#areas-and-options */
export const create = operation({
	name: 'Create',
	action: 'Create area option',
	description:
		'Add an alternative to an area of a proposal, for the customer to choose from. An area can have up to three options.',
	fields: {
		proposalId,
		areaId,
		additionalFields: additionalFields({
			clientDescription: text('Client Description', {
				typeOptions: { rows: 4 },
				description: 'What the customer reads about this option',
			}),
			internalNotes: text('Installer Notes', {
				typeOptions: { rows: 4 },
				description: 'What the installers read about this option',
			}),
		}),
		simplify,
	},
	request: (values) => ({
		method: 'POST',
		path: path`/public/proposals/${values.proposalId}/area/${values.areaId}/option`,
		form: toWire(values.additionalFields),
	}),
	output: { shape: optionShape, records: (response, { areaId }) => placedOption(response, areaId) },
});
