import type { Row } from '../database.mts';
import { invalid, notFound } from '../errors.mts';
import { catalogCost, findItem, findItems, itemsOf, updateItem } from '../items.mts';
import type { Json } from '../contract.mts';
import { toCents, toQuantity } from '../money.mts';
import { editing, findProposal } from '../proposals.mts';
import { supplierView } from '../serializers/catalog.mts';
import type { Call, Handler } from '../context.mts';

type Columns = (value: Json, call: Call) => Row;

const cents =
	(column: string): Columns =>
	(value) => ({ [column]: toCents(value) });

const flag =
	(column: string): Columns =>
	(value) => ({ [column]: Number(value) });

/** Without a text, the column is cleared. */
const text =
	(column: string): Columns =>
	(value) => ({ [column]: value ?? null });

const imageUrl: Columns = (value) => {
	if (value !== undefined && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) {
		throw invalid('ImageUrl', 'ImageUrl must be an absolute http or https address.');
	}
	return { image_url: value ?? null };
};

const cost: Columns = (value, call) => ({
	cost_cents: toCents(value),
	cost_update_date: call.now,
});

/** Each operation with its one field (the names are assumed) and the columns that it changes. */
const updates: Record<string, [field: string, columns: Columns]> = {
	'item.updateQuantity': ['Quantity', (value) => ({ quantity: toQuantity(value) })],
	'item.updateSellPrice': ['SellPrice', cents('sell_price_cents')],
	'item.updateCost': ['Cost', cost],
	'item.updateMsrp': ['Msrp', cents('msrp_cents')],
	'item.updateCombinedPrice': ['IsCombinedPrice', flag('is_combined_price')],
	'item.updateShortDescription': ['ShortDescription', text('short_description')],
	'item.updateClientNote': ['ClientNote', text('client_note')],
	'item.updateImage': ['ImageUrl', imageUrl],
	'item.updateTaxExempt': ['IsTaxExempt', flag('is_tax_exempt')],
	'item.updateRecurringService': ['IsRecurringService', flag('is_recurring_service')],
};

const update = (field: string, columns: Columns) =>
	editing((call) => {
		const item = findItem(call);
		updateItem(call, item, columns(call.values[field], call));
	});

/** The suppliers of a catalog item with their costs, the default supplier first. */
const offersOf = (call: Call, itemId: number) =>
	call.database.all('SELECT * FROM offers WHERE item_id = ?', itemId);

/**
 * `GET .../items/{ProposalItemId}/suppliers`. The response is assumed: `{suppliers}`, each as in
 * the details of a catalog item; empty for labor, custom items and fees, which have no supplier.
 */
const getSuppliers: Handler = (call) => {
	findProposal(call);
	const offers = offersOf(call, Number(findItem(call).referenced_item_id));
	return { body: { suppliers: offers.map(supplierView) } };
};

/** `POST .../items/{ProposalItemId}/supplier/{SupplierId}`: the item gets that supplier's cost. */
const setSupplier = editing((call) => {
	const item = findItem(call);
	const offer = offersOf(call, Number(item.referenced_item_id)).find(
		(one) => one.supplier_id === call.values.SupplierId,
	);
	// Assumed: a supplier that does not sell this item is a 404 too.
	if (!offer) throw notFound('Supplier');
	updateItem(call, item, {
		supplier_id: offer.supplier_id!,
		cost_cents: offer.cost_cents!,
		cost_update_date: call.now,
	});
});

/**
 * `POST .../items/costupdate`: sets the cost of items to that of the catalog. Assumed:
 * ProposalItemIds names them, without it all are meant, and costUpdateDate changes even if the cost
 * does not. Fees have no catalog cost and stay unchanged.
 */
const refreshCosts = editing((call) => {
	const { database, values } = call;
	const ids: number[] | undefined = values.ProposalItemIds;
	const items = ids?.length
		? findItems(call, ids, 'ProposalItemIds')
		: itemsOf(database, values.ProposalId);
	for (const item of items) {
		const cost = catalogCost(database, item);
		if (cost === undefined) continue;
		updateItem(call, item, { cost_cents: cost, cost_update_date: call.now });
	}
});

export const itemFields: Record<string, Handler> = {
	...Object.fromEntries(
		Object.entries(updates).map(([name, [field, columns]]) => [name, update(field, columns)]),
	),
	'item.getSuppliers': getSuppliers,
	'item.setSupplier': setSupplier,
	'item.refreshCosts': refreshCosts,
};
