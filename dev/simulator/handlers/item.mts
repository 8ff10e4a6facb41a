import type { Row } from '../database.mts';
import { invalid, notFound } from '../errors.mts';
import {
	catalogColumns,
	findItem,
	findItems,
	findTargetOption,
	itemsOf,
	touchOption,
	updateItem,
	visibleCatalogItem,
	withNested,
} from '../items.mts';
import { toQuantity } from '../money.mts';
import { editing } from '../proposals.mts';
import type { Call, Handler } from '../context.mts';

// The bodies of the item operations are not documented. Assumed: their fields, and that the response is
// the full proposal.

interface NewItem {
	itemId: number;
	itemType: string;
	quantity?: number;
	/** The proposal item under which it is nested. */
	parentId?: number;
}

function addItem(call: Call, option: Row, item: NewItem, place: string): void {
	const { database, accountId } = call;
	const source = visibleCatalogItem(database, accountId, item.itemId);
	if (!source) throw notFound(`Catalog item ${item.itemId}`, `${place}.itemId`);
	if (source.item_type !== item.itemType) {
		const message = `Catalog item ${item.itemId} is a ${source.item_type}, not a ${item.itemType}.`;
		throw invalid(`${place}.itemType`, message);
	}
	const parent =
		item.parentId &&
		database.get(
			'SELECT id FROM proposal_items WHERE id = ? AND option_id = ?',
			item.parentId,
			option.id!,
		);
	if (item.parentId !== undefined && !parent) {
		throw invalid(`${place}.parentId`, `Item ${item.parentId} is not on the same area option.`);
	}
	const now = call.now;
	database.insert('proposal_items', {
		...catalogColumns(database, source, now),
		option_id: option.id,
		parent_id: item.parentId,
		quantity: toQuantity(item.quantity ?? 1),
		created_date: now,
	});
}

/** `POST .../items`: adds all items or, when one is refused, none. */
const add = editing((call) => {
	const option = findTargetOption(call, call.values.AreaOptionId, 'AreaOptionId');
	const items: NewItem[] = call.values.Items;
	items.forEach((item, index) => addItem(call, option, item, `Items[${index}]`));
	touchOption(call, option.id!);
});

/** The items of ProposalItemIds with everything nested under them, parents first. */
function findWithNested(call: Call): Row[] {
	const named = findItems(call, call.values.ProposalItemIds, 'ProposalItemIds');
	return withNested(itemsOf(call.database, call.values.ProposalId), named);
}

/** `DELETE .../items`: nested items are deleted with their parent (assumed). */
const remove = editing((call) => {
	// Last to first: a parent can only be deleted after the items nested under it.
	for (const item of findWithNested(call).reverse()) {
		call.database.run('DELETE FROM proposal_items WHERE id = ?', item.id!);
		touchOption(call, item.option_id!);
	}
});

/**
 * `POST .../items/{ProposalItemId}/replace`: the item becomes another catalog item of any type
 * (assumed). It keeps its ID, place, nested items, quantity, client note, combined price and tax
 * exemption.
 */
const replace = editing((call) => {
	const item = findItem(call);
	const { database, accountId, values, now } = call;
	const source = visibleCatalogItem(database, accountId, values.ItemId);
	if (!source) throw notFound(`Catalog item ${values.ItemId}`, 'ItemId');
	updateItem(call, item, catalogColumns(database, source, now));
});

/**
 * `POST .../items/move`: moves items to another option, with everything nested under them. A nested
 * item that moves without its parent becomes a top-level item, even if it is on that option already
 * (assumed). The items of an option are ordered by ID, moved ones included.
 */
const move = editing((call) => {
	const tree = findWithNested(call);
	const option = findTargetOption(call, call.values.AreaOptionId, 'AreaOptionId');
	const moved = new Set(tree.map((item) => item.id));
	for (const item of tree) {
		// Sets the date of the option it leaves; that of the other option is set once, below.
		updateItem(call, item, {
			option_id: option.id!,
			parent_id: moved.has(item.parent_id!) ? item.parent_id! : null,
		});
	}
	touchOption(call, option.id!);
});

/**
 * `POST .../items/copy`: adds copies to each of the options, with the prices and texts of the
 * originals. Nested items are copied with their parent, once, even if they are named too. A nested
 * item named without its parent becomes a top-level item (assumed).
 */
const copy = editing((call) => {
	const { database } = call;
	const tree = findWithNested(call);
	const ids: number[] = [...new Set<number>(call.values.AreaOptionIds)];
	const options = ids.map((id) => findTargetOption(call, id, 'AreaOptionIds'));
	for (const option of options) {
		const copies = new Map<Row[string], number>();
		for (const item of tree) {
			const id = database.insert('proposal_items', {
				...item,
				id: undefined,
				last_modified_date: undefined,
				option_id: option.id,
				parent_id: copies.get(item.parent_id!),
				created_date: call.now,
			});
			copies.set(item.id!, id);
		}
		touchOption(call, option.id!);
	}
});

export const item: Record<string, Handler> = {
	'item.add': add,
	'item.delete': remove,
	'item.replace': replace,
	'item.move': move,
	'item.copy': copy,
};
