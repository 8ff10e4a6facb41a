import type { Row } from '../database.mts';
import { invalid } from '../errors.mts';
import { findItem, updateItem } from '../items.mts';
import type { Json } from '../json.mts';
import { toCents, toQuantity } from '../money.mts';
import { answerDetail, findEditable, touch } from '../proposals.mts';
import type { Call, Handler } from '../context.mts';

/** Converts the value of a field to columns of the item. */
type Columns = (value: Json, call: Call) => Row;

const cents =
	(column: string): Columns =>
	(value) => ({ [column]: toCents(value) });

const flag =
	(column: string): Columns =>
	(value) => ({ [column]: Number(value) });

/** Without a text, the column is cleared. */
const text =
	(column: string): Columns =>
	(value) => ({ [column]: value ?? null });

const imageUrl: Columns = (value) => {
	if (value !== undefined && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) {
		throw invalid('ImageUrl', 'ImageUrl must be an absolute http or https address.');
	}
	return { image_url: value ?? null };
};

const cost: Columns = (value, call) => ({
	cost_cents: toCents(value),
	cost_update_date: call.now,
});

/** Each operation with its one field (the names are assumed) and the columns that it changes. */
const updates: Record<string, [field: string, columns: Columns]> = {
	'item.updateQuantity': ['Quantity', (value) => ({ quantity: toQuantity(value) })],
	'item.updateSellPrice': ['SellPrice', cents('sell_price_cents')],
	'item.updateCost': ['Cost', cost],
	'item.updateMsrp': ['Msrp', cents('msrp_cents')],
	'item.updateCombinedPrice': ['IsCombinedPrice', flag('is_combined_price')],
	'item.updateShortDescription': ['ShortDescription', text('short_description')],
	'item.updateClientNote': ['ClientNote', text('client_note')],
	'item.updateImage': ['ImageUrl', imageUrl],
	'item.updateTaxExempt': ['IsTaxExempt', flag('is_tax_exempt')],
	'item.updateRecurringService': ['IsRecurringService', flag('is_recurring_service')],
};

const update =
	(field: string, columns: Columns): Handler =>
	(call) => {
		findEditable(call);
		const item = findItem(call);
		updateItem(call, item, columns(call.values[field], call));
		touch(call);
		return answerDetail(call);
	};

/** Handlers of the operations that set one field of an item. */
export const itemFields: Record<string, Handler> = Object.fromEntries(
	Object.entries(updates).map(([name, [field, columns]]) => [name, update(field, columns)]),
);
