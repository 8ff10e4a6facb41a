import type { Values } from './binder.mts';
import type { Call } from './context.mts';
import type { Row } from './database.mts';
import { invalid } from './errors.mts';

/** The default PageSize; documented for people and catalog, assumed elsewhere. */
const DEFAULT_PAGE_SIZE = 10;

/**
 * One page of a sorted list. Pages past the end are empty; the first page is 1.
 *
 * @param most the largest page size
 */
export function pageOf<T>(all: T[], values: Values, { most = Infinity } = {}): T[] {
	const number: number = values.PageNumber ?? 1;
	const size: number = values.PageSize ?? DEFAULT_PAGE_SIZE;
	if (number < 1) throw invalid('PageNumber', 'PageNumber must be at least 1.');
	if (size < 1 || size > most) throw invalid('PageSize', `PageSize must be 1 to ${most}.`);
	return all.slice((number - 1) * size, number * size);
}

/**
 * The order of a list: by an SQL expression, in which `:me` is the calling user, and where that is equal
 * by ID, always the same.
 */
export const orderBy = ({ userId }: Call, key: string, direction: 'Asc' | 'Desc') =>
	`${key.replace(':me', String(userId))} ${direction}, id ${direction}`;

/** Whether a row has a text in one of the columns, in any case; every row without a text. */
export function hasText(text: string | undefined, columns: string[]): (row: Row) => boolean {
	const wanted = text?.trim().toLowerCase() ?? '';
	const isIn = (value: unknown) => String(value).toLowerCase().includes(wanted);
	return (row) => columns.some((name) => isIn(row[name] ?? ''));
}
