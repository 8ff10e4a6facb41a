import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { areaOptionId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { itemIds } from './itemIds';

/** docs/portal-api.md#items */
export const move = operation({
	name: 'Move',
	action: 'Move items',
	description: 'Move items of a proposal to another option of an area',
	mark: 'assumed',
	fields: { proposalId, itemIds, areaOptionId, options: correctionOptions },
	request: ({ proposalId, itemIds, areaOptionId, options }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/move`,
		...assumedBody({ proposalItemIds: itemIds, areaOptionId }, options),
	}),
});
