import { additionalFields, text } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { areaId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { optionShape, proposalOption } from './proposalOption';
import { newOption } from './requests';

/** docs/dev/portal-api.md#areas-and-options */
export const create = operation({
	name: 'Create',
	action: 'Create area option',
	description:
		'Add an alternative to an area of a proposal, for the client to choose from. An area can have up to three options.',
	fields: {
		proposalId,
		areaId,
		additionalFields: additionalFields({
			clientDescription: text('Client Description', {
				typeOptions: { rows: 4 },
				description: 'What the client reads about this option',
			}),
			installerNotes: text('Installer Notes', {
				typeOptions: { rows: 4 },
				description: 'What the installers read about this option',
			}),
		}),
		simplify,
	},
	request: ({ proposalId, areaId, additionalFields }) =>
		newOption(proposalId, areaId, additionalFields),
	output: {
		shape: optionShape,
		records: (response, { areaId, additionalFields: { clientDescription, installerNotes } }) =>
			proposalOption(response, areaId, { clientDescription, installerDescription: installerNotes }),
	},
});
