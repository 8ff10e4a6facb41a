/** The catalog, and what items are made from. */
import type { Json } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import { listIn, NO_ID, NO_TEXT, PAGE, tryFilters } from './reading.mts';

const PART = { ItemType: 'Part' };

/** So many parts are looked at for one with several suppliers. */
const LOOKED_AT = 5;

/** Chooses parts, the first with several suppliers, and two brands to filter by. */
async function chooseParts(probe: Probe): Promise<void> {
	const { kept, found } = probe;
	if (kept.parts !== undefined) return;
	const { data } = await probe.send('catalog.search', { ...PAGE, ...PART });
	kept.brands = listIn(data?.brandFacets)
		.filter(({ value, count }) => count > 0 && !String(value ?? ',').includes(','))
		.slice(0, 2);
	kept.parts = listIn(data, 'items')
		.filter(({ isDiscontinued }) => isDiscontinued !== true)
		.map(({ id }) => ({ itemId: id, itemType: 'Part' }));
	for (const part of kept.parts.slice(0, LOOKED_AT)) {
		const query = { ...PART, ExtendedDetails: true };
		const { data } = await probe.send('catalog.get', query, { ItemId: part.itemId });
		if (listIn(data?.suppliers).length < 2) continue;
		kept.parts = [part, ...kept.parts.filter((one: Json) => one !== part)];
		break;
	}
	if (kept.parts.length > 0) found.ItemId = kept.parts[0].itemId;
}

/** Labor and custom items of the account. */
async function chooseOthers(probe: Probe): Promise<void> {
	for (const [itemType, list] of Object.entries({ Labor: 'labors', CustomItem: 'customItems' })) {
		const { data } = await probe.send('catalog.search', { ...PAGE, ItemType: itemType });
		const itemId = data?.[list]?.[0]?.id;
		if (itemId !== undefined) probe.kept[itemType] = { itemId, itemType };
	}
}

const filters = tryFilters(
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
);

export const catalogChecks: Check[] = [
	{ operation: 'catalog.getCategories' },
	{
		operation: 'catalog.search',
		prepare: chooseParts,
		// Two brands, so that lists in a query are tried as well.
		fields: ({ kept: { brands } }) => ({
			...PAGE,
			...PART,
			...(brands.length === 2 ? { Brands: brands.map(({ value }: Json) => value) } : {}),
		}),
		tookEffect: async ({ kept: { brands } }, { Brands }, { data }) =>
			Brands === undefined || data?.totalItemCount === brands[0].count + brands[1].count,
		after: async (probe) => {
			await chooseOthers(probe);
			await filters(probe);
		},
	},
	{ operation: 'catalog.get', fields: () => ({ ...PART, ExtendedDetails: true }) },
];
