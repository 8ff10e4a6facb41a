/** See docs/dev/portal-api.md#items. */
import { readProposal } from '../../../../client/proposal';
import { path } from '../../../../client/request';
import { asFilter } from '../../fields/declare';
import * as collection from '../../fields/collections';
import * as field from '../../fields/kinds';
import { allItemIds, proposalId } from '../../fields/locators';
import { readUpdatedProposal } from '../../operation/confirm';
import { operation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { isWithoutSale, refreshedOutput } from '../shapes';
import { assumedFields } from './values';

export const refreshCosts = operation({
	name: 'Refresh Costs',
	action: 'Refresh item costs',
	description:
		'Set item costs to the latest catalog costs. Prices do not change. Returns profit and margin before and after.',
	unconfirmed: 'unchecked',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		proposalId,
		itemIds: asFilter(allItemIds),
		options: collection.options({
			skipEmpty: field.flag('Skip Empty Proposals', {
				description:
					'Whether to skip proposals whose total is 0, which have no margin. They are not in the output.',
			}),
		}),
	},
	run: async (call) => {
		const { proposalId, itemIds, options, output } = call.values;
		// Read first, so a failed read stops the step before it changes costs.
		const isRead = output !== 'raw' || options.skipEmpty === true;
		const before = isRead ? await readProposal(call, proposalId) : undefined;
		if (options.skipEmpty && before && isWithoutSale(before)) return [];
		const itemsPath = path`/public/proposals/${proposalId}/items/costupdate`;
		const form = assumedFields(itemIds === undefined ? {} : { proposalItemIds: itemIds });
		const response = await call.send(request.repeatablePost(itemsPath, form));
		const proposal = await readUpdatedProposal(call, proposalId, response);
		return [output === 'raw' ? proposal : { ...proposal, before }];
	},
	output: refreshedOutput,
});
