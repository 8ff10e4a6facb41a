import { added } from '../../fields/field';
import { clearableText, updateFields } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { areaId, optionOfAreaId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { sendUpdate } from '../../operation/steps';
import { optionShape, proposalOption } from './proposalOption';
import { optionText, TEXT_PARTS } from './requests';

const fields = {
	clientDescription: added(
		clearableText('Client Description', {
			typeOptions: { rows: 4 },
			description: 'What the client reads about this option. Leave empty to clear it.',
		}),
	),
	installerNotes: added(
		clearableText('Installer Notes', {
			typeOptions: { rows: 4 },
			description: 'What the installers read about this option. Leave empty to clear it.',
		}),
	),
};

/** docs/dev/portal-api.md#areas-and-options */
export const update = operation({
	name: 'Update',
	action: 'Update area option',
	description:
		'Update what the client and the installers read about an area option. Fields that are not added keep their value.',
	fields: {
		proposalId,
		areaId,
		areaOptionId: optionOfAreaId,
		updateFields: updateFields(fields),
		simplify,
	},
	execute: async (call) => {
		const { proposalId, areaId, areaOptionId } = call.values;
		return await sendUpdate(call, fields, TEXT_PARTS, (_part, text) =>
			optionText(proposalId, areaId, areaOptionId, text),
		);
	},
	output: {
		shape: optionShape,
		records: (response, { areaId, areaOptionId }) => proposalOption(response, areaId, areaOptionId),
	},
});
