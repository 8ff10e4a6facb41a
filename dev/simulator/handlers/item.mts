import type { Json } from '../contract.mts';
import type { Row } from '../database.mts';
import { requireFound, invalid } from '../errors.mts';
import {
	catalogColumns,
	catalogCost,
	findItem,
	findItems,
	findTargetOption,
	itemsOf,
	offersOf,
	touchOption,
	updateItem,
	visibleCatalogItem,
	addNestedItems,
} from '../items.mts';
import { toCents, toQuantity } from '../money.mts';
import { editing, findProposal } from '../proposals.mts';
import { supplierView } from '../serializers/catalog.mts';
import type { Call, Handler } from '../context.mts';

// The bodies of item operations are undocumented. Their fields are assumed, and so is the response, the full proposal.

interface NewItem {
	itemId: number;
	itemType: string;
	quantity?: number;
	/** ID of the proposal item in which the new item is nested. */
	parentId?: number;
}

const findCatalogItem = ({ database, accountId }: Call, id: number, fieldName: string): Row =>
	requireFound(visibleCatalogItem(database, accountId, id), `Catalog item ${id}`, fieldName);

function addItem(call: Call, option: Row, item: NewItem, place: string): void {
	const { database, now } = call;
	const source = findCatalogItem(call, item.itemId, `${place}.itemId`);
	if (source.item_type !== item.itemType) {
		const message = `Catalog item ${item.itemId} is a ${source.item_type}, not a ${item.itemType}.`;
		throw invalid(`${place}.itemType`, message);
	}
	const { parentId } = item;
	const isNested = parentId !== undefined;
	if (isNested && !database.row('proposal_items', { id: parentId, option_id: option.id })) {
		throw invalid(`${place}.parentId`, `Item ${parentId} is not on the same area option.`);
	}
	database.insert('proposal_items', {
		...catalogColumns(database, source, now),
		option_id: option.id,
		parent_id: parentId,
		quantity: toQuantity(item.quantity ?? 1),
		created_date: now,
	});
}

/** Returns the items in ProposalItemIds with all items nested in them, parents first. */
function findWithNested(call: Call): Row[] {
	const listedItems = findItems(call, call.values.ProposalItemIds, 'ProposalItemIds');
	return addNestedItems(itemsOf(call.database, call.values.ProposalId), listedItems);
}

const orNull = (text: string | undefined) => text ?? null;

function imageUrl(url: string | undefined) {
	if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
		throw invalid('ImageUrl', 'ImageUrl must be an absolute http or https address.');
	}
	return url ?? null;
}

/**
 * Operations with their only field (its name is assumed), the field's column, and a function that returns the stored
 * value.
 */
const updates: Record<
	string,
	[field: string, column: string, write: (value: Json) => Row[string]]
> = {
	'item.updateQuantity': ['Quantity', 'quantity', toQuantity],
	'item.updateSellPrice': ['SellPrice', 'sell_price_cents', toCents],
	'item.updateCost': ['Cost', 'cost_cents', toCents],
	'item.updateMsrp': ['Msrp', 'msrp_cents', toCents],
	'item.updateCombinedPrice': ['IsCombinedPrice', 'is_combined_price', Number],
	'item.updateShortDescription': ['ShortDescription', 'short_description', orNull],
	'item.updateClientNote': ['ClientNote', 'client_note', orNull],
	'item.updateImage': ['ImageUrl', 'image_url', imageUrl],
	'item.updateTaxExempt': ['IsTaxExempt', 'is_tax_exempt', Number],
	'item.updateRecurringService': ['IsRecurringService', 'is_recurring_service', Number],
};

const updateHandlers = Object.entries(updates).map(([name, [field, column, write]]) => {
	const handler = editing((call) => {
		const date = column === 'cost_cents' && { cost_update_date: call.now };
		updateItem(call, findItem(call), { [column]: write(call.values[field]), ...date });
	});
	return [name, handler] as const;
});

export const item: Record<string, Handler> = {
	/** Adds all items or, if one is rejected, none. */
	'item.add': editing((call) => {
		const option = findTargetOption(call, call.values.AreaOptionId, 'AreaOptionId');
		const items: NewItem[] = call.values.Items;
		items.forEach((item, index) => addItem(call, option, item, `Items[${index}]`));
		touchOption(call, option.id!);
	}),

	/** Deletes nested items with their parent (assumed). The nested items are deleted first. */
	'item.delete': editing((call) => {
		for (const item of findWithNested(call).reverse()) {
			call.database.delete('proposal_items', { id: item.id });
			touchOption(call, item.option_id!);
		}
	}),

	/**
	 * Turns the item into another catalog item of any type (assumed). Values that do not come from the catalog remain.
	 */
	'item.replace': editing((call) => {
		const item = findItem(call);
		const source = findCatalogItem(call, call.values.ItemId, 'ItemId');
		updateItem(call, item, catalogColumns(call.database, source, call.now));
	}),

	/** Moves items. A nested item that moves without its parent becomes a top-level item (assumed). */
	'item.move': editing((call) => {
		const tree = findWithNested(call);
		const option = findTargetOption(call, call.values.AreaOptionId, 'AreaOptionId');
		const moved = new Set(tree.map((item) => item.id));
		for (const item of tree) {
			// This sets the date of the option that the item leaves. The target's date is set once, below.
			updateItem(call, item, {
				option_id: option.id!,
				parent_id: moved.has(item.parent_id!) ? item.parent_id! : null,
			});
		}
		touchOption(call, option.id!);
	}),

	/**
	 * Copies nested items once, with their parent, even if the request also lists them. A nested item in the
	 * request without its parent becomes a top-level item (assumed).
	 */
	'item.copy': editing((call) => {
		const { database } = call;
		const tree = findWithNested(call);
		const ids: number[] = [...new Set<number>(call.values.AreaOptionIds)];
		const options = ids.map((id) => findTargetOption(call, id, 'AreaOptionIds'));
		for (const option of options) {
			const copies = new Map<Row[string], number>();
			for (const { id, parent_id } of tree) {
				const copy = database.insert('proposal_items', {
					...database.row('proposal_items', { id }),
					id: undefined,
					last_modified_date: undefined,
					created_date: call.now,
					option_id: option.id,
					parent_id: copies.get(parent_id!),
				});
				copies.set(id!, copy);
			}
			touchOption(call, option.id!);
		}
	}),
	...Object.fromEntries(updateHandlers),

	/** Returns the suppliers in an assumed form. Labor, custom items, and fees have none. */
	'item.getSuppliers': (call) => {
		findProposal(call);
		const offers = offersOf(call.database, findItem(call).referenced_item_id!);
		return { body: { suppliers: offers.map(supplierView) } };
	},

	'item.setSupplier': editing((call) => {
		const item = findItem(call);
		const { SupplierId } = call.values;
		const offers = offersOf(call.database, item.referenced_item_id!);
		// Respond with 404 if the supplier does not sell this item (assumed).
		const offer = requireFound(
			offers.find((one) => one.supplier_id === SupplierId),
			'Supplier',
		);
		updateItem(call, item, {
			supplier_id: offer.supplier_id!,
			cost_cents: offer.cost_cents!,
			cost_update_date: call.now,
		});
	}),

	/**
	 * Updates all items if there are no ProposalItemIds. Changes costUpdateDate even if the cost stays the same. Skips
	 * fees, which have no catalog cost. All of this is assumed.
	 */
	'item.refreshCosts': editing((call) => {
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
	}),
};
