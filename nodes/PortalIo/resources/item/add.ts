import { ITEM_TYPES } from '../../../../client/model';
import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { optional, withDefault } from '../../shared/field';
import { amount, choice, id, rows } from '../../shared/fieldTypes';
import { areaOptionId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';

const itemFields = {
	itemId: id('Catalog Item ID', {
		description: 'The ID in the catalog, or in your own labor, custom items and fees',
	}),
	itemType: withDefault(choice('Type', ITEM_TYPES, { default: 'Part' })),
	quantity: withDefault(amount('Quantity', { default: 1 })),
	parentId: optional(
		id('Parent Item ID', { description: 'The item of this proposal to put it under, if any' }),
	),
};

/** docs/portal-api.md#items */
export const add = operation({
	name: 'Add',
	action: 'Add items',
	description:
		'Add items of the catalog, labor, custom items or fees to an option of an area. Running it twice adds them twice.',
	mark: 'assumed',
	fields: {
		proposalId,
		areaOptionId,
		items: rows(
			'Items',
			{ displayName: 'Item', name: 'item', fields: itemFields },
			{ placeholder: 'Add item', required: true },
		),
		options: correctionOptions,
	},
	request: ({ proposalId, areaOptionId, items, options }) => ({
		method: 'POST',
		path: path`/public/proposals/${proposalId}/items`,
		...assumedBody({ areaOptionId, items }, options),
	}),
});
