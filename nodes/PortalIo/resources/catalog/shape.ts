import { boolean, integer, number, text, type Shape } from '../../../shared/shape';

/** A part, labor or a custom item, as far as the package reads them. */
export interface CatalogRecord {
	id?: number;
	itemType?: string;
	name?: string | null;
	shortDescription?: string | null;
	brand?: string | null;
	model?: string | null;
	categories?: string[] | null;
	/** Of parts. */
	msrp?: { value?: number } | null;
	defaultCost?: { value?: number; supplierName?: string; isInStock?: boolean } | null;
	/** Of labor and custom items. */
	sellPrice?: number | null;
	cost?: number | null;
}

/**
 * A catalog item as the ten flat fields that people map. The price is the MSRP of a part, and the own
 * sell price of labor and custom items.
 */
export const catalogShape: Shape<CatalogRecord> = {
	id: integer(({ id }) => id),
	itemType: text(({ itemType }) => itemType ?? 'Part'),
	name: text(({ name, shortDescription }) => name ?? shortDescription),
	brand: text(({ brand }) => brand),
	model: text(({ model }) => model),
	category: text(({ categories }) => (categories?.length ? categories.join(' / ') : undefined)),
	price: number(({ msrp, sellPrice }) => msrp?.value ?? sellPrice),
	cost: number(({ defaultCost, cost }) => defaultCost?.value ?? cost),
	supplier: text(({ defaultCost }) => defaultCost?.supplierName),
	isInStock: boolean(({ defaultCost }) => defaultCost?.isInStock),
};
