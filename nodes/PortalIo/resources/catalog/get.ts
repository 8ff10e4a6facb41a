import { CATALOG_ITEM_TYPES } from '../../../../client/model';
import { path } from '../../../../client/http/path';
import { added } from '../../shared/field';
import { choice, flag, options } from '../../shared/fieldTypes';
import { simplify } from '../../shared/lists';
import { catalogItemId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';
import { simplifyCatalogItem } from './simplify';

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
		'Read one item of the catalog: brand, model, list price and cost, and on request its specifications and suppliers. Changes nothing.',
	mark: 'docs',
	fields: {
		catalogItemId,
		simplify,
		options: options({
			extendedDetails: flag('Extended Details', {
				description:
					'Whether to add description, specifications, documents, pictures and suppliers; turn off Simplify to see them',
			}),
			itemType,
		}),
	},
	request: (values) => ({
		method: 'GET',
		path: path`/public/catalog/${values.catalogItemId}`,
		query: toWire(values.options),
	}),
	output: (answer, values) =>
		values.simplify
			? simplifyCatalogItem({ itemType: values.options.itemType, ...answer })
			: answer,
});
