import { path } from '../../../../client/encoding';
import { added } from '../../shared/field';
import { clearableText, updateFields } from '../../shared/fieldTypes';
import { simplify } from '../../shared/lists';
import { areaId, optionOfAreaId, proposalId } from '../../shared/locators';
import { operation, toPascalCase } from '../../shared/operation';
import { sendUpdate } from '../../shared/steps';
import { optionShape, proposalOption } from './proposalOption';

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

/** The last segment of the path that sets each field. */
const PARTS: Record<keyof typeof fields, string> = {
	clientDescription: 'clientdescription',
	installerNotes: 'installernotes',
};

/** docs/portal-api.md#areas-and-options */
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
		return await sendUpdate(call, fields, PARTS, (part, text) => ({
			path: path`/public/proposals/${proposalId}/area/${areaId}/option/${areaOptionId}/${part}`,
			alternates: [
				{ path: path`/public/proposals/${proposalId}/area-options/${areaOptionId}/${part}` },
			],
			form: toPascalCase(text),
		}));
	},
	output: {
		shape: optionShape,
		records: (response, { areaId, areaOptionId }) => proposalOption(response, areaId, areaOptionId),
	},
});
