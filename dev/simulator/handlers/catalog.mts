import type { Json } from '../contract.mts';
import { requireFound, invalid } from '../errors.mts';
import { readPage, type Listing } from '../paging.mts';
import {
	catalogDetailView,
	catalogItemView,
	industriesView,
	libraryItemView,
	readCatalog,
	type CatalogEntry,
} from '../serializers/catalog.mts';
import type { Call, Handler } from '../context.mts';

const filters: Record<string, (wanted: Json, entry: CatalogEntry) => boolean> = {
	SearchText: (wanted, { item }) => {
		const text = [item.brand, item.model, item.name, item.short_description].join(' ');
		const words: string[] = wanted.toLowerCase().split(/\s+/).filter(Boolean);
		return words.every((word) => text.toLowerCase().includes(word));
	},
	CategoryId: (id, { item }) => item.category_id === id,
	CategoryIds: (ids, { item }) => ids.includes(item.category_id),
	ParentCategoryId: (id, { item }) => item.parent_category_id === id,
	ParentCategoryIds: (ids, { item }) => ids.includes(item.parent_category_id),
	Brands: (names, { item }) => names.includes(item.brand),
	Suppliers: (names, { offers }) => offers.some((one) => names.includes(one.supplier_name)),
	IsFavorite: (isWanted, { item }) => !isWanted || item.is_favorite === 1,
	IsCompanyApproved: (isWanted, { item }) => !isWanted || item.is_company_approved === 1,
	IsInStock: (isWanted, { offers }) => !isWanted || offers.some((one) => one.is_in_stock === 1),
};

/**
 * Returns a type's items that match all filters. Responds with 400 if a parameter is sent in both singular and plural
 * form (`CategoryId` and `CategoryIds`).
 */
function find({ database, accountId, values }: Call, type: string): CatalogEntry[] {
	for (const single of ['CategoryId', 'ParentCategoryId']) {
		const several = `${single}s`;
		if (values[single] !== undefined && values[several] !== undefined) {
			throw invalid(several, `${several} cannot be combined with ${single}.`);
		}
	}
	const tests = Object.entries(filters).filter(([name]) => values[name] !== undefined);
	return readCatalog(database, accountId, type)
		.filter(({ item }) => !item.is_discontinued)
		.filter((entry) => tests.every(([name, test]) => test(values[name], entry)));
}

/** Number of similar parts that rank above the matches. */
const RANKED_HIGHER = 20;
/** Lowest ID of similar parts, above all IDs in the database. */
const FIRST_SIMILAR_ID = 5_000_000;

/**
 * Adds many parts to the matching ones. Their models only resemble the search text, because they have an extra number.
 * Adds none if there are other filters.
 */
function addSimilarParts(call: Call, found: CatalogEntry[]): Listing<CatalogEntry> {
	const { values, context, database, accountId } = call;
	const { similarParts } = context.settings;
	const isFiltered = Object.keys(filters).some(
		(name) => name !== 'SearchText' && values[name] !== undefined,
	);
	if (similarParts === 0 || isFiltered) return found;
	const [example] = found.length > 0 ? found : readCatalog(database, accountId, 'Part');
	const { item, offers } = example!;
	const model = String(values.SearchText ?? item.model)
		.split(' ')
		.at(-1);
	const similar = (index: number): CatalogEntry => ({
		item: { ...item, id: FIRST_SIMILAR_ID + index, model: `${model}-${index}`, is_favorite: 0 },
		offers,
	});
	const higher = Math.min(RANKED_HIGHER, similarParts);
	const length = found.length + similarParts;
	const entryAt = (index: number) => {
		if (index < higher) return similar(index);
		return found[index - higher] ?? similar(index - found.length);
	};
	return {
		length,
		slice: (start = 0, end = length) =>
			Array.from({ length: Math.max(0, Math.min(end, length) - start) }, (_, index) =>
				entryAt(start + index),
			),
	};
}

export const catalog: Record<string, Handler> = {
	/**
	 * With ItemType Labor or CustomItem, returns the page in `labors` or `customItems`, and their number in
	 * `totalItemCount`. By default, `favoriteItems` contains all matching favorites on every page, and `items` contains
	 * them as well. With IsCompanyApproved=true, `favoriteItems` is empty. All of this is assumed.
	 */
	'catalog.search': (call) => {
		const { values } = call;
		const type: string = values.ItemType ?? 'Part';
		const hasFavorites = type === 'Part' && values.IsCompanyApproved !== true;
		const isFavorite = ({ item }: CatalogEntry) => hasFavorites && item.is_favorite === 1;
		const found = find(call, type);
		const favorites = found.filter(isFavorite);
		const isSeparate = call.context.settings.favorites === 'onlyTheirOwn';
		const others = isSeparate ? found.filter((entry) => !isFavorite(entry)) : found;
		const all = type === 'Part' ? addSimilarParts(call, others) : others;
		const { page, count } = readPage(call, all, { lowest: 0 });
		const listedFavorites = isSeparate ? readPage(call, favorites, { lowest: 0 }).page : favorites;
		const view = (entry: CatalogEntry, index: number) => catalogItemView(entry, index + 1);
		return {
			body: {
				items: type === 'Part' ? page.map(view) : [],
				totalItemCount: count,
				favoriteItemCount: favorites.length,
				favoriteItems: listedFavorites.map(view),
				labors: type === 'Labor' ? page.map(libraryItemView) : [],
				customItems: type === 'CustomItem' ? page.map(libraryItemView) : [],
			},
		};
	},

	'catalog.get': (call) => {
		const type: string = call.values.ItemType ?? 'Part';
		const entries = readCatalog(call.database, call.accountId, type);
		const entry = entries.find(({ item }) => item.id === call.values.ItemId);
		const isExtended = call.values.ExtendedDetails === true;
		return { body: catalogDetailView(requireFound(entry, 'Catalog item'), isExtended) };
	},

	'catalog.getCategories': (call) => ({ body: industriesView(call.database) }),
};
