/** The catalog, and what of it the probe puts into its proposal. */
import { isSame, listIn, type Json, type Walk } from './walk.mts';

/** How many parts are looked at for one with several suppliers. */
const LOOKED_AT = 5;

/** Reads the catalog, and chooses parts, labor and a custom item. */
export async function readCatalog(walk: Walk): Promise<void> {
	const { probe } = walk;
	await probe.try({ operation: 'catalog.getCategories' });
	const search = await probe.try({
		operation: 'catalog.search',
		query: { ItemType: 'Part', PageNumber: 1, PageSize: 10 },
	});
	const parts = listIn(search, 'items').filter(({ isDiscontinued }) => isDiscontinued !== true);
	if (parts.length === 0) {
		probe.skip(['catalog.get'], 'The catalog has no item to read.');
		return;
	}
	await probe.try({
		operation: 'catalog.get',
		ids: { ItemId: parts[0].id },
		query: { ExtendedDetails: true, ItemType: 'Part' },
		hasEffect: async (_values, { data }) => isSame(parts[0].id, (data as Json).id),
	});
	if (walk.readOnly) return;
	walk.parts = (await withSuppliersFirst(walk, parts.slice(0, LOOKED_AT))).map(({ id }) => ({
		id,
		itemType: 'Part',
	}));
	const labor = await firstOf(walk, 'Labor', 'labors');
	if (labor !== undefined) walk.labor = { id: labor, itemType: 'Labor' };
	const customItem = await firstOf(walk, 'CustomItem', 'customItems');
	if (customItem !== undefined) walk.customItem = { id: customItem, itemType: 'CustomItem' };
}

/** The parts with one in front that several suppliers sell, if there is one. */
async function withSuppliersFirst({ probe }: Walk, parts: Json[]): Promise<Json[]> {
	for (const part of parts) {
		const query = { ExtendedDetails: true, ItemType: 'Part' };
		const answer = await probe.call('catalog.get', { ItemId: part.id }, undefined, query);
		if (((answer.data as Json)?.suppliers?.length ?? 0) > 1) {
			return [part, ...parts.filter((one) => one !== part)];
		}
	}
	return parts;
}

async function firstOf({ probe }: Walk, type: string, list: string): Promise<number | undefined> {
	const query = { ItemType: type, PageNumber: 1, PageSize: 1 };
	const answer = await probe.call('catalog.search', {}, undefined, query);
	return (answer.data as Json)?.[list]?.[0]?.id;
}
