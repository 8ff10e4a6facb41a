/** The catalog, and what items are made from. */
import type { Json } from '../../simulator/json.mts';
import type { Check, Probe } from '../probe.mts';
import { listIn, NO_ID, NO_TEXT, PAGE, tryFilters } from './reading.mts';

const PART = { ItemType: 'Part' };

/** So many parts are looked at for one with several suppliers. */
const LOOKED_AT = 5;

/** Chooses parts, the first with several suppliers, labor, a custom item, and brands to filter by. */
async function chooseItems(probe: Probe): Promise<void> {
	const { kept, found } = probe;
	if (kept.parts !== undefined) return;
	const { data } = await probe.send('catalog.search', { ...PAGE, ...PART });
	kept.brands = listIn(data?.brandFacets)
		.filter(({ value, count }) => count > 0 && !String(value ?? ',').includes(','))
		.slice(0, 2);
	const parts = listIn(data, 'items')
		.filter(({ isDiscontinued }) => isDiscontinued !== true)
		.map(({ id }) => ({ itemId: id, itemType: 'Part' }));
	for (const [index, { itemId }] of parts.slice(0, LOOKED_AT).entries()) {
		const query = { ...PART, ExtendedDetails: true };
		const { data: details } = await probe.send('catalog.get', query, { ItemId: itemId });
		if (listIn(details?.suppliers).length < 2) continue;
		parts.unshift(...parts.splice(index, 1));
		break;
	}
	kept.parts = parts;
	if (parts[0] !== undefined) found.ItemId = parts[0].itemId;
	for (const [itemType, list] of Object.entries({ Labor: 'labors', CustomItem: 'customItems' })) {
		const { data: others } = await probe.send('catalog.search', { ...PAGE, ItemType: itemType });
		const itemId = others?.[list]?.[0]?.id;
		if (itemId !== undefined) kept[itemType] = { itemId, itemType };
	}
}

export const catalogChecks: Check[] = [
	{ operation: 'catalog.getCategories' },
	{
		operation: 'catalog.search',
		prepare: chooseItems,
		// Two brands, so that lists in a query are tried as well.
		fields: ({ kept: { brands } }) => ({
			...PAGE,
			...PART,
			...(brands.length === 2 ? { Brands: brands.map(({ value }: Json) => value) } : {}),
		}),
		tookEffect: async ({ kept: { brands } }, { Brands }, { data }) =>
			Brands === undefined || data?.totalItemCount === brands[0].count + brands[1].count,
		after: tryFilters(
			'catalog.search',
			'items',
			{ ...PAGE, ...PART },
			{
				SearchText: { SearchText: NO_TEXT },
				Brands: { Brands: [NO_TEXT] },
				Suppliers: { Suppliers: [NO_TEXT] },
				CategoryIds: { CategoryIds: [NO_ID] },
				ParentCategoryIds: { ParentCategoryIds: [NO_ID] },
				ItemType: { ItemType: 'Labor' },
				IsFavorite: { IsFavorite: true },
				IsCompanyApproved: { IsCompanyApproved: true },
				IsInStock: { IsInStock: true },
				'PageNumber and PageSize': { PageNumber: 2, PageSize: 1 },
			},
		),
	},
	{ operation: 'catalog.get', fields: () => ({ ...PART, ExtendedDetails: true }) },
];
