import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { itemIds } from './itemIds';

/** docs/portal-api.md#items */
export const deleteItems = operation({
	name: 'Delete',
	action: 'Delete items from proposal',
	description: 'Permanently delete items from a proposal, with the items nested under them',
	fields: { proposalId, itemIds, options: correctionOptions },
	request: ({ proposalId, itemIds, options }) => ({
		method: 'DELETE',
		path: path`/public/proposals/${proposalId}/items`,
		...assumedBody({ proposalItemIds: itemIds }, options),
	}),
});
