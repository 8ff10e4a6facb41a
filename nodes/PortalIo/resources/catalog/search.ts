import type { IDataObject } from 'n8n-workflow';
import type { FieldValue } from '../../../../client/encoding';
import type { ServiceRequest } from '../../../../client/request';
import { added, narrowing, optional } from '../../fields/field';
import { filters, flag, ids, options, requiredText, texts } from '../../fields/types';
import { paging, simplify } from '../../fields/lists';
import { operation, toPascalCase } from '../../operation/operation';
import { itemType } from './get';
import { catalogPages } from './pages';
import { catalogShape, type CatalogRecord } from './shape';

const MAX_RAW = 100;
const several = (what: string) => ({
	description: `${what}. Separate several with commas, and put a name that has a comma in quotation marks.`,
});

/** docs/dev/portal-api.md#catalog */
export const search = operation({
	name: 'Search',
	action: 'Search catalog',
	description:
		'Search the catalog for parts, and your own labor and custom items, by text, brand, supplier or category. Returns price and cost, your own items first.',
	fields: {
		searchText: narrowing(
			optional(
				requiredText('Search Text', {
					placeholder: 'e.g. in-ceiling speaker',
					description: 'Text in the name, brand or description. If empty, all items are returned.',
				}),
				{ isStrict: true },
			),
		),
		...paging,
		simplify,
		filters: filters({
			brands: texts('Brands', several('Return only items of these brands')),
			categoryIds: ids(
				'Category Names or IDs',
				'getCategories',
				'Return only items of these categories',
			),
			isCompanyApproved: flag('Company Approved', {
				description: 'Whether to return only items that your company approved',
			}),
			isFavorite: flag('Favorite', { description: 'Whether to return only favorites' }),
			isInStock: flag('In Stock', { description: 'Whether to return only items in stock' }),
			itemType: added(itemType, {
				description: 'Return only items of this type. If not added, all types are searched.',
			}),
			parentCategoryIds: ids(
				'Parent Category Names or IDs',
				'getParentCategories',
				'Return only items of the categories below these',
			),
			suppliers: texts('Suppliers', several('Return only items from these suppliers')),
		}),
		options: options({
			rawResponse: flag('Raw Response', {
				description:
					'Whether to return the first page unchanged, as one item, with the counts for each filter. It has parts, unless an item type is chosen.',
			}),
		}),
	},
	execute: async (call) => {
		const { searchText, filters, options, limit = Infinity } = call.values;
		const query = { searchText, ...filters };
		if (options.rawResponse) {
			const page = { pageNumber: 1, pageSize: Math.min(limit, MAX_RAW) };
			return await call.send(searchFor({ ...query, ...page }));
		}
		const queries = isNarrowed(filters)
			? [query]
			: TYPES.map((type) => ({ ...query, itemType: type }));
		const found: IDataObject[] = [];
		for (const one of queries) {
			if (found.length >= limit) break;
			const list = { request: searchFor(one), ...catalogPages(one.itemType) };
			found.push(...(await call.readList(list, limit - found.length)));
		}
		return found;
	},
	output: {
		shape: catalogShape,
		records: (answer, { options: { rawResponse } }) =>
			rawResponse ? undefined : (answer as CatalogRecord),
	},
});

/** Without a type all are searched, the few of your own first. Portal.io searches one at a time. */
const TYPES = ['CustomItem', 'Labor', 'Part'];

const searchFor = (query: Record<string, FieldValue>): ServiceRequest => ({
	method: 'GET',
	path: '/public/catalog',
	query: toPascalCase(query),
});

/** Whether a filter is set: that of the type, or one that only parts can fit. */
const isNarrowed = (filters: Record<string, unknown>) =>
	Object.values(filters).some((value) =>
		Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false,
	);
