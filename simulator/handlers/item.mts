import { catalogCost, findItems, itemsOf } from '../items.mts';
import { answerDetail, findEditable, touch } from '../proposals.mts';
import type { Handler } from '../world.mts';

/**
 * `POST .../items/costupdate` (fields assumed: ProposalItemIds, none means all items): sets the cost
 * of each item to the latest of the catalog. A refreshed item has a new costUpdateDate even when its
 * cost is what it was (assumed); fees have no catalog cost and stay.
 */
const refreshCosts: Handler = (call) => {
	findEditable(call);
	const { database, path } = call;
	const ids: number[] | undefined = call.body.ProposalItemIds;
	const items = ids?.length ? findItems(call, ids) : itemsOf(database, path.ProposalId!);
	const now = call.world.clock.iso();
	for (const item of items) {
		const cost = catalogCost(
			database,
			Number(item.referenced_item_id),
			item.supplier_id as number | null,
		);
		if (cost === undefined) continue;
		database.run(
			`UPDATE proposal_items SET cost_cents = ?, cost_update_date = ?, last_modified_date = ?
				WHERE id = ?`,
			cost,
			now,
			now,
			item.id!,
		);
	}
	touch(call);
	return answerDetail(call);
};

/** Handlers of the item operations. */
export const item: Record<string, Handler> = { 'item.refreshCosts': refreshCosts };
