import { path } from '../../../../client/encoding';
import { assumedFields } from '../../operation/assumedFields';
import { shownIf } from '../../fields/field';
import { choice, rows } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { areaOptionId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { findResult } from './checkResult';
import { itemFields, itemsJson } from './itemFields';
import { placementOptions } from './itemOptions';
import { itemShape } from './itemShape';

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
	find: async (call, response) => {
		const { areaOptionId, items, itemsJson = [] } = call.values;
		const sent = (items ?? itemsJson).map(
			({ itemId, parentId = null, ...row }, index, { length }) => ({
				name: length === 1 ? '' : `row ${index + 1}`,
				// Without a parent, the item is not nested.
				values: { ...row, parentId, areaOptionId, referencedItemId: itemId },
			}),
		);
		return await findResult(call, response, () => ({ items: sent, verb: 'added' }));
	},
	output: { shape: itemShape },
});
