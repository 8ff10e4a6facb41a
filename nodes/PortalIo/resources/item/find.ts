/** Finds in a proposal what a change of items has made: what is checked is also the output. */
import { itemsOf, type Proposal, type ProposalItem } from '../../../../client/model';
import { parseTime } from '../../../../client/data';
import { isSame } from '../../operation/compare';
import { ITEM_VALUES, valueOf, type ItemValueName, type ItemValues } from './itemValues';

/** An item that a change should have made or changed. */
export interface SentItem {
	/** As errors name it, such as `row 2`; '' where it is the only one. */
	name: string;
	/** Of an item that was changed; an item without an ID has to be a new one. */
	id?: number;
	/** Whether the change may have replaced the item by a new one. */
	mayBeNew?: boolean;
	/** What it should have. A value that is undefined was not sent. */
	values: ItemValues;
}

/** What was sent. */
export interface Sent {
	items: SentItem[];
	/** When, by the clock of the service, in milliseconds since 1970. */
	at: number;
	/** Items that were there before, whatever their dates say. */
	known?: number[];
	/** What was to be done with new items: `added`. */
	verb?: string;
	/** Whether what is nested under the items is found, too. */
	withNested?: true;
}

/** A sent item that is missing, or that has other values. */
export interface Missing {
	sent: SentItem;
	/** The item that differs; undefined where there is none. */
	item: ProposalItem | undefined;
	/** The values that differ. */
	names: ItemValueName[];
}

/** What a proposal has of what was sent. */
export interface Found {
	/** In the order of their IDs; also those whose values differ. */
	items: ProposalItem[];
	missing: Missing[];
}

/** The clocks of a service are not all the same. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Whether a date is not before the request; a date that cannot be read proves nothing. */
const isSince = (date: unknown, at: number) =>
	(parseTime(date) ?? Infinity) >= at - CLOCK_TOLERANCE_MS;

/**
 * Finds the items that were sent. Portal.io does not say which items are new: a new item was created
 * since the request. Among these, the one with the fewest other values is taken, the newest first.
 */
export function find(proposal: Proposal, sent: Sent): Found {
	const { items: sentItems, at, known = [] } = sent;
	const all = itemsOf(proposal);
	const changed = sentItems.map(({ id }) => all.find((item) => item.id === id));
	const left = all
		.filter(({ id, createdDate }) => isSince(createdDate, at) && !known.includes(id))
		.filter((item) => !changed.includes(item))
		.sort((one, other) => other.id - one.id);
	const take = (item: ProposalItem | undefined) => {
		if (item !== undefined) left.splice(left.indexOf(item), 1);
		return item;
	};
	// Each new item first goes to the one for which it is exactly right.
	const exact = sentItems.map(({ id, mayBeNew, values }, index) => {
		const canBeNew = id === undefined || mayBeNew;
		return (
			changed[index] ??
			(canBeNew ? take(left.find((item) => isAsSent(item, values, at))) : undefined)
		);
	});
	const found = sentItems.map(({ id, values }, index) => {
		if (exact[index] !== undefined || id !== undefined) return exact[index];
		const [closest] = left
			.filter((item) => isSame('id', values.referencedItemId, item.referencedItemId))
			.map((item) => ({ item, count: differing(item, values, at).length }))
			.sort((one, other) => one.count - other.count);
		return take(closest?.item);
	});
	const items = found.filter((item) => item !== undefined);
	return {
		items: sent.withNested
			? withNested(
					all,
					items.map(({ id }) => id),
				)
			: items.sort((one, other) => one.id - other.id),
		missing: sentItems.flatMap((one, index) => {
			const item = found[index];
			const names = item === undefined ? [] : differing(item, one.values, at);
			return item === undefined || names.length > 0 ? [{ sent: one, item, names }] : [];
		}),
	};
}

const NAMES = Object.keys(ITEM_VALUES) as ItemValueName[];

/** Whether an item has a value as it was sent. */
function hasValue(item: ProposalItem, name: ItemValueName, sent: unknown, at: number): boolean {
	const { kind } = ITEM_VALUES[name];
	const there = valueOf(item, name);
	if (sent === undefined) return true;
	if (kind !== 'image') return isSame(kind, sent, there);
	const isChanged = isSince(item.lastModifiedDate ?? item.createdDate, at);
	return isSame('text', sent, there) || (isChanged && Boolean(sent) && Boolean(there));
}

/** Whether an item has all values as they were sent. */
export const isAsSent = (item: ProposalItem, values: ItemValues, at: number) =>
	NAMES.every((name) => hasValue(item, name, values[name], at));

/** The names of the values that an item does not have as they were sent. */
const differing = (item: ProposalItem, values: ItemValues, at: number) =>
	NAMES.filter((name) => !hasValue(item, name, values[name], at));

/** Items with those nested under them, which are copied, moved and deleted along; by their IDs. */
export function withNested(all: ProposalItem[], ids: number[]): ProposalItem[] {
	const found = new Set(ids);
	// An item is older than what is nested under it.
	return all
		.toSorted((one, other) => one.id - other.id)
		.filter(({ id, parentId }) => {
			if (found.has(Number(parentId))) found.add(id);
			return found.has(id);
		});
}
