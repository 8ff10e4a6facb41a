import {
	optionsOf,
	proposalRequest,
	takeProposal,
	type AreaOption,
} from '../../../../client/model';
import { integer, number, text, type Shape } from '../../../shared/shape';
import { paging, simplify } from '../../fields/lists';
import { proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';

/** An area option, and the area that it is an option of. */
interface PlacedOption extends AreaOption {
	proposalId: number;
	areaId: number;
	areaName: string;
}

const placedOptionShape: Shape<PlacedOption> = {
	areaName: text(({ areaName }) => areaName),
	status: text(({ status }) => status),
	total: number(({ total }) => total),
	totalRecurringService: number(({ totalRecurringService }) => totalRecurringService),
	itemCount: integer(({ items }) => items?.length ?? 0),
	clientDescription: text(({ clientDescription }) => clientDescription),
	installerNotes: text(({ installerDescription }) => installerDescription),
	areaOptionId: integer(({ id }) => id),
	areaId: integer(({ areaId }) => areaId),
	proposalId: integer(({ proposalId }) => proposalId),
};

/** docs/dev/portal-api.md#the-proposal */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many areas in proposal',
	description:
		'Retrieve a list of the areas of a proposal, one for each of their options: with status, total and what the client and the installers read',
	fields: { proposalId, ...paging, simplify },
	request: ({ proposalId }) => proposalRequest(proposalId),
	output: {
		shape: placedOptionShape,
		records: (response) => {
			const proposal = takeProposal(response);
			return optionsOf(proposal).map(({ area, option }) => ({
				...option,
				proposalId: proposal.id,
				areaId: area.id,
				areaName: area.name,
			}));
		},
		raw: 'records',
	},
});
