import type { Row } from '../database.mts';
import { invalid, notFound } from '../errors.mts';
import { pageOf } from '../paging.mts';
import {
	catalogDetailView,
	catalogItemView,
	industriesView,
	libraryItemView,
	readCatalog,
	type CatalogEntry,
} from '../serializers/catalog.mts';
import type { Call, Handler } from '../context.mts';

function facets(values: (Row[string] | undefined)[]) {
	const counts = new Map<string, number>();
	for (const value of values) {
		if (value) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
	}
	return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

/** The IDs of a single or a repeated parameter; sending both is a 400. */
function oneOf(values: Call['values'], single: string, several: string): number[] | undefined {
	if (values[single] !== undefined && values[several] !== undefined) {
		throw invalid(several, `${several} cannot be combined with ${single}.`);
	}
	return values[single] === undefined ? values[several] : [values[single]];
}

function matches(call: Call): (entry: CatalogEntry) => boolean {
	const { values } = call;
	const words = String(values.SearchText ?? '')
		.toLowerCase()
		.split(/\s+/)
		.filter(Boolean);
	const categories = oneOf(values, 'CategoryId', 'CategoryIds');
	const parents = oneOf(values, 'ParentCategoryId', 'ParentCategoryIds');
	return ({ item, offers }) => {
		const text = [item.brand, item.model, item.name, item.short_description]
			.join(' ')
			.toLowerCase();
		return (
			!item.is_discontinued &&
			words.every((word) => text.includes(word)) &&
			(!categories || categories.includes(Number(item.category_id))) &&
			(!parents || parents.includes(Number(item.parent_category_id))) &&
			(!values.Brands || values.Brands.includes(item.brand)) &&
			(!values.Suppliers || offers.some((one) => values.Suppliers.includes(one.supplier_name))) &&
			(values.IsFavorite !== true || item.is_favorite === 1) &&
			(values.IsCompanyApproved !== true || item.is_company_approved === 1) &&
			(values.IsInStock !== true || offers.some((one) => one.is_in_stock === 1))
		);
	};
}

/**
 * `GET /public/catalog`. Assumed: with ItemType Labor or CustomItem the page is in `labors` or
 * `customItems`, and `totalItemCount` counts those; `favoriteItems` has all matching favorites on
 * every page, and `items` has them too. With IsCompanyApproved=true, `favoriteItems` is empty.
 */
const search: Handler = (call) => {
	const { values } = call;
	const type: string = values.ItemType ?? 'Part';
	const found = readCatalog(call.database, call.accountId, type).filter(matches(call));
	const page = pageOf(found, { ...values, PageNumber: values.PageNumber || 1 });
	const favorites =
		type !== 'Part' || values.IsCompanyApproved === true
			? []
			: found.filter(({ item }) => item.is_favorite === 1);
	const view = (entry: CatalogEntry, index: number) => catalogItemView(entry, index + 1);
	return {
		body: {
			items: type === 'Part' ? page.map(view) : [],
			totalItemCount: found.length,
			processingTimeMS: 1,
			favoriteItemCount: favorites.length,
			favoriteItems: favorites.map(view),
			categoryFacets: facets(found.map(({ item }) => item.category_name)),
			brandFacets: facets(found.map(({ item }) => item.brand)),
			supplierFacets: facets(found.flatMap(({ offers }) => offers.map((one) => one.supplier_name))),
			labors: type === 'Labor' ? page.map(libraryItemView) : [],
			customItems: type === 'CustomItem' ? page.map(libraryItemView) : [],
		},
	};
};

/** `GET /public/catalog/{ItemId}`. The item must have the given ItemType. */
const get: Handler = (call) => {
	const type: string = call.values.ItemType ?? 'Part';
	const entry = readCatalog(call.database, call.accountId, type).find(
		({ item }) => item.id === call.values.ItemId,
	);
	if (!entry) throw notFound('Catalog item');
	return { body: catalogDetailView(entry, call.values.ExtendedDetails === true) };
};

/** `GET /public/catalog/categories`: a plain array of industries. */
const getCategories: Handler = (call) => ({ body: industriesView(call.database) });

export const catalog: Record<string, Handler> = {
	'catalog.search': search,
	'catalog.get': get,
	'catalog.getCategories': getCategories,
};
