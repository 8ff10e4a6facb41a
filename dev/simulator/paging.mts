import type { Row } from './database.mts';
import { invalid } from './errors.mts';
import type { Values } from './binder.mts';

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

/** Compares two texts, numbers or missing values for sorting; missing ones come first. */
function compare(left: unknown, right: unknown): number {
	if (typeof left === 'number' && typeof right === 'number') return left - right;
	const [one, other] = [String(left ?? ''), String(right ?? '')];
	return one < other ? -1 : one > other ? 1 : 0;
}

/** Sorts by a key and, where keys are equal, by ID, so that the order is always the same. */
export function sortBy(rows: Row[], key: (row: Row) => unknown, direction: 'Asc' | 'Desc'): Row[] {
	const sign = direction === 'Desc' ? -1 : 1;
	return rows.toSorted(
		(left, right) => sign * (compare(key(left), key(right)) || compare(left.id, right.id)),
	);
}
