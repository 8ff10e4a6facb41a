import { path } from '../../../../client/encoding';
import { added } from '../../fields/field';
import { clearableText, updateFields } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { areaId, optionOfAreaId, proposalId } from '../../fields/locators';
import { operation, toPascalCase } from '../../operation/operation';
import { sendUpdate } from '../../operation/steps';
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
const PARTS: Record<keyof typeof fields, { part: string }> = {
	clientDescription: { part: 'clientdescription' },
	installerNotes: { part: 'installernotes' },
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
