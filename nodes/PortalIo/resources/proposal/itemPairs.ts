/** Which items of a copy stand for which items of the original, and what differs between them. */
import type { AreaItem } from '../../../../client/model';

type Items = AreaItem[] | null | undefined;

/**
 * Finds the item of a copy for each item of the original option, by what it is in the catalog and what
 * it is nested under; equal ones in their order.
 *
 * @returns by the ID of the original item
 */
export function matchItems(originals: Items, copies: Items): Map<number, AreaItem> {
	const all = originals ?? [];
	const left = (copies ?? []).toSorted((one, other) => one.id - other.id);
	const pairs = new Map<number, AreaItem>();
	const ids = new Set(all.map(({ id }) => id));
	const match = (siblings: AreaItem[], parentId: number | undefined) => {
		for (const item of siblings) {
			const index = left.findIndex(
				(one) =>
					one.itemType === item.itemType &&
					one.referencedItemId === item.referencedItemId &&
					(one.parentId ?? undefined) === parentId,
			);
			if (index < 0) continue;
			const [copy] = left.splice(index, 1) as [AreaItem];
			pairs.set(item.id, copy);
			match(
				all.filter((one) => one.parentId === item.id),
				copy.id,
			);
		}
	};
	match(
		all.filter(({ parentId }) => !ids.has(parentId!)),
		undefined,
	);
	return pairs;
}

/** A value of an item that the copy does not have. */
export interface Difference {
	itemId: number;
	/** The last segment of the path that sets it. */
	part: string;
	name: string;
	value: boolean | number | string;
	isText: boolean;
}

/** What is compared, with the path that sets it: a new MSRP must not change a price that was set before. */
const COMPARED: Array<[part: string, name: string, kind: 'flag' | 'number' | 'text']> = [
	['qty', 'quantity', 'number'],
	['msrp', 'msrp', 'number'],
	['sellprice', 'sellPrice', 'number'],
	['combineprice', 'isCombinedPrice', 'flag'],
	['taxexempt', 'isTaxExempt', 'flag'],
	['recurringservice', 'isRecurringService', 'flag'],
	['shortdescription', 'shortDescription', 'text'],
	['note', 'clientNote', 'text'],
	['image', 'imageUrl', 'text'],
];

/** The values that the items of a copy still need; an amount that the original leaves out stays. */
export function differencesOf(originals: Items, copies: Items): Difference[] {
	const pairs = matchItems(originals, copies);
	return (originals ?? []).flatMap((original) => {
		const copy = pairs.get(original.id);
		if (copy === undefined) return [];
		return COMPARED.flatMap(([part, name, kind]) => {
			const value = readValue(original, name, kind);
			const isWanted = value !== undefined && value !== readValue(copy, name, kind);
			return isWanted ? [{ itemId: copy.id, part, name, value, isText: kind === 'text' }] : [];
		});
	});
}

function readValue(item: AreaItem, name: string, kind: 'flag' | 'number' | 'text') {
	const total = item.total as { isCombinedPrice?: boolean } | undefined;
	const value = name === 'isCombinedPrice' ? total?.isCombinedPrice : item[name];
	if (kind === 'flag') return value === true;
	if (kind === 'text') return typeof value === 'string' ? value : '';
	return typeof value === 'number' ? value : undefined;
}
