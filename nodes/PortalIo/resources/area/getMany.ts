import { optionsOf, proposalRequest, takeProposal } from '../../../../client/model';
import type { Shape } from '../../../shared/shape';
import { paging, simplify } from '../../fields/lists';
import { proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';

const placedOptionShape: Shape = {
	areaName: 'string',
	status: 'string',
	total: 'number',
	totalRecurringService: 'number',
	itemCount: ['integer', 'items.length'],
	clientDescription: 'string',
	installerNotes: ['string', 'installerDescription'],
	areaOptionId: ['integer', 'id'],
	areaId: 'integer',
	proposalId: 'integer',
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
