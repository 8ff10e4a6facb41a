import { objects, type Field, type Json } from '../contract.mts';
import type { State } from '../context.mts';
import { columnOf, type Database, type Row } from '../database.mts';
import { fromCents, fromQuantity } from '../money.mts';

/** Removes fields without a value, because the contract's optional fields are absent instead of null. */
export function compact<T extends Record<string, unknown>>(fields: T): T {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
	) as T;
}

function serializeValue({ name, type, isList }: Field, row: Row): unknown {
	if (isList || objects.has(type)) return undefined;
	const column = columnOf(name);
	const cents = row[`${column}_cents`];
	const value = row[column];
	if (type === 'number' && typeof cents === 'number') return fromCents(cents);
	if (type === 'bool') return column in row ? value === 1 : undefined;
	return column === 'quantity' ? fromQuantity(Number(value)) : value;
}

/** Returns the fields of a type that match a column, for example `firstName` and `first_name`. */
export const viewOf = (type: string, row: Row): Record<string, Json> =>
	compact(
		Object.fromEntries(objects.get(type)!.map((field) => [field.name, serializeValue(field, row)])),
	);

export const currencyOf = (account: Row) => ({
	code: account.currency_code,
	symbol: account.currency_symbol,
});

export function personView({ database, settings }: State, person: Row, includeCounts = false) {
	const marked = (column: 'is_primary' | 'is_billing') => {
		const row = database.row('locations', { person_id: person.id, [column]: 1 });
		return row ? viewOf('ContactLocation', row) : null;
	};
	const [counts] = database.all(
		`SELECT
			(SELECT count(*) FROM proposals WHERE contact_id = ?1 AND parent_id IS NULL) AS proposal_count,
			(SELECT count(*) FROM payment_requests JOIN proposals ON proposals.id = proposal_id
				WHERE contact_id = ?1) AS payment_count`,
		person.id!,
	);
	const { created_date = null, last_modified_date = null } = person;
	const isUnmodified = created_date === last_modified_date;
	const dates =
		settings.contactDates === 'modification'
			? { created_date: null, last_modified_date }
			: { created_date, last_modified_date: isUnmodified ? null : last_modified_date };
	return {
		...viewOf('Person', { ...person, ...dates }),
		primaryLocation: marked('is_primary'),
		billingLocation: marked('is_billing'),
		...(includeCounts && viewOf('Person', counts!)),
	};
}

export function contentView(database: Database, content: Row) {
	const user = database.row('users', { id: content.user_id })!;
	return { ...viewOf('AiContent', content), userCreated: viewOf('Uploader', user) };
}

/**
 * Serializes an outline. The text is null until the outline is completed. `outlineId` is assumed, because a path
 * requires it.
 */
export const outlineView = (outline: Row): Record<string, Json> => ({
	...viewOf('AiOutline', outline),
	outlineId: outline.id,
	outline: outline.outline,
});
