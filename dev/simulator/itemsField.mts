/** Parses and checks the field `Items` of `item.add`. */

import { Ajv } from 'ajv';

import { operationWith } from './openapi.mts';
import { invalid } from './errors.mts';
import type { Json } from './json.mts';

/** One item to add. */
export interface NewItem {
	/** ID in the catalog or in the account's library. */
	itemId: number;
	itemType: string;
	quantity?: number;
	/** The proposal item under which it is nested. */
	parentId?: number;
}

const { contentSchema } = operationWith('item.add').form!.Items;

/** The properties of an item to add. */
export const itemProperties = Object.keys(contentSchema.items.properties);

const check = new Ajv().compile<NewItem[]>(contentSchema);

/**
 * Reads the field: JSON text from a form, the list itself from a JSON body. Assumed: what the
 * contract says of its entries. A 400 names the place (`Items[1].itemId`).
 */
export function readItemsField(value: Json): NewItem[] {
	let list = value;
	try {
		if (typeof value === 'string') list = JSON.parse(value);
	} catch {
		throw invalid('Items', 'Items must be a JSON list of items.');
	}
	if (check(list)) return list;
	const [{ instancePath, params, message }] = check.errors! as [Json];
	const property = params.missingProperty ?? params.additionalProperty;
	const path = property === undefined ? instancePath : `${instancePath}/${property}`;
	const place = `Items${path.replace(/^\/(\d+)/, '[$1]').replaceAll('/', '.')}`;
	throw invalid(place, `${place}: ${message}.`);
}
