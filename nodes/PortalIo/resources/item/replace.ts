import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { catalogItemId, itemId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** docs/portal-api.md#items */
export const replace = operation({
	name: 'Replace',
	action: 'Replace item',
	description: 'Put another item of the catalog in the place of an item of a proposal',
	mark: 'assumed',
	fields: { proposalId, itemId, catalogItemId, options: correctionOptions },
	request: ({ proposalId, itemId, catalogItemId, options }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/${itemId}/replace`,
		...assumedBody({ itemId: catalogItemId }, options),
	}),
});
