import { CATALOG_ITEM_TYPES } from '../../../../client/model';
import { path } from '../../../../client/http/path';
import { choices } from '../../../shared/labels';
import { catalogItemId, simplify } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { choiceOf, collectionOf, idOf, optionalBooleanOf } from '../../shared/values';
import { simplifyCatalogItem } from './simplify';

/** Public reference, 7.2. */
export const get: Operation = {
	name: 'Get',
	action: 'Get catalog item',
	description:
		'Read one item of the catalog: brand, model, list price and cost, and on request its specifications and suppliers. Changes nothing.',
	mark: 'docs',
	fields: [
		catalogItemId,
		simplify,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Extended Details',
					name: 'extendedDetails',
					type: 'boolean',
					default: true,
					description:
						'Whether to add description, specifications, documents, pictures and suppliers; turn off Simplify to see them',
				},
				{
					displayName: 'Item Type',
					name: 'itemType',
					type: 'options',
					options: choices(CATALOG_ITEM_TYPES),
					default: 'Part',
					description: 'Labor and custom items come from your own library',
				},
			],
		},
	],
	request: (parameters) => {
		const { extendedDetails, itemType } = collectionOf(parameters.options);
		return {
			method: 'GET',
			path: path`/public/catalog/${idOf(parameters.catalogItemId, 'Catalog Item')}`,
			query: {
				ExtendedDetails: optionalBooleanOf(extendedDetails, 'Extended Details'),
				ItemType:
					itemType === undefined ? undefined : choiceOf(itemType, 'Item Type', CATALOG_ITEM_TYPES),
			},
		};
	},
	output: (answer, parameters) =>
		parameters.simplify
			? simplifyCatalogItem({
					itemType: collectionOf(parameters.options).itemType ?? 'Part',
					...answer,
				})
			: answer,
};
