import { path } from '../../../../client/encoding';
import { ITEM_TYPES } from '../../../../client/model';
import { optional } from '../../shared/field';
import { choices, filters } from '../../shared/fieldTypes';
import { paging, simplify } from '../../shared/lists';
import { areaId, areaOptionId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { itemShape, proposalItems } from './proposalItems';

/** The items inside a proposal: docs/portal-api.md#the-proposal */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many items in proposal',
	description: 'Retrieve a list of the items of a proposal, each with its area and area option',
	fields: {
		proposalId,
		...paging,
		simplify,
		filters: filters({
			areaId: optional(areaId, { description: 'Return only items of this area' }),
			areaOptionId: optional(areaOptionId, {
				description: 'Return only items of this area option',
			}),
			itemTypes: choices('Item Types', ITEM_TYPES, {
				description: 'Return only items of these types',
			}),
		}),
	},
	request: ({ proposalId }) => ({ method: 'GET', path: path`/public/proposals/${proposalId}` }),
	output: {
		shape: itemShape,
		records: (response, { filters: { areaId, areaOptionId, itemTypes } }) =>
			proposalItems(response)?.filter(
				(item) =>
					(areaId === undefined || item.areaId === areaId) &&
					(areaOptionId === undefined || item.areaOptionId === areaOptionId) &&
					(itemTypes.length === 0 || itemTypes.includes(item.itemType)),
			),
		raw: 'records',
	},
});
