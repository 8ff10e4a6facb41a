import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../../../client/http/form';
import type { PageShape } from '../../../../client/lists/pages';
import { CATALOG_ITEM_TYPES } from '../../../../client/model';
import { choices } from '../../../shared/labels';
import { paging, simplify } from '../../shared/fields';
import { listOf } from '../../shared/answers';
import type { Operation } from '../../shared/operation';
import {
	choiceOf,
	collectionOf,
	idOf,
	idsOf,
	optionalBooleanOf,
	optionalTextOf,
	textsOf,
} from '../../shared/values';
import { simplifyCatalogItem } from './simplify';

const flag = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'boolean',
	default: true,
	description,
});
const list = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	description: `${description}, separated by commas, or a list`,
});

/** Specification, *Catalog search*; filters and answer: public reference, 7.1. */
export const search: Operation = {
	name: 'Search',
	action: 'Search catalog',
	description:
		'Find items of the catalog by text, brand, supplier or category, with list price and cost. Finds labor and custom items when asked for them. Changes nothing.',
	mark: 'spec',
	fields: [
		...paging,
		simplify,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				list('Brands', 'brands', 'Only items of these brands'),
				list('Category IDs', 'categoryIds', 'Only items of these categories'),
				flag('Company Approved', 'isCompanyApproved', 'Whether to find only approved items'),
				flag('Favorite', 'isFavorite', 'Whether to find only favorites'),
				flag('In Stock', 'isInStock', 'Whether to find only items in stock'),
				{
					displayName: 'Item Type',
					name: 'itemType',
					type: 'options',
					options: choices(CATALOG_ITEM_TYPES),
					default: 'Part',
					description: 'Labor and custom items come from your own library',
				},
				list('Parent Category IDs', 'parentCategoryIds', 'Only items below these categories'),
				{
					displayName: 'Search Text',
					name: 'searchText',
					type: 'string',
					default: '',
					description: 'Only items with this text in their name, brand or description',
				},
				list('Suppliers', 'suppliers', 'Only items of these suppliers'),
			],
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Raw Response',
					name: 'rawResponse',
					type: 'boolean',
					default: false,
					description:
						'Whether to return the first page as Portal.io gives it, in one item, with counts and facets',
				},
			],
		},
	],
	request: (parameters) => {
		const filters = collectionOf(parameters.filters);
		const { itemType } = filters;
		const query: Fields = {
			SearchText: optionalTextOf(filters.searchText, 'Search Text'),
			CategoryIds: idsOf(filters.categoryIds, 'Category IDs'),
			ParentCategoryIds: idsOf(filters.parentCategoryIds, 'Parent Category IDs'),
			Brands: textsOf(filters.brands, 'Brands'),
			Suppliers: textsOf(filters.suppliers, 'Suppliers'),
			ItemType:
				itemType === undefined ? undefined : choiceOf(itemType, 'Item Type', CATALOG_ITEM_TYPES),
			IsFavorite: optionalBooleanOf(filters.isFavorite, 'Favorite'),
			IsInStock: optionalBooleanOf(filters.isInStock, 'In Stock'),
			IsCompanyApproved: optionalBooleanOf(filters.isCompanyApproved, 'Company Approved'),
		};
		if (wantsRaw(parameters.options)) {
			query.PageNumber = 1;
			query.PageSize = parameters.returnAll === true ? 100 : idOf(parameters.limit ?? 50, 'Limit');
		}
		return { method: 'GET', path: '/public/catalog', query };
	},
	list: (parameters) => (wantsRaw(parameters.options) ? undefined : catalogPages),
	output: (answer, parameters) =>
		parameters.simplify && !wantsRaw(parameters.options) ? simplifyCatalogItem(answer) : answer,
};

/** How the catalog comes in pages: its count leaves out what is repeated as a favorite. */
export const catalogPages: PageShape = {
	records: catalogRecords,
	count: 'totalItemCount',
	counted: (answer) =>
		['items', 'labors', 'customItems'].flatMap((name) => listOf(answer, name)).length,
};

const wantsRaw = (options: unknown) => collectionOf(options).rawResponse === true;

/** What a page of the catalog found, each with its type; a favorite may stand there twice. */
function catalogRecords(answer: IDataObject): IDataObject[] {
	const typed = (name: string, itemType: string) =>
		listOf(answer, name).map((record) => ({ itemType, ...record }));
	return [
		...typed('items', 'Part'),
		...typed('favoriteItems', 'Part'),
		...typed('labors', 'Labor'),
		...typed('customItems', 'CustomItem'),
	];
}
