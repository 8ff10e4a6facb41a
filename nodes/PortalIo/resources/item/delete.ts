import { path } from '../../../../client/encoding';
import { overriddenBody, overrideOptions } from '../../unconfirmed/bodyOverrides';
import { itemIds, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** docs/portal-api.md#items */
export const deleteItems = operation({
	name: 'Delete',
	action: 'Delete items from proposal',
	description: 'Permanently delete items from a proposal, with the items nested under them',
	fields: { proposalId, itemIds, options: overrideOptions },
	request: ({ proposalId, itemIds, options }) => ({
		method: 'DELETE',
		path: path`/public/proposals/${proposalId}/items`,
		...overriddenBody({ proposalItemIds: itemIds }, options),
	}),
});
