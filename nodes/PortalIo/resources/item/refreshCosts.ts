/** docs/dev/portal-api.md#items */
import { readProposal } from '../../../../client/proposal';
import { path } from '../../../../client/request';
import { asFilter } from '../../fields/declare';
import * as field from '../../fields/kinds';
import { anyItemIds, proposalId } from '../../fields/locators';
import { readUpdatedProposal } from '../../operation/confirm';
import { operation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { refreshedOutput } from '../shapes';
import { assumedFields } from './values';

export const refreshCosts = operation({
	name: 'Refresh Costs',
	action: 'Refresh costs of items',
	description:
		'Set item costs to the latest catalog costs. This changes the margin, not the prices.',
	unconfirmed: 'unchecked',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		marginNotice: field.notice(
			"The output has profit and margin before and after the refresh. Margins are in percent, such as 41, and empty if the total is 0. n8n's Filter treats an empty margin as 0, so add the condition 'is not empty' there.",
		),
		proposalId,
		itemIds: asFilter(anyItemIds('Leave empty for all items.')),
	},
	run: async (call) => {
		const { proposalId, itemIds, output } = call.values;
		// A failed read stops the step before it changes costs. *Raw* needs no read.
		const before = output === 'raw' ? undefined : await readProposal(call, proposalId);
		const itemsPath = path`/public/proposals/${proposalId}/items/costupdate`;
		const form = assumedFields(itemIds === undefined ? {} : { proposalItemIds: itemIds });
		const response = await call.send(request.repeatablePost(itemsPath, form));
		const proposal = await readUpdatedProposal(call, proposalId, response);
		return { records: [{ ...proposal, before }], raw: proposal };
	},
	output: refreshedOutput,
});
