import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { learnPageSize, pageSizeFor, smallerPageSize } from './pageSize';
import { baseUrlOf, send, type Caller, type ServiceRequest } from '../http/request';
import { sideBySide } from '../concurrency';

/** Where the answers of a list that comes in pages hold what. */
export interface PageShape {
	/** The property that holds the records, or how to gather them from the answer. */
	records: string | ((answer: IDataObject) => IDataObject[]);
	/** The property that counts them over all pages. */
	count: string;
	/** How many of the records of an answer that count is about, where it is not all of them. */
	counted?: (answer: IDataObject) => number;
	/**
	 * The order in which pages do not shift when a record changes, as `SortBy` with `Asc`; used when
	 * all records are read and the user asks for no order.
	 */
	stableSort?: string;
}

/** How to read a list that comes in pages. */
export interface PagedList extends PageShape {
	/** The request without its paging parameters. */
	request: ServiceRequest;
}

/** How many pages are read at a time. */
const PAGES_AT_A_TIME = 5;
/** A count above is none: to believe it would take all memory before anything was read. */
const MOST_RECORDS = 10_000_000;
/** How often a list that keeps changing is read again. */
const MOST_PASSES = 4;

/**
 * Reads a list (`PageNumber` from 1, `PageSize`): the first page, which tells how many there are, and
 * then the others side by side.
 *
 * The list may change meanwhile. A record that comes twice is given once. When records were removed,
 * those behind them move up over the edge of a page that is read already: so when the count changed
 * or fewer came than it says, the list is read once more and what is new is added. A service that
 * gives no count is read page by page until one brings nothing new.
 *
 * @param limit how many records at the most; Infinity for all
 */
export async function readPages<T extends IDataObject>(
	caller: Caller,
	list: PagedList,
	limit: number,
	itemIndex?: number,
): Promise<T[]> {
	const found = new Map<string, T>();
	for (let pass = 1; pass <= MOST_PASSES; pass++) {
		const before = found.size;
		const isWhole = await readOnce(caller, inStableOrder(list, limit), limit, found, itemIndex);
		if (isWhole || found.size >= limit) break;
		// Nothing new although records should be missing: the count is of something else.
		if (pass > 1 && found.size === before) break;
	}
	return [...found.values()].slice(0, limit);
}

function inStableOrder(list: PagedList, limit: number): PagedList {
	const { request, stableSort } = list;
	if (stableSort === undefined || limit < Infinity || request.query?.SortBy !== undefined) {
		return list;
	}
	const query = { ...request.query, SortBy: stableSort, SortDirection: 'Asc' };
	return { ...list, request: { ...request, query } };
}

/** One pass over a list; false when it has changed meanwhile and may have holes. */
async function readOnce<T extends IDataObject>(
	caller: Caller,
	list: PagedList,
	limit: number,
	found: Map<string, T>,
	itemIndex: number | undefined,
): Promise<boolean> {
	const keep = (page: Page<T>) => {
		// IDs are unique among records of one type only.
		for (const record of page.records) found.set(`${record.itemType ?? ''} ${record.id}`, record);
	};
	const first = await readFirstPage<T>(caller, list, limit, itemIndex);
	keep(first);
	const { total, size } = first;
	if (first.counted === 0 || first.counted >= total) return true;
	if (total === Infinity) return await readOn(caller, list, limit, size, found, keep, itemIndex);

	const wanted = Math.min(total, limit);
	const numbers = Array.from({ length: Math.ceil(wanted / size) - 1 }, (_, index) => index + 2);
	const pages = await sideBySide(numbers, PAGES_AT_A_TIME, (number) =>
		readPage<T>(caller, list, number, size, itemIndex),
	);
	pages.forEach(keep);
	const counted = pages.reduce((sum, page) => sum + page.counted, first.counted);
	return counted >= wanted && pages.every((page) => page.total === total);
}

/** Reads the pages after the first of a list that does not say how long it is. */
async function readOn<T extends IDataObject>(
	caller: Caller,
	list: PagedList,
	limit: number,
	size: number,
	found: Map<string, T>,
	keep: (page: Page<T>) => void,
	itemIndex: number | undefined,
): Promise<boolean> {
	for (let number = 2; found.size < limit; number++) {
		const before = found.size;
		keep(await readPage<T>(caller, list, number, size, itemIndex));
		if (found.size === before) break;
	}
	return true;
}

/** The first page, of the largest size that the service takes or that is wanted. */
async function readFirstPage<T>(
	caller: Caller,
	list: PagedList,
	limit: number,
	itemIndex: number | undefined,
): Promise<Page<T> & { size: number }> {
	const baseUrl = await baseUrlOf(caller, itemIndex);
	for (let size = Math.min(limit, pageSizeFor(baseUrl, list.request.path)); ;) {
		const outcome = await readPage<T>(caller, list, 1, size, itemIndex).catch(
			(error: NodeApiError) => ({ error }),
		);
		if (!('error' in outcome)) {
			// A service may give smaller pages than it was asked for: then they count as it gave them.
			const isSmaller = outcome.counted < size && outcome.counted < outcome.total;
			return { ...outcome, size: isSmaller && outcome.counted > 0 ? outcome.counted : size };
		}
		const { error } = outcome;
		const smaller = smallerPageSize(size);
		if (smaller === undefined || !isAboutSize(error, size)) throw error;
		size = smaller;
		learnPageSize(baseUrl, list.request.path, size);
	}
}

/** Whether a refusal may be about the size of the page; one of 100 is known to be taken. */
function isAboutSize({ httpCode, description }: NodeApiError, size: number): boolean {
	return httpCode === '400' && (size > 100 || /page\s?size/i.test(description ?? ''));
}

/** One page of a list. */
interface Page<T> {
	records: T[];
	/** How many there are over all pages; Infinity when the service does not say. */
	total: number;
	/** How many of those are on this page. */
	counted: number;
}

/**
 * Reads one page of a list.
 *
 * @param pageNumber from 1
 */
export async function readPage<T>(
	caller: Caller,
	{ request, records, count, counted }: PagedList,
	pageNumber: number,
	pageSize: number,
	itemIndex?: number,
): Promise<Page<T>> {
	const query = { ...request.query, PageNumber: pageNumber, PageSize: pageSize };
	const answer = (await send(caller, { ...request, query }, itemIndex)) as IDataObject;
	const found = (typeof records === 'string' ? (answer[records] ?? []) : records(answer)) as T[];
	const total = Number(answer[count] ?? Infinity);
	return {
		records: found,
		total: total >= 0 && total <= MOST_RECORDS ? total : Infinity,
		counted: counted?.(answer) ?? found.length,
	};
}
