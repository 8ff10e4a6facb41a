/** Parses and checks the field `Items` of `item.add`. */

import { invalid } from './errors.mts';
import type { Json } from './json.mts';

/** One item to add. */
export interface NewItem {
	/** ID in the catalog or in the account's library. */
	itemId: number;
	itemType: string;
	quantity: number;
	/** The proposal item under which it is nested. */
	parentId: number | undefined;
}

const itemTypes = ['Part', 'Labor', 'CustomItem', 'Fee'];
/** The properties of an item to add. */
export const itemProperties = ['itemId', 'itemType', 'quantity', 'parentId'];

/** The largest quantity, also of items that a change order takes back (assumed); it keeps totals within what a double represents exactly. */
export const MAX_QUANTITY = 999_999;

const isId = (value: unknown) => Number.isInteger(value) && (value as number) > 0;

function readItem(entry: Json, place: string): NewItem {
	const refuse = (key: string, message: string) => invalid(`${place}.${key}`, message);
	if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
		throw invalid(place, 'Each item must be an object.');
	}
	const unknown = Object.keys(entry).find((key) => !itemProperties.includes(key));
	if (unknown !== undefined) throw refuse(unknown, `'${unknown}' is no property of an item.`);
	const { itemId, itemType, quantity = 1 } = entry;
	const parentId = entry.parentId ?? undefined;
	if (!isId(itemId)) throw refuse('itemId', 'itemId must be a whole number above 0.');
	if (!itemTypes.includes(itemType)) {
		throw refuse('itemType', `itemType must be one of ${itemTypes.join(', ')}.`);
	}
	if (typeof quantity !== 'number' || Math.abs(quantity) > MAX_QUANTITY) {
		throw refuse('quantity', `quantity must be a number from -${MAX_QUANTITY} to ${MAX_QUANTITY}.`);
	}
	if (parentId !== undefined && !isId(parentId)) {
		throw refuse('parentId', 'parentId must be a whole number above 0.');
	}
	return { itemId, itemType, quantity, parentId };
}

/**
 * Reads the field: JSON text from a form, the list itself from a JSON body. Assumed: `itemId` and
 * `itemType` are required, `quantity` defaults to 1, `parentId` may be null, and no other property
 * is allowed. A 400 names the place (`Items[1].itemId`).
 */
export function readItemsField(value: Json): NewItem[] {
	let list = value;
	if (typeof value === 'string') {
		try {
			list = JSON.parse(value);
		} catch {
			throw invalid('Items', 'Items must be a JSON list of items.');
		}
	}
	if (!Array.isArray(list) || list.length === 0) {
		throw invalid('Items', 'Items must be a JSON list of at least one item.');
	}
	return list.map((entry, index) => readItem(entry, `Items[${index}]`));
}
