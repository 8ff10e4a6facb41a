import type { IDataObject } from 'n8n-workflow';
import { isProposal, optionsOf } from '../../../../client/proposal';
import { integer, number, text, type Shape } from '../../../shared/shape';

type ProposalOption = NonNullable<ReturnType<typeof proposalOption>>;

/** An area option as the flat fields that people map. */
export const optionShape: Shape<ProposalOption> = {
	id: integer(({ id }) => id),
	proposalId: integer(({ proposalId }) => proposalId),
	areaId: integer(({ areaId }) => areaId),
	areaOptionId: integer(({ id }) => id),
	areaName: text(({ areaName }) => areaName),
	status: text(({ status }) => status),
	clientDescription: text(({ clientDescription }) => clientDescription),
	installerNotes: text(({ installerDescription }) => installerDescription),
	total: number(({ total }) => total),
};

/**
 * An option of an area.
 *
 * @param optionId its ID; the newest option of the area when absent
 * @returns undefined when the response is not a proposal that has it
 */
export function proposalOption(response: IDataObject, areaId: number, optionId?: number) {
	if (!isProposal(response)) return undefined;
	const [found] = optionsOf(response)
		.filter(({ area, option }) => area.id === areaId && [option.id, undefined].includes(optionId))
		.sort((one, other) => other.option.id - one.option.id);
	if (found === undefined) return undefined;
	const { area, option } = found;
	return { ...option, proposalId: response.id, areaId, areaName: area.name };
}
