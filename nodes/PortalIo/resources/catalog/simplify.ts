import type { IDataObject } from 'n8n-workflow';

/** A catalog item as the ten flat fields that people map. */
export function simplifyCatalogItem(item: IDataObject): IDataObject {
	const msrp = (item.msrp ?? {}) as IDataObject;
	const cost = (item.defaultCost ?? {}) as IDataObject;
	return {
		id: item.id,
		itemType: item.itemType ?? 'Part',
		brand: item.brand ?? null,
		model: item.model ?? null,
		description: item.shortDescription ?? item.name ?? null,
		category: Array.isArray(item.categories) ? item.categories.join(' / ') : null,
		msrp: msrp.value ?? null,
		cost: cost.value ?? null,
		supplier: cost.supplierName ?? null,
		isInStock: cost.isInStock ?? null,
	};
}
