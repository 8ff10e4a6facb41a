import { path } from '../../../../client/encoding';
import { assumedFields } from '../../operation/assumedFields';
import { shownIf } from '../../fields/field';
import { choice, rows } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { areaOptionId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { checkResult } from './checkResult';
import { lookForNew } from './foundItems';
import { itemFields, itemsJson } from './itemFields';
import { placementOptions } from './itemOptions';
import { itemShape, newItems } from './proposalItems';

/** docs/portal-api.md#items */
export const add = operation({
	name: 'Add',
	action: 'Add items to proposal',
	description: 'Add catalog items, labor, custom items or fees to an area option',
	fields: {
		proposalId,
		areaOptionId,
		specifyItems: choice('Specify Items', [
			{ name: 'Using Fields', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		]),
		items: shownIf(
			'specifyItems',
			'fields',
			rows(
				'Items',
				{ displayName: 'Item', name: 'item', fields: itemFields },
				{ placeholder: 'Add item', required: true },
			),
		),
		itemsJson: shownIf('specifyItems', 'json', itemsJson),
		simplify,
		options: placementOptions,
	},
	request: ({ proposalId, areaOptionId, items, itemsJson }) => ({
		method: 'POST',
		path: path`/public/proposals/${proposalId}/items`,
		form: assumedFields({ areaOptionId, items: items ?? itemsJson }),
	}),
	check: async (call, response) => {
		const { areaOptionId, items, itemsJson = [] } = call.values;
		const wanted = (items ?? itemsJson).map(({ itemId, ...row }, index, { length }) => ({
			...row,
			areaOptionId,
			referencedItemId: itemId,
			name: length === 1 ? '' : `row ${index + 1}`,
		}));
		return await checkResult(call, response, (found) => lookForNew(wanted, found, 'added'));
	},
	output: {
		shape: itemShape,
		records: (response, { areaOptionId, items, itemsJson = [] }) =>
			newItems(
				response,
				(items ?? itemsJson).map(({ itemType, itemId }) => ({
					areaOptionId,
					itemType,
					referencedItemId: itemId,
				})),
			),
	},
});
