import { randomInt } from 'node:crypto';
import type { Call } from './context.mts';
import type { Row } from './database.mts';
import { invalid } from './errors.mts';

/** Default PageSize. Documented for contacts, locations, and the catalog, assumed elsewhere. */
const DEFAULT_PAGE_SIZE = 10;

/** Sorted list that is only read page by page. */
export type Listing<T> = Pick<T[], 'length' | 'slice'>;

/** Returns one page, and the number of records in the list. Pages past the end are empty. */
export function readPage<T>(
	{ values, context }: Call,
	all: Listing<T>,
	{ lowest = 1, most = Infinity } = {},
): { page: T[]; count: number } {
	const { paging } = context.settings;
	const number: number = values.PageNumber ?? 1;
	const size: number = values.PageSize ?? DEFAULT_PAGE_SIZE;
	if (number < lowest) throw invalid('PageNumber', `PageNumber must be at least ${lowest}.`);
	if (size < 1 || size > most) throw invalid('PageSize', `PageSize must be 1 to ${most}.`);
	const length = Math.min(size, paging.largestPage);
	const pagesBefore = paging.ignoresPageNumber ? 0 : Math.max(0, number - paging.firstPage);
	const start = pagesBefore * length;
	if (start > 0 && start >= paging.window) {
		if (paging.windowEnd === 'error') throw invalid('PageNumber', 'Result window is too large.');
		return { page: [], count: paging.windowEnd === 'uncounted' ? 0 : all.length };
	}
	const count = Math.max(0, all.length - paging.countDrift * pagesBefore);
	return { page: all.slice(start, Math.min(start + length, paging.window)), count };
}

/** Prime number above all IDs, so no two IDs have the same remainder after multiplication. */
const LARGE_PRIME = 1_000_000_007;

/** Factor that sorts records with equal sort values arbitrarily by ID, but always in the same way. */
const FACTOR = 618_033_989;

/**
 * Returns the order of a list in SQL: first by `key`, in which `:me` is the calling user, then as the setting `ties`
 * says.
 */
export function orderBy({ userId, context }: Call, key: string, direction: 'Asc' | 'Desc'): string {
	const { ties } = context.settings;
	const factor = ties === 'changing' ? randomInt(1_000_000, LARGE_PRIME) : FACTOR;
	const tie = ties === 'byId' ? 'id' : `id * ${factor} % ${LARGE_PRIME}`;
	return `${key.replace(':me', String(userId))} ${direction}, ${tie} ${direction}`;
}

/** Returns a test of whether one of a row's columns contains the text, in any case. Without text, every row matches. */
export function hasText(text: string | undefined, columns: string[]): (row: Row) => boolean {
	const searchText = text?.trim().toLowerCase() ?? '';
	const isIn = (value: unknown) => String(value).toLowerCase().includes(searchText);
	return (row) => columns.some((name) => isIn(row[name] ?? ''));
}
