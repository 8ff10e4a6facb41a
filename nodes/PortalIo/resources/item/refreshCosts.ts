import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { ids } from '../../shared/fieldTypes';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** docs/portal-api.md#items */
export const refreshCosts = operation({
	name: 'Refresh Costs',
	action: 'Refresh costs of items',
	description:
		'Set the costs of items to the latest costs of the catalog, which changes the margin of the proposal and not its prices',
	mark: 'assumed',
	fields: {
		proposalId,
		itemIds: ids('Item IDs', {
			placeholder: 'e.g. 101, 102',
			description: 'The items to refresh, separated by commas, or a list. Empty: all of them.',
		}),
		options: correctionOptions,
	},
	request: ({ proposalId, itemIds, options }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/costupdate`,
		...assumedBody(itemIds.length === 0 ? {} : { proposalItemIds: itemIds }, options),
	}),
});
