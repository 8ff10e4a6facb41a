/** See docs/dev/portal-api.md#catalog. */
import type { IDataObject } from 'n8n-workflow';
import { optionalList, requireList, valueUnder } from '../../../client/responseShape';
import type { PagedList } from '../../../client/lists';
import { CATALOG_ITEM_TYPES } from '../../../client/proposal';
import { path, type FieldValue } from '../../../client/request';
import type { Shape } from '../../shared/simplify';
import * as collection from '../fields/collections';
import { toFilter, withDescription } from '../fields/declare';
import { invalidField } from '../fields/fieldError';
import * as field from '../fields/fieldTypes';
import { paging } from '../fields/listFields';
import { catalogItemId } from '../fields/locators';
import { defineOperation, type Resource } from '../operation/operation';
import { addDefaults } from '../operation/output';
import { request } from '../operation/requests';

/**
 * Lists that the count includes, each with the item type of its records. The type is undefined if it is the type that
 * the search asks for.
 */
const COUNTED = { items: undefined, labors: 'Labor', customItems: 'CustomItem' };
const FAVORITES = { favoriteItems: undefined };

/**
 * Number of results after which Portal.io might return no more (assumed). The catalog seems to use a search engine,
 * which often has such a limit.
 */
const WINDOW = 1000;

type CatalogQuery = Record<string, FieldValue> & { itemType?: string; isFavorite?: boolean };

/**
 * Returns a search of the catalog. Unless only favorites are searched, the count excludes favorites, because they
 * repeat records from the other lists.
 */
export const catalogList = (query: CatalogQuery): PagedList => ({
	request: request.get('/public/catalog', query),
	window: WINDOW,
	...(query.isFavorite === true
		? favorites(query.itemType)
		: {
				records: (response) => catalogRecords(response, query.itemType),
				count: 'totalItemCount',
				uncounted: (response) => readRecords(response, FAVORITES, query.itemType),
			}),
});

/**
 * Returns the functions that read the results of a search for favorites. Portal.io does not document whether favorites
 * are in the list of items or in a separate list with its own count. A favorite in both lists is returned once.
 */
const favorites = (itemType?: string): Pick<PagedList, 'records' | 'count'> => ({
	records: (response) => {
		const records = catalogRecords(response, itemType);
		const ids = new Set(records.map(({ id }) => id));
		const ownList = readRecords(response, FAVORITES, itemType);
		return [...records, ...ownList.filter(({ id }) => !ids.has(id))];
	},
	count: (response) => {
		const count = valueUnder(response, 'totalItemCount');
		const ownCount = valueUnder(response, 'favoriteItemCount');
		const isOwnList = readRecords(response, FAVORITES).length > 0 && ownCount !== undefined;
		return isOwnList ? Math.max(Number(count ?? 0), Number(ownCount)) : count;
	},
});

function catalogRecords(response: IDataObject, itemType?: string): IDataObject[] {
	const names = Object.keys({ ...COUNTED, ...FAVORITES });
	const isPage = names.some((name) => valueUnder(response, name) !== undefined);
	return isPage
		? readRecords(response, COUNTED, itemType)
		: addItemType(requireList(response, 'items', 'totalItemCount'), itemType);
}

const readRecords = (
	response: IDataObject,
	lists: Record<string, string | undefined>,
	itemType?: string,
): IDataObject[] =>
	Object.entries(lists).flatMap(([name, type = itemType]) =>
		addItemType(optionalList(response, name), type),
	);

const addItemType = (records: IDataObject[], itemType = 'Part'): IDataObject[] =>
	records.map((record) => addDefaults(record, { itemType }) as IDataObject);

interface CatalogRecord {
	itemType?: string;
	msrp?: { value?: number } | null;
}

/** Fields of a catalog item. *Get* returns the sell price of labor and custom items under `msrp`. */
const catalogItemShape: Shape<CatalogRecord> = {
	catalogItemId: ['integer', 'id'],
	name: ['string', 'brand + model', 'name', 'shortDescription'],
	cost: ['number', 'defaultCost.value', 'cost'],
	msrp: ['number', (item) => (isFromLibrary(item) ? undefined : item.msrp?.value)],
	sellPrice: [
		'number',
		'sellPrice',
		(item) => (isFromLibrary(item) ? item.msrp?.value : undefined),
	],
	isInStock: ['boolean', 'defaultCost.isInStock'],
	supplier: ['string', 'defaultCost.supplierName'],
	brand: 'string',
	model: 'string',
	itemType: ['string', ({ itemType }) => itemType ?? 'Part'],
	shortDescription: 'string',
	isDiscontinued: 'boolean',
};

/** Returns whether an item comes from the account's own library, as labor and custom items do. */
const isFromLibrary = ({ itemType = 'Part' }: CatalogRecord) => itemType !== 'Part';

export const itemType = field.choice('Item Type', CATALOG_ITEM_TYPES, {
	default: 'Part',
	description: 'Labor and custom items come from your own library',
});

const get = defineOperation({
	name: 'Get',
	action: 'Get catalog item',
	description:
		"Retrieve a catalog item, with its default supplier's cost and stock. The 'Raw' output includes all suppliers.",
	kind: 'read',
	fields: {
		itemType,
		catalogItemId,
		options: collection.options({
			extendedDetails: field.flag('Include Extended Details', {
				description:
					"Whether to include the description, specifications, links, and images in the 'Raw' output",
			}),
		}),
	},
	run: async (call) => {
		const { catalogItemId, itemType, options, output } = call.values;
		if (options.extendedDetails && output !== 'raw') {
			call.hint("'Include Extended Details' has an effect only if 'Output' is 'Raw'.");
		}
		const query = { ...options, itemType };
		const response = await call.send(request.get(path`/public/catalog/${catalogItemId}`, query));
		return [addDefaults(response, { itemType })];
	},
	output: { flat: catalogItemShape },
});

export const CATEGORIES = request.get('/public/catalog/categories');

interface Category extends IDataObject {
	/** Names of the parents and of the category, as in `Audio / Speakers`. */
	path: string;
	/** ID of the parent; null for an industry. */
	parentCategoryId: number | null;
}

/** Returns all industries, each followed by its categories. */
export const readCategories = (response: unknown): Category[] =>
	requireList(response, 'industries').flatMap((industry) => flatten(industry));

function flatten(
	{ id, name, imageUrl = null, ...lists }: IDataObject,
	parent?: Category,
): Category[] {
	const category: Category = {
		id,
		name,
		path: parent ? `${parent.path} / ${String(name)}` : String(name),
		parentCategoryId: parent ? Number(parent.id) : null,
		// Null for an industry, which has no image.
		imageUrl,
	};
	const children = ['categories', 'subCategories'].flatMap((list) =>
		optionalList<IDataObject>(lists, list),
	);
	return [category, ...children.flatMap((child) => flatten(child, category))];
}

const getCategories = defineOperation({
	name: 'Get Categories',
	action: 'Get catalog categories',
	description: "Retrieve the catalog's industries, each followed by its categories",
	kind: 'read',
	fields: {},
	run: async ({ send }) => readCategories(await send(CATEGORIES)),
	output: {
		asIs: {
			categoryId: ['integer', 'id'],
			name: 'string',
			path: 'string',
			parentCategoryId: 'integer?',
			imageUrl: 'string',
		},
	},
});

const MAX_RAW = 100;
const SEVERAL = {
	description:
		'Separate multiple names with commas. Put a name that contains a comma in quotation marks.',
};

const search = defineOperation({
	name: 'Search',
	action: 'Search catalog',
	description:
		'Search the catalog for parts, and for your own labor and custom items. Your own items come first.',
	kind: 'read',
	fields: {
		searchText: toFilter(
			field.text('Search Text', {
				placeholder: 'e.g. in-ceiling speaker',
				description:
					'Text to find in the name, brand, or description. Be specific, because Portal.io has two million parts, and might return only the first 1,000 results.',
			}),
		),
		...paging,
		filters: collection.filters({
			brands: field.texts('Brands', SEVERAL),
			categoryIds: field.ids('Category Names or IDs', 'getCategories'),
			isCompanyApproved: field.flag('Company Approved', {
				description: 'Whether to return only items that your company approved',
			}),
			isFavorite: field.flag('Favorite', { description: 'Whether to return only favorites' }),
			isInStock: field.flag('In Stock', { description: 'Whether to return only items in stock' }),
			itemType: withDescription(
				itemType,
				'Type of the items. Without it, the step searches all types, or only parts if you add any other filter.',
			),
			parentCategoryIds: field.ids(
				'Parent Category Names or IDs',
				'getParentCategories',
				undefined,
				'Return only items in subcategories of these categories.',
			),
			suppliers: field.texts('Suppliers', SEVERAL),
		}),
		options: collection.options({
			rawResponse: field.flag('Raw Response', {
				displayOptions: { show: { '/output': ['raw'] } },
				description:
					'Whether to return the first page unchanged, as one item, with the counts for each filter. The page contains only parts unless you choose an item type.',
			}),
		}),
	},
	validate: ({ options, output }) => {
		if (options.rawResponse !== true || output === 'raw') return;
		throw invalidField('Raw Response', "requires 'Output' to be 'Raw'");
	},
	run: async (call) => {
		const { searchText, filters, options, limit = Infinity } = call.values;
		const query = { searchText, ...filters };
		if (options.rawResponse) {
			const page = { pageNumber: 1, pageSize: Math.min(limit, MAX_RAW) };
			return [await call.send(catalogList({ ...query, ...page }).request)];
		}
		const queries = hasFilter(filters)
			? [query]
			: TYPES.map((type) => ({ ...query, itemType: type }));
		let records: IDataObject[] = [];
		for (const typeQuery of queries) {
			// Read at least one record to get the count, even if no more records are needed.
			const rest = Math.max(1, limit - records.length);
			records = [...records, ...(await call.readList(catalogList(typeQuery), { limit: rest }))];
		}
		return records.slice(0, limit);
	},
	output: { flat: catalogItemShape },
});

/**
 * Item types in the order in which they are searched. Portal.io searches only one type at a time. Custom items and
 * labor come first, because there are few of them.
 */
const TYPES = ['CustomItem', 'Labor', 'Part'];

/**
 * Returns whether a search has a filter. Such a search is sent only once, so it covers only the chosen type or, if none
 * is chosen, only parts.
 */
const hasFilter = (filters: Record<string, unknown>) =>
	Object.values(filters).some((value) =>
		Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false,
	);

export const catalog: Resource = {
	name: 'Catalog',
	description: 'The parts, labor, and custom items that a proposal can contain',
	operations: { get, getCategories, search },
};
