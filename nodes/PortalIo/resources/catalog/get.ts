import { CATALOG_ITEM_TYPES } from '../../../../client/model';
import { path } from '../../../../client/encoding';
import { added } from '../../shared/field';
import { choice, flag, options } from '../../shared/fieldTypes';
import { simplify } from '../../shared/lists';
import { catalogItemId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toPascalCase } from '../../shared/pascalCase';
import { catalogShape } from './shape';

const itemType = choice('Item Type', CATALOG_ITEM_TYPES, {
	default: 'Part',
	description: 'Labor and custom items come from your own library',
});

/** The type of the catalog item that is chosen below. */
export const catalogItemType = itemType;

/** The type as a filter. */
export const itemTypeFilter = added(itemType);

/** docs/portal-api.md#catalog */
export const get = operation({
	name: 'Get',
	action: 'Get catalog item',
	description:
		"Retrieve an item of the catalog: brand, model, price and cost; without 'Simplify' also its suppliers",
	fields: {
		itemType: catalogItemType,
		catalogItemId,
		simplify,
		options: options({
			extendedDetails: flag('Include Extended Details', {
				description:
					"Whether to include description, specifications, documents, images and suppliers. Turn off 'Simplify' to see them.",
			}),
		}),
	},
	request: (values) => ({
		method: 'GET',
		path: path`/public/catalog/${values.catalogItemId}`,
		query: toPascalCase({ ...values.options, itemType: values.itemType }),
	}),
	output: {
		shape: catalogShape,
		records: (answer, { itemType }) => ({
			itemType,
			...answer,
		}),
	},
});
