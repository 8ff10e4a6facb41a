import { objects, type Field } from '../contract.mts';
import { columnOf, type Row } from '../database.mts';
import type { Json } from '../json.mts';
import { fromCents, fromQuantity } from '../money.mts';

/** Leaves out fields without a value: optional fields of the contract are absent, not null. */
export function compact<T extends Record<string, unknown>>(fields: T): T {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
	) as T;
}

function valueOf({ name, type, isList }: Field, row: Row): unknown {
	const column = columnOf(name);
	const cents = row[`${column}_cents`];
	const value = row[column];
	if (isList || objects.has(type)) return undefined;
	if (type === 'number' && typeof cents === 'number') return fromCents(cents);
	if (type === 'bool') return column in row ? value === 1 : undefined;
	return column === 'quantity' ? fromQuantity(Number(value)) : value;
}

/**
 * The fields of a type of the contract that are named like a column of the row: `firstName` is
 * `first_name`, a boolean is 0 or 1, `cost` is `cost_cents` in dollars.
 */
export const viewOf = (type: string, row: Row): Record<string, Json> =>
	compact(Object.fromEntries(objects.get(type)!.map((field) => [field.name, valueOf(field, row)])));

/** The currency of an account. */
export const currencyOf = (account: Row) => ({
	code: account.currency_code,
	symbol: account.currency_symbol,
});
