import { type FieldValue, path } from '../../../../client/encoding';
import { added } from '../../shared/field';
import { clearableText, updateFields } from '../../shared/fieldTypes';
import { simplify } from '../../shared/lists';
import { areaId, optionOfAreaId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { sendSteps, updateSteps } from '../../shared/steps';
import { toPascalCase } from '../../shared/pascalCase';
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

/** In the order in which they are sent. */
const NAMES = ['clientDescription', 'installerNotes'] as const;

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
		const { proposalId, areaId, areaOptionId, updateFields } = call.values;
		const parts = NAMES.map((name) => {
			const segment = name.toLowerCase();
			return {
				names: [name],
				request: (text: Record<string, FieldValue>) => ({
					path: path`/public/proposals/${proposalId}/area/${areaId}/option/${areaOptionId}/${segment}`,
					alternate: {
						path: path`/public/proposals/${proposalId}/area-options/${areaOptionId}/${segment}`,
					},
					form: toPascalCase(text),
				}),
			};
		});
		return await sendSteps(call, updateSteps(fields, updateFields, parts));
	},
	output: {
		shape: optionShape,
		records: (response, { areaId, areaOptionId }) => proposalOption(response, areaId, areaOptionId),
	},
});
