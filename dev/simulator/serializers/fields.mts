import type { Row } from '../database.mts';

/** Leaves out fields without a value: optional fields of the contract are absent, not null. */
export function compact<T extends Record<string, unknown>>(fields: T): T {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
	) as T;
}

/** The currency of an account. */
export const currencyOf = (account: Row) => ({
	code: account.currency_code,
	symbol: account.currency_symbol,
});
