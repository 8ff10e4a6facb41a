import { CATALOG_ITEM_TYPES } from '../../../../client/model';
import { path } from '../../../../client/encoding';
import { choice, flag, options } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { catalogItemId } from '../../fields/locators';
import { operation, toPascalCase } from '../../operation/operation';
import { withKnown } from '../../operation/output';
import { catalogShape } from './shape';

/** The type of the catalog item that is chosen below, or of those that a search returns. */
export const itemType = choice('Item Type', CATALOG_ITEM_TYPES, {
	default: 'Part',
	description: 'Labor and custom items come from your own library',
});

/** docs/dev/portal-api.md#catalog */
export const get = operation({
	name: 'Get',
	action: 'Get catalog item',
	description:
		"Retrieve an item of the catalog: brand, model, price and cost; without 'Simplify' also its suppliers",
	fields: {
		itemType,
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
		records: (answer, { itemType }) => withKnown(answer, { itemType }),
	},
});
