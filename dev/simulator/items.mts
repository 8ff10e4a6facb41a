import type { Database, Row } from './database.mts';
import { requireFound } from './errors.mts';
import type { Call } from './context.mts';

/** Returns a proposal's items in order. A nested item always follows its parent. */
export const itemsOf = (database: Database, proposalId: number): Row[] =>
	database.rows('placed_items', { proposal_id: proposalId });

export function findItems(call: Call, ids: number[], fieldName?: string): Row[] {
	const items = itemsOf(call.database, call.values.ProposalId);
	const find = (id: number) => items.find((item) => item.id === id);
	return [...new Set(ids)].map((id) => requireFound(find(id), `Proposal item ${id}`, fieldName));
}

export const findItem = (call: Call): Row => findItems(call, [call.values.ProposalItemId])[0]!;

/**
 * Returns the option whose ID is in the body's field `fieldName`. Responds with 404 unless the option belongs to the
 * proposal in the path.
 */
export function findTargetOption({ database, values }: Call, id: number, fieldName: string): Row {
	const option = database.row('placed_options', { id, proposal_id: values.ProposalId });
	return requireFound(option, `Area option ${id}`, fieldName);
}

/** Returns `roots` and all items nested in them, in the order of `all`, which contains the proposal's items. */
export function addNestedItems(all: Row[], roots: Row[]): Row[] {
	const ids = new Set(roots.map((item) => item.id));
	return all.filter((item) => {
		// Parents come first, so the parent has already been processed.
		if (ids.has(item.parent_id!)) ids.add(item.id!);
		return ids.has(item.id!);
	});
}

export const touchOption = ({ database, now }: Call, optionId: Row[string]): void =>
	database.update('area_options', optionId, { last_modified_date: now });

export function updateItem(call: Call, item: Row, columns: Row): void {
	call.database.update('proposal_items', item.id!, { ...columns, last_modified_date: call.now });
	touchOption(call, item.option_id!);
}

/** Returns an item in the shared catalog or the account's library; undefined if there is none. */
export const visibleCatalogItem = (database: Database, accountId: Row[string], id: number) =>
	database
		.rows('catalog_items', { id })
		.find(({ account_id }) => account_id === null || account_id === accountId);

/**
 * Returns the columns of a proposal item that come from its catalog item. The sell price is the MSRP, and the
 * cost is that of the default supplier (assumed). `at` becomes the date of the cost.
 */
export function catalogColumns(database: Database, source: Row, at: string): Row {
	const { id, item_type, brand, model, name, short_description, image_url } = source;
	const [offer] = offersOf(database, id!);
	return {
		item_type,
		referenced_item_id: id,
		brand,
		model,
		name,
		short_description,
		image_url,
		msrp_cents: item_type === 'Part' ? source.msrp_cents! : null,
		sell_price_cents: source.msrp_cents!,
		cost_cents: offer?.cost_cents ?? source.cost_cents!,
		cost_update_date: at,
		supplier_id: offer?.supplier_id ?? null,
		is_recurring_service: source.is_recurring_service!,
	} as Row;
}

/** Returns a catalog item's suppliers with their costs, starting with the default supplier. */
export const offersOf = (database: Database, itemId: Row[string]): Row[] =>
	database.rows('offers', { item_id: itemId }, 'is_default DESC, supplier_id');

/**
 * Returns a proposal item's current cost in the catalog, in cents. This is the cost from the item's supplier or, if
 * that supplier no longer sells the item, from the default supplier. For labor and custom items, it is the catalog
 * item's own cost. Returns undefined for fees, which have no cost in the catalog.
 */
export function catalogCost(database: Database, item: Row): Row[string] | undefined {
	const offers = offersOf(database, item.referenced_item_id!);
	const offer = offers.find((one) => one.supplier_id === item.supplier_id) ?? offers[0];
	const source = database.row('catalog_items', { id: item.referenced_item_id })!;
	return source.item_type === 'Fee' ? undefined : (offer?.cost_cents ?? source.cost_cents);
}
