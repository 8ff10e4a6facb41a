import { CATALOG_ITEM_TYPES } from '../../../../client/model';
import { path } from '../../../../client/http/path';
import { added } from '../../shared/field';
import { choice, flag, options } from '../../shared/fieldTypes';
import { simplify } from '../../shared/lists';
import { catalogItemId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';
import { catalogShape } from './shape';

/** The type of a catalog item; Portal.io takes *Part* where none is chosen. */
export const itemType = added(
	choice('Item Type', CATALOG_ITEM_TYPES, {
		default: 'Part',
		description: 'Labor and custom items come from your own library',
	}),
);

/** docs/portal-api.md#catalog */
export const get = operation({
	name: 'Get',
	action: 'Get catalog item',
	description:
		"Retrieve an item of the catalog: brand, model, price and cost; without 'Simplify' also its suppliers",
	fields: {
		catalogItemId,
		simplify,
		options: options({
			extendedDetails: flag('Extended Details', {
				description:
					"Whether to include description, specifications, documents, pictures and suppliers. Turn off 'Simplify' to see them.",
			}),
			itemType,
		}),
	},
	request: (values) => ({
		method: 'GET',
		path: path`/public/catalog/${values.catalogItemId}`,
		query: toWire(values.options),
	}),
	output: {
		shape: catalogShape,
		records: (answer, { options: { itemType } }) => ({
			itemType,
			...answer,
		}),
	},
});
