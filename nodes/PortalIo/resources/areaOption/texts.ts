import { path } from '../../../../client/http/path';
import { areaId, optionId, proposalId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { idOf, textOf } from '../../shared/values';

/** The texts of an option: each is replaced by an operation of its own. */
interface Text {
	/** The field, and with a capital letter its wire name. */
	field: string;
	/** As people call it. */
	label: string;
	/** The last segment of both paths. */
	segment: string;
	description: string;
}

const clientDescription: Text = {
	field: 'clientDescription',
	label: 'Client Description',
	segment: 'clientdescription',
	description: 'Replace what the customer reads about an option of an area',
};
const installerNotes: Text = {
	field: 'installerNotes',
	label: 'Installer Notes',
	segment: 'installernotes',
	description: 'Replace what the installers read about an option of an area',
};

/**
 * Path: specification, *Further operations*; the documentation has another one and the field (public
 * reference, 3.11 and 3.12).
 */
function updateText({ field, label, segment, description }: Text): Operation {
	return {
		name: `Update ${label}`,
		action: `Update ${label.toLowerCase()} of area option`,
		description,
		mark: 'spec',
		fields: [
			proposalId,
			areaId,
			optionId,
			{
				displayName: label,
				name: field,
				type: 'string',
				typeOptions: { rows: 4 },
				default: '',
				description: 'The new text; empty clears it',
			},
		],
		request: (parameters) => {
			const proposal = idOf(parameters.proposalId, 'Proposal');
			const area = idOf(parameters.areaId, 'Area');
			const option = idOf(parameters.optionId, 'Area Option');
			return {
				method: 'POST',
				isRepeatable: true,
				path: path`/public/proposals/${proposal}/area/${area}/option/${option}/${segment}`,
				alternate: { path: path`/public/proposals/${proposal}/area-options/${option}/${segment}` },
				form: {
					[field.charAt(0).toUpperCase() + field.slice(1)]: textOf(parameters[field], label),
				},
			};
		},
	};
}

export const updateClientDescription = updateText(clientDescription);
export const updateInstallerNotes = updateText(installerNotes);
