import { path } from '../../../../client/http/path';
import { ITEM_TYPES } from '../../../../client/model';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { withDefault } from '../../shared/field';
import { choice, quantity, rows } from '../../shared/fieldTypes';
import { simplify } from '../../shared/lists';
import { areaOptionId, catalogItemOfRow, parentItemId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { itemShape, newItems } from './placedItems';

const itemFields = {
	itemType: withDefault(choice('Type', ITEM_TYPES, { default: 'Part' })),
	itemId: catalogItemOfRow,
	quantity: withDefault(
		quantity('Quantity', { default: 1, description: 'How many units or hours of labor' }),
	),
	parentId: parentItemId,
};

/** docs/portal-api.md#items */
export const add = operation({
	name: 'Add',
	action: 'Add items to proposal',
	description:
		'Add catalog items, labor, custom items or fees to an area option. Running it twice adds them twice.',
	fields: {
		proposalId,
		areaOptionId,
		items: rows(
			'Items',
			{ displayName: 'Item', name: 'item', fields: itemFields },
			{ placeholder: 'Add item', required: true },
		),
		simplify,
		options: correctionOptions,
	},
	request: ({ proposalId, areaOptionId, items, options }) => ({
		method: 'POST',
		path: path`/public/proposals/${proposalId}/items`,
		...assumedBody({ areaOptionId, items }, options),
	}),
	output: {
		shape: itemShape,
		records: (response, { areaOptionId, items }) =>
			newItems(
				response,
				items.map(({ itemType, itemId }) => ({ areaOptionId, itemType, referencedItemId: itemId })),
			),
	},
});
