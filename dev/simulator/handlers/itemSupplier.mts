import { notFound } from '../errors.mts';
import { catalogCost, findItem, findItems, itemsOf, updateItem } from '../items.mts';
import { answerDetail, findEditable, findProposal, touch } from '../proposals.mts';
import { supplierView } from '../serializers/catalog.mts';
import type { Call, Handler } from '../context.mts';

/** The suppliers of a catalog item with their costs, the default supplier first. */
const offersOf = (call: Call, itemId: number) =>
	call.database.all(
		`SELECT catalog_costs.*, suppliers.name AS supplier_name FROM catalog_costs
			JOIN suppliers ON suppliers.id = supplier_id WHERE item_id = ?
			ORDER BY is_default DESC, supplier_id`,
		itemId,
	);

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
const setSupplier: Handler = (call) => {
	findEditable(call);
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
	touch(call);
	return answerDetail(call);
};

/**
 * `POST .../items/costupdate`: sets the cost of items to that of the catalog. Assumed:
 * ProposalItemIds names them, without it all are meant, and costUpdateDate changes even if the cost
 * does not. Fees have no catalog cost and stay unchanged.
 */
const refreshCosts: Handler = (call) => {
	findEditable(call);
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
	touch(call);
	return answerDetail(call);
};

/** Handlers of the operations on suppliers and costs of items. */
export const itemSupplier: Record<string, Handler> = {
	'item.getSuppliers': getSuppliers,
	'item.setSupplier': setSupplier,
	'item.refreshCosts': refreshCosts,
};
