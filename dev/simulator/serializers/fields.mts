import type { Row } from '../database.mts';
import type { Json } from '../json.mts';
import { fromCents, fromQuantity } from '../money.mts';

/** Leaves out fields without a value: optional fields of the contract are absent, not null. */
export function compact<T extends Record<string, unknown>>(fields: T): T {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
	) as T;
}

function fieldValue(column: string, value: Json): unknown {
	if (column.startsWith('is_')) return value === 1;
	if (value === null || value === undefined) return undefined;
	if (column.endsWith('_cents')) return fromCents(value);
	return column === 'quantity' ? fromQuantity(value) : value;
}

const fieldName = (column: string): string =>
	column.replace('_cents', '').replace(/_([a-z])/gi, (_, letter) => letter.toUpperCase());

/**
 * The fields of a record that are named like these columns of its row (separated by spaces):
 * `first_name` is `firstName`, `is_primary` a boolean, `cost_cents` the `cost` in dollars.
 */
export const fieldsOf = (row: Row, columns: string): Record<string, Json> =>
	compact(
		Object.fromEntries(
			columns
				.trim()
				.split(/\s+/)
				.map((column) => [fieldName(column), fieldValue(column, row[column])]),
		),
	);

/** The currency of an account. */
export const currencyOf = (account: Row) => ({
	code: account.currency_code,
	symbol: account.currency_symbol,
});
