import type { Database, Row } from '../database.mts';
import { offersOf } from '../items.mts';
import { fromCents } from '../money.mts';
import { compact, viewOf } from './fields.mts';

/** Catalog item with its suppliers' costs, starting with the default supplier. */
export type CatalogEntry = ReturnType<typeof readCatalog>[number];

const currency = { code: 'USD', symbol: '$' };

/** Returns the catalog items of a type that an account can use: the shared parts, or the account's own library. */
export function readCatalog(database: Database, accountId: number, type: string) {
	return database
		.all(
			`SELECT categorized_items.*, is_favorite, is_company_approved FROM categorized_items
				LEFT JOIN catalog_marks ON item_id = id AND catalog_marks.account_id = ?1
				WHERE item_type = ?2 AND coalesce(categorized_items.account_id, ?1) = ?1 ORDER BY id`,
			accountId,
			type,
		)
		.map((item) => ({ item, offers: offersOf(database, item.id!) }));
}

export function catalogItemView({ item, offers }: CatalogEntry, rank?: number) {
	const msrp = fromCents(Number(item.msrp_cents));
	const [offer] = offers;
	return compact({
		...viewOf('CatalogItem', item),
		primaryImageUrl: item.image_url,
		categories: [item.parent_category_name, item.category_name].filter(Boolean),
		rank,
		msrp: {
			msrpUsd: msrp,
			value: msrp,
			regularValue: msrp,
			isCustom: false,
			currency,
			lastModifiedDate: item.last_modified_date,
		},
		defaultCost: offer && {
			...viewOf('DefaultCost', offer),
			supplierSku: `${offer.supplier_id}-${offer.item_id}`,
			managePriceStatus: 'Activated',
			value: fromCents(Number(offer.cost_cents)),
			isPromo: false,
			currency,
		},
	});
}

/** Serializes an entry of `labors` or `customItems`. The fields are assumed. */
export const libraryItemView = ({ item }: CatalogEntry) => ({
	...viewOf('LibraryItem', item),
	name: item.name ?? [item.brand, item.model].filter(Boolean).join(' '),
	sellPrice: fromCents(Number(item.msrp_cents)),
});

export const supplierView = (offer: Row) => ({
	id: offer.supplier_id,
	name: offer.supplier_name,
	cost: {
		...viewOf('SupplierCost', offer),
		value: fromCents(Number(offer.cost_cents)),
		isPromo: false,
		currency,
		unitOfMeasure: 'Each',
		discountPercentage: 0,
	},
});

export function catalogDetailView(entry: CatalogEntry, isExtended: boolean) {
	const { item, offers } = entry;
	return {
		...catalogItemView(entry),
		...viewOf('CatalogItemDetail', item),
		suppliers: offers.map(supplierView),
		...(isExtended && {
			description: `${item.short_description}. Invented for the simulator.`,
			productUrl: `https://catalog.example/items/${item.id}`,
		}),
	};
}

export function industriesView(database: Database) {
	const rows = database.rows('categories');
	const below = (parentId: Row[string]): object[] =>
		rows
			.filter((row) => row.parent_id === parentId)
			.map((row) => ({
				id: row.id,
				name: row.name,
				imageUrl: `https://catalog.example/categories/${row.id}.png`,
				subCategories: below(row.id!),
			}));
	return rows
		.filter((row) => row.parent_id === null)
		.map((row) => ({ id: row.id, name: row.name, categories: below(row.id!) }));
}
