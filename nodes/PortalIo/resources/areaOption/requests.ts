import type { OperationRequest } from '../../../../client/request';
import { path } from '../../../../client/encoding';
import { toPascalCase } from '../../operation/operation';

/** The texts of an option, by the names of the fields. */
interface OptionTexts {
	clientDescription?: string | null;
	installerNotes?: string | null;
}

/** Adds an option to an area. */
export const newOption = (
	proposalId: number,
	areaId: number,
	{ clientDescription, installerNotes }: OptionTexts,
): OperationRequest => ({
	method: 'POST',
	path: path`/public/proposals/${proposalId}/area/${areaId}/option`,
	// Portal.io has another name for them here than in an update.
	form: toPascalCase({ clientDescription, internalNotes: installerNotes }),
});

/** The last segment of the path that sets each text of an option. */
export const TEXT_PARTS: Record<keyof OptionTexts, { part: string }> = {
	clientDescription: { part: 'clientdescription' },
	installerNotes: { part: 'installernotes' },
};

/** Sets a text of an option. */
export function optionText(
	proposalId: number,
	areaId: number,
	optionId: number,
	text: OptionTexts,
): OperationRequest {
	const [name] = Object.keys(text) as [keyof OptionTexts];
	const { part } = TEXT_PARTS[name];
	return {
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/area/${areaId}/option/${optionId}/${part}`,
		alternates: [{ path: path`/public/proposals/${proposalId}/area-options/${optionId}/${part}` }],
		form: toPascalCase({ ...text }),
	};
}
