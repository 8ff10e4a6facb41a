import type { IDataObject } from 'n8n-workflow';
import { isProposal, optionsOf, type AreaOption } from '../../../../client/model';
import { isSame } from '../../operation/compare';
import type { Shape } from '../../../shared/shape';

/** An area option as the flat fields that people map. */
export const optionShape: Shape = {
	id: 'integer',
	proposalId: 'integer',
	areaId: 'integer',
	areaOptionId: ['integer', 'id'],
	areaName: 'string',
	status: 'string',
	clientDescription: 'string',
	installerNotes: ['string', 'installerDescription'],
	total: 'number',
};

/** What an option was created with. */
type Texts = Pick<AreaOption, 'clientDescription' | 'installerDescription'>;

/**
 * An option of an area.
 *
 * @param sought its ID; of a new one its texts: the newest option that has them, or else the newest
 * @returns undefined when the response is not a proposal that has it
 */
export function proposalOption(response: IDataObject, areaId: number, sought: number | Texts) {
	if (!isProposal(response)) return undefined;
	const ofArea = optionsOf(response)
		.filter(({ area }) => area.id === areaId)
		.sort((one, other) => other.option.id - one.option.id);
	const found =
		typeof sought === 'number'
			? ofArea.find(({ option }) => option.id === sought)
			: (ofArea.find(({ option }) => hasTexts(option, sought)) ?? ofArea[0]);
	if (found === undefined) return undefined;
	const { area, option } = found;
	return { ...option, proposalId: response.id, areaId, areaName: area.name };
}

const hasTexts = (option: Texts, { clientDescription, installerDescription }: Texts) =>
	isSame('text', clientDescription, option.clientDescription) &&
	isSame('text', installerDescription, option.installerDescription);
