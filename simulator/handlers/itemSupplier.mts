import { notFound } from '../errors.mts';
import { catalogCost, findItem, findItems, itemsOf, updateItem } from '../items.mts';
import { answerDetail, findEditable, findProposal, touch } from '../proposals.mts';
import { supplierView } from '../views/catalog.mts';
import type { Call, Handler } from '../world.mts';

/** What suppliers ask for a catalog item, the default supplier first. */
const offersOf = (call: Call, itemId: number) =>
	call.database.all(
		`SELECT catalog_costs.*, suppliers.name AS supplier_name FROM catalog_costs
			JOIN suppliers ON suppliers.id = supplier_id WHERE item_id = ?
			ORDER BY is_default DESC, supplier_id`,
		itemId,
	);

/**
 * `GET .../items/{ProposalItemId}/suppliers`. The answer is assumed: `{suppliers}`, each as in public
 * reference 7.2; none for what no supplier sells (labour, custom items, fees).
 */
const getSuppliers: Handler = (call) => {
	findProposal(call);
	const offers = offersOf(call, Number(findItem(call).referenced_item_id));
	return { body: { suppliers: offers.map(supplierView) } };
};

/** `POST .../items/{ProposalItemId}/supplier/{SupplierId}`: the item costs what that supplier asks. */
const setSupplier: Handler = (call) => {
	findEditable(call);
	const item = findItem(call);
	const offer = offersOf(call, Number(item.referenced_item_id)).find(
		(one) => one.supplier_id === call.path.SupplierId,
	);
	// one that does not sell this item is as unknown as one that does not exist (assumed)
	if (!offer) throw notFound('Supplier');
	updateItem(call, item, {
		supplier_id: offer.supplier_id!,
		cost_cents: offer.cost_cents!,
		cost_update_date: call.world.clock.iso(),
	});
	touch(call);
	return answerDetail(call);
};

/**
 * `POST .../items/costupdate` (fields assumed: ProposalItemIds, none means all items): sets the cost
 * of each item to the latest of the catalog. A refreshed item has a new costUpdateDate even when its
 * cost is what it was (assumed); fees have no catalog cost and stay.
 */
const refreshCosts: Handler = (call) => {
	findEditable(call);
	const { database, path } = call;
	const ids: number[] | undefined = call.body.ProposalItemIds;
	const items = ids?.length
		? findItems(call, ids, 'ProposalItemIds')
		: itemsOf(database, path.ProposalId!);
	for (const item of items) {
		const cost = catalogCost(
			database,
			Number(item.referenced_item_id),
			item.supplier_id as number | null,
		);
		if (cost === undefined) continue;
		updateItem(call, item, { cost_cents: cost, cost_update_date: call.world.clock.iso() });
	}
	touch(call);
	return answerDetail(call);
};

/** Handlers of the operations about what items cost, and where. */
export const itemSupplier: Record<string, Handler> = {
	'item.getSuppliers': getSuppliers,
	'item.setSupplier': setSupplier,
	'item.refreshCosts': refreshCosts,
};
