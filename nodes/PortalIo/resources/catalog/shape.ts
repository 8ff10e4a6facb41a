import type { Shape } from '../../../shared/shape';

/** A part, labor or a custom item, as far as the package reads them. */
export interface CatalogRecord {
	id?: number;
	itemType?: string;
	name?: string | null;
	shortDescription?: string | null;
	brand?: string | null;
	model?: string | null;
	/** Of parts. */
	msrp?: { value?: number } | null;
	defaultCost?: { value?: number; supplierName?: string; isInStock?: boolean } | null;
	/** Of labor and custom items. */
	sellPrice?: number | null;
	cost?: number | null;
}

/**
 * A catalog item as the ten flat fields that people map. Labor and custom items have a sell price of
 * their own, which stands in the place of the MSRP where they are read one by one.
 */
export const catalogShape: Shape<CatalogRecord> = {
	id: 'integer',
	itemType: ['string', ({ itemType }) => itemType ?? 'Part'],
	name: ['string', 'name', 'shortDescription'],
	brand: 'string',
	model: 'string',
	msrp: ['number', (item) => (isOwn(item) ? undefined : item.msrp?.value)],
	sellPrice: ['number', 'sellPrice', (item) => (isOwn(item) ? item.msrp?.value : undefined)],
	cost: ['number', 'defaultCost.value', 'cost'],
	supplier: ['string', 'defaultCost.supplierName'],
	isInStock: ['boolean', 'defaultCost.isInStock'],
};

/** Whether it is of the account's own library. */
const isOwn = ({ itemType = 'Part' }: CatalogRecord) => itemType !== 'Part';
