/** See docs/dev/portal-api.md#items. */
import { readProposal } from '../../../../client/proposal';
import { path } from '../../../../client/request';
import { toFilter } from '../../fields/declare';
import * as collection from '../../fields/collections';
import * as field from '../../fields/fieldTypes';
import { allItemIds, proposalId } from '../../fields/locators';
import { readUpdatedProposal } from '../../operation/changedRecords';
import { defineOperation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { hasNoSale, refreshedOutput } from '../outputs';
import { addSecondNames } from './itemValues';

export const refreshCosts = defineOperation({
	name: 'Refresh Costs',
	action: 'Refresh item costs',
	description:
		'Set item costs to the latest catalog costs. Prices do not change. Returns the profit and margin from before and after the change.',
	unconfirmed: 'unchecked',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		proposalId,
		itemIds: toFilter(allItemIds),
		options: collection.options({
			skipEmpty: field.flag('Skip Empty Proposals', {
				description:
					"Whether to leave out proposals with a total of 0. They have no margin, which a filter such as 'less than 40' treats as 0.",
			}),
		}),
	},
	run: async (call) => {
		const { proposalId, itemIds, options, output } = call.values;
		// Read first, so a failed read stops the step before it changes costs.
		const isRead = output !== 'raw' || options.skipEmpty === true;
		const before = isRead ? await readProposal(call, proposalId) : undefined;
		if (options.skipEmpty && before && hasNoSale(before)) return [];
		const itemsPath = path`/public/proposals/${proposalId}/items/costupdate`;
		const form = addSecondNames(itemIds === undefined ? {} : { proposalItemIds: itemIds });
		const response = await call.send(request.repeatablePost(itemsPath, form));
		const proposal = await readUpdatedProposal(call, proposalId, response);
		return [output === 'raw' ? proposal : { ...proposal, before }];
	},
	output: refreshedOutput,
});
