/** Compares the items of a proposal before and after a change with what the change should have done. */
import type { ProposalItem } from '../../../../client/proposal';
import { isSame } from '../../operation/comparison';
import { newRecords } from '../../operation/confirm';
import { ITEM_VALUES, valueOf, type ItemValueName, type ItemValues } from './values';

/** An item that a change should have created or updated. */
export interface ExpectedItem {
	/** Names the item in errors, such as `row 2`; empty for the only item. */
	name: string;
	/** The ID of an item that existed before the change; absent for a new item. */
	id?: number;
	/** The values that the item should have. An undefined value was not sent. */
	values: ItemValues;
	/** The values of a new item that Portal.io may have created in place of the item with the ID. */
	replacement?: ItemValues;
}

/** An expected item, and the item of the proposal that shows it. */
export interface Match {
	expectedItem: ExpectedItem;
	item?: ProposalItem;
	/** The names of the values that differ. */
	differences: ItemValueName[];
}

/**
 * Matches existing items by their IDs, and expected new items with items whose IDs did not exist before.
 * Another user may have added items at the same moment, so new items must also have the expected values.
 */
export function matchItems(
	expectedItems: ExpectedItem[],
	before: ProposalItem[],
	after: ProposalItem[],
): Match[] {
	const afterById = new Map(after.map((item) => [item.id, item]));
	const beforeById = new Map(before.map((item) => [item.id, item]));
	const unmatched = new Set(newRecords(before, after));
	const matches = expectedItems.map((expectedItem): Match => {
		const item = expectedItem.id === undefined ? undefined : afterById.get(expectedItem.id);
		return { expectedItem, item, differences: [] };
	});
	const matchNewItems = (fits: (item: ProposalItem, values: ItemValues) => boolean) => {
		for (const match of matches) {
			const { id, values, replacement } = match.expectedItem;
			const newValues = id === undefined ? values : replacement;
			if (match.item !== undefined || newValues === undefined) continue;
			match.item = [...unmatched].find((item) => fits(item, newValues));
			if (match.item !== undefined) unmatched.delete(match.item);
		}
	};
	matchNewItems((item, values) => differing(item, values).length === 0);
	// A new item of the same catalog item shows which values Portal.io did not set.
	matchNewItems((item, values) => isSame('id', values.referencedItemId, item.referencedItemId));
	for (const match of matches) {
		const { item, expectedItem } = match;
		if (item === undefined) continue;
		match.differences = differing(item, expectedItem.values, beforeById.get(item.id));
	}
	return matches;
}

/** Returns the names of the values that an item lacks. `previous` is the item before the change. */
export function differing(
	item: ProposalItem,
	values: ItemValues,
	previous?: ProposalItem,
): ItemValueName[] {
	const names = Object.keys(ITEM_VALUES) as ItemValueName[];
	return names.filter((name) => {
		const { kind } = ITEM_VALUES[name];
		const isAsSent = values[name] === undefined || isSame(kind, values[name], valueOf(item, name));
		if (isAsSent) return false;
		return !(kind === 'image' && isCopiedImage(item, values, previous));
	});
}

/** Portal.io may store a copy of an image under another URL. */
function isCopiedImage(item: ProposalItem, { imageUrl }: ItemValues, previous?: ProposalItem) {
	const isChanged =
		item.imageUrl !== previous?.imageUrl || item.lastModifiedDate !== previous?.lastModifiedDate;
	return Boolean(imageUrl) && Boolean(item.imageUrl) && isChanged;
}

/** Returns the items with these IDs, and the items nested under them, in the order of their IDs. */
export function withNestedItems(all: ProposalItem[], ids: Iterable<number>): ProposalItem[] {
	const includedIds = new Set<unknown>(ids);
	let previousSize: number;
	do {
		previousSize = includedIds.size;
		for (const { id, parentId } of all) if (includedIds.has(parentId)) includedIds.add(id);
	} while (includedIds.size > previousSize);
	return all
		.filter(({ id }) => includedIds.has(id))
		.toSorted((first, second) => first.id - second.id);
}

/** Returns the IDs of the items that are not nested under another item with one of these IDs. */
export function topLevelIds(all: ProposalItem[], ids: number[]): number[] {
	const included = withNestedItems(all, ids);
	const includedIds = new Set<unknown>(included.map(({ id }) => id));
	const nestedIds = new Set(
		included.filter(({ parentId }) => includedIds.has(parentId)).map(({ id }) => id),
	);
	return ids.filter((id) => !nestedIds.has(id));
}
