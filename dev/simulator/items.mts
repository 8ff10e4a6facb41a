/** Shared by item operations: the items of a proposal and their catalog items. */

import type { Database, Row } from './database.mts';
import { notFound } from './errors.mts';
import type { Call } from './context.mts';

/** All items of a proposal, in order. A nested item always comes after its parent. */
export const itemsOf = (database: Database, proposalId: number): Row[] =>
	database.all(
		`SELECT * FROM proposal_items
			WHERE option_id IN (SELECT id FROM placed_options WHERE proposal_id = ?) ORDER BY id`,
		proposalId,
	);

/** The items with these IDs on the proposal of the path; 404 when one is not there. */
export function findItems(call: Call, ids: number[], fieldName?: string): Row[] {
	const items = itemsOf(call.database, call.values.ProposalId);
	return [...new Set(ids)].map((id) => {
		const item = items.find((one) => one.id === id);
		if (!item) throw notFound(`Proposal item ${id}`, fieldName);
		return item;
	});
}

/** The item of the path; 404 when it is not on the path's proposal. */
export const findItem = (call: Call): Row => findItems(call, [call.values.ProposalItemId])[0]!;

/** The option that a field of the body names, on the proposal of the path; 404 when not there. */
export function findTargetOption(call: Call, optionId: number, fieldName: string): Row {
	const option = call.database.get(
		'SELECT * FROM placed_options WHERE id = ? AND proposal_id = ?',
		optionId,
		call.values.ProposalId,
	);
	if (!option) throw notFound(`Area option ${optionId}`, fieldName);
	return option;
}

/** `roots` and everything nested under them, in the order of `all` (the proposal's items). */
export function withNested(all: Row[], roots: Row[]): Row[] {
	const ids = new Set(roots.map((item) => item.id));
	return all.filter((item) => {
		// Parents come first, so the parent has been decided on already.
		if (ids.has(item.parent_id!)) ids.add(item.id!);
		return ids.has(item.id!);
	});
}

export const touchOption = ({ database, now }: Call, optionId: Row[string]): void =>
	database.update('area_options', optionId, { last_modified_date: now });

/** Sets columns of a proposal item, and the modification dates of the item and its option. */
export function updateItem(call: Call, item: Row, columns: Row): void {
	call.database.update('proposal_items', item.id!, { ...columns, last_modified_date: call.now });
	touchOption(call, item.option_id!);
}

/** An item of the shared catalog or the account's own library; undefined for any other. */
export const visibleCatalogItem = (
	database: Database,
	accountId: number,
	itemId: number,
): Row | undefined =>
	database.get(
		'SELECT * FROM catalog_items WHERE id = ? AND (account_id IS NULL OR account_id = ?)',
		itemId,
		accountId,
	);

/**
 * The columns of a proposal item that come from its catalog item. The sell price is the MSRP, the
 * cost is that of the default supplier (assumed). `at` becomes the date of the cost.
 */
export function catalogColumns(database: Database, source: Row, at: string) {
	const offer = findOffer(database, source.id!, null);
	return {
		item_type: source.item_type!,
		referenced_item_id: source.id!,
		brand: source.brand!,
		model: source.model!,
		name: source.name!,
		short_description: source.short_description!,
		image_url: source.image_url!,
		msrp_cents: source.item_type === 'Part' ? source.msrp_cents! : null,
		sell_price_cents: source.msrp_cents!,
		cost_cents: offer?.cost_cents ?? source.cost_cents!,
		cost_update_date: at,
		supplier_id: offer?.supplier_id ?? null,
		is_recurring_service: source.is_recurring_service!,
	};
}

/** The offer of the given supplier if it still sells the item, otherwise of the default supplier. */
const findOffer = (database: Database, itemId: Row[string], supplierId: Row[string]) =>
	database.get(
		`SELECT * FROM catalog_costs WHERE item_id = ?
			ORDER BY supplier_id = ? DESC, is_default DESC LIMIT 1`,
		itemId,
		supplierId,
	);

/**
 * The current cost in the catalog of a proposal item, in cents: that of an offer, or (labor, custom
 * items) the catalog item's own. Undefined for fees, which have no cost in the catalog.
 */
export function catalogCost(database: Database, item: Row): Row[string] | undefined {
	const offer = findOffer(database, item.referenced_item_id!, item.supplier_id!);
	const source = database.get('SELECT * FROM catalog_items WHERE id = ?', item.referenced_item_id!);
	return source!.item_type === 'Fee' ? undefined : (offer?.cost_cents ?? source!.cost_cents);
}
