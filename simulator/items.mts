/** What several item operations need: the items of a proposal, and what the catalog asks for them. */

import type { Database, Row } from './database.mts';
import { notFound } from './errors.mts';
import type { Call } from './world.mts';

/** All items of a proposal, in order. */
export const itemsOf = (database: Database, proposalId: number): Row[] =>
	database.all(
		`SELECT proposal_items.* FROM proposal_items JOIN area_options ON area_options.id = option_id
			JOIN areas ON areas.id = area_id WHERE proposal_id = ? ORDER BY proposal_items.id`,
		proposalId,
	);

/** The items of the path's proposal with these ids; 404 when one of them is not on it. */
export function findItems(call: Call, ids: number[]): Row[] {
	const items = itemsOf(call.database, call.path.ProposalId!);
	return [...new Set(ids)].map((id) => {
		const item = items.find((one) => one.id === id);
		if (!item) throw notFound(`Proposal item ${id}`);
		return item;
	});
}

/**
 * The latest cost of a catalog item in cents: that of the given supplier if it still offers the item,
 * else of the item's default supplier, else (labour, custom items) the item's own. Undefined for
 * fees, which have no cost in the catalog.
 */
export function catalogCost(
	database: Database,
	itemId: number,
	supplierId: number | null,
): number | undefined {
	const offer = database.get(
		`SELECT cost_cents FROM catalog_costs WHERE item_id = ?
			ORDER BY supplier_id = ? DESC, is_default DESC LIMIT 1`,
		itemId,
		supplierId,
	);
	const item = database.get('SELECT * FROM catalog_items WHERE id = ?', itemId);
	if (!item || item.item_type === 'Fee') return undefined;
	return Number(offer?.cost_cents ?? item.cost_cents);
}
