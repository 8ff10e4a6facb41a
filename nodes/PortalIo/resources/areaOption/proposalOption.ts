import type { IDataObject } from 'n8n-workflow';
import type { Proposal } from '../../../../client/model';
import { areasOf } from '../../../shared/areas';
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
	const { id: proposalId } = response as unknown as Partial<Proposal>;
	const area = areasOf(response).find(({ id }) => id === areaId);
	const options = area?.options.filter(({ id }) => optionId === undefined || id === optionId);
	const option = options?.sort((one, other) => other.id - one.id)[0];
	if (proposalId === undefined || option === undefined) return undefined;
	return { ...option, proposalId, areaId, areaName: area!.name };
}
