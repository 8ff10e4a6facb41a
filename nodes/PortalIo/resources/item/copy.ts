import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { requiredIds } from '../../shared/fieldTypes';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { itemIds } from './itemIds';

/** docs/portal-api.md#items */
export const copy = operation({
	name: 'Copy',
	action: 'Copy items',
	description:
		'Copy items of a proposal to one or more options of areas. Running it twice copies them twice.',
	mark: 'assumed',
	fields: {
		proposalId,
		itemIds,
		areaOptionIds: requiredIds('Area Option IDs', {
			placeholder: 'e.g. 11, 12',
			description: 'The options of areas to copy to, separated by commas, or a list',
		}),
		options: correctionOptions,
	},
	request: ({ proposalId, itemIds, areaOptionIds, options }) => ({
		method: 'POST',
		path: path`/public/proposals/${proposalId}/items/copy`,
		...assumedBody({ proposalItemIds: itemIds, areaOptionIds }, options),
	}),
});
