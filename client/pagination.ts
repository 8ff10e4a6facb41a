import { NodeOperationError, type IDataObject, type NodeApiError } from 'n8n-workflow';
import { mapConcurrent } from './concurrency';
import { takeList, valueUnder } from './list';
import { send, type ServiceRequest } from './request';
import type { Session } from './session';

/**
 * Page sizes to try, as Portal.io does not document its largest (a third party says 100). A size that
 * was refused is not tried again while this process runs.
 */
const SIZES = [500, 100, 50, 25, 10];

/** The largest size that a list has not refused, by base URL and path. */
const learned = new Map<string, number>();

/** Where the responses of a paged list hold what. */
export interface PageShape {
	/** The property that holds the records, or how to collect them from the response. */
	records: string | ((response: IDataObject) => IDataObject[]);
	/** The property with the number of records over all pages. */
	count: string;
	/** The records of a response that the number counts, where it is not all of them. */
	counted?: (response: IDataObject) => IDataObject[];
	/**
	 * The order in which pages do not shift when a record changes, as `SortBy` with `Asc`; used when
	 * all records are read and the user asks for no order.
	 */
	stableSort?: string;
}

/** How to read a paged list. */
export interface PagedList extends PageShape {
	/** The request without its paging parameters. */
	request: ServiceRequest;
	/** Told how many records the list has; Infinity when the service does not say. */
	onTotal?: (total: number) => void;
}

const CONCURRENT_PAGES = 5;
/** A larger count is ignored: believing it would take all memory before anything was read. */
const MAX_RECORDS = 10_000_000;
/** How many pages of less than the smallest size are read: a service that is asked for more fills them. */
const MAX_SMALL_PAGES = 100;
/** How often a list that keeps changing is read again. */
const MAX_PASSES = 4;

/**
 * Reads a list (`PageNumber` from 1, `PageSize`): the first page, which tells how many records there
 * are, and then the other pages concurrently.
 *
 * The list may change meanwhile. A record that comes twice is returned once. When records were
 * removed, the ones behind them move up across the border of a page that was read already: so when
 * the count changed, a record came twice or fewer came than the count says, the list is read once more
 * and what is new is added. When one record leaves the list and another enters it behind the first,
 * nothing shows that one is missing. A service that gives no count is read page by page until one brings nothing new.
 *
 * @param limit the largest number of records to return; Infinity for all
 */
export async function readPages<T extends IDataObject>(
	session: Session,
	list: PagedList,
	limit: number,
	itemIndex?: number,
): Promise<T[]> {
	const reading = { session, list: inStableOrder(list, limit), limit, itemIndex };
	const found = new Map<string, T>();
	for (let pass = 1; pass <= MAX_PASSES; pass++) {
		const before = found.size;
		const isComplete = await readPass(reading, found);
		if (isComplete || found.size >= limit) break;
		// Nothing new although records should be missing: the count includes something else.
		if (found.size === before) break;
	}
	return [...found.values()].slice(0, limit);
}

/** What all passes over a list have in common. */
interface Reading {
	session: Session;
	list: PagedList;
	limit: number;
	itemIndex: number | undefined;
}

function inStableOrder(list: PagedList, limit: number): PagedList {
	const { request, stableSort } = list;
	const isSorted = request.query?.SortBy !== undefined;
	if (stableSort === undefined || limit < Infinity || isSorted) return list;
	const query = { ...request.query, SortBy: stableSort, SortDirection: 'Asc' };
	return { ...list, request: { ...request, query } };
}

/** One pass over a list; false when it changed meanwhile and records may be missing. */
async function readPass<T extends IDataObject>(
	reading: Reading,
	found: Map<string, T>,
): Promise<boolean> {
	const { session, list, limit, itemIndex } = reading;
	const keep = (page: Page<T>) => {
		for (const [key, record] of keyed(page.records)) found.set(key, record);
	};
	const first = await readFirstPage<T>(reading);
	keep(first);
	const { total, size } = first;
	list.onTotal?.(total);
	if (first.counted.length === 0 || first.counted.length >= total) return true;
	const read = async (number: number) => await readPage<T>(session, list, number, size, itemIndex);

	if (total === Infinity) {
		for (let number = 2, before = 0; found.size < limit && found.size > before; number++) {
			before = found.size;
			keep(await read(number));
		}
		return true;
	}
	const wanted = Math.min(total, limit);
	const pages = await readOtherPages(Math.ceil(wanted / size), read, keysOf(first.records));
	pages.forEach(keep);
	const all = [first, ...pages];
	const count = all.reduce((sum, { counted }) => sum + counted.length, 0);
	// A record on two pages: the list moved, and another one may have slipped to a page read before.
	const keys = all.flatMap(({ counted }) => [...keysOf(counted)]);
	const hasMoved = new Set(keys).size < keys.length;
	return !hasMoved && count >= wanted && pages.every((page) => page.total === total);
}

/**
 * The records of a page by what they are known by. IDs are unique among records of one type only; in
 * lists without types, one empty type serves. What has no ID (those of locations are optional) is known
 * by what it says, and counts as often as it is on the page.
 */
function keyed<T extends IDataObject>(records: T[]): Map<string, T> {
	const byKey = new Map<string, T>();
	for (const record of records) {
		const { id, itemType } = record;
		let key = `${String(itemType ?? '')} ${String(id)}`;
		if ((id ?? null) === null) for (key = JSON.stringify(record); byKey.has(key);) key += '+';
		byKey.set(key, record);
	}
	return byKey;
}
const keysOf = (records: IDataObject[]) => new Set(keyed(records).keys());

/**
 * Reads the pages after the first, several at a time. A count is not believed against the evidence:
 * so many pages in a row that bring nothing new end the reading.
 *
 * @param known the records of the first page, to which those of the others are added
 */
async function readOtherPages<T extends IDataObject>(
	last: number,
	read: (number: number) => Promise<Page<T>>,
	known: Set<string>,
): Promise<Array<Page<T>>> {
	const pages: Array<Page<T>> = [];
	let next = 2;
	let idle = 0;
	const readOn = async () => {
		while (next <= last && idle < CONCURRENT_PAGES) {
			const number = next++;
			const page = await read(number).catch((error: Error) => {
				// The others start nothing more.
				next = Infinity;
				throw error;
			});
			pages[number - 2] = page;
			const before = known.size;
			for (const key of keyed(page.records).keys()) known.add(key);
			idle = known.size > before ? 0 : idle + 1;
		}
	};
	await mapConcurrent(Array(CONCURRENT_PAGES).fill(0), CONCURRENT_PAGES, readOn);
	return pages;
}

/** The first page, of the largest size that is wanted and that the service accepts. */
async function readFirstPage<T>({
	session,
	list,
	limit,
	itemIndex,
}: Reading): Promise<Page<T> & { size: number }> {
	const place = `${session.baseUrl} ${list.request.path}`;
	const asked = Math.min(limit, learned.get(place) ?? SIZES[0]!);
	for (let size = asked; ;) {
		const smaller = SIZES.find((one) => one < size);
		const page = await readPage<T>(session, list, 1, size, itemIndex).catch(
			(error: NodeApiError) => {
				if (smaller === undefined || !isAboutPageSize(error, size)) throw error;
				return { nextSize: smaller };
			},
		);
		if ('records' in page) {
			// What was refused may have been refused for another reason: only what worked is remembered.
			if (size < asked) learned.set(place, size);
			// A service may return smaller pages than it was asked for: then that size counts.
			return { ...page, size: fullPage(session, size, limit, page) };
		}
		size = page.nextSize;
	}
}

/**
 * How many records a full page has, by the first one.
 *
 * @throws NodeOperationError for a count of so many pages that it cannot be right
 */
function fullPage(
	session: Session,
	size: number,
	limit: number,
	{ counted, total }: Page<unknown>,
): number {
	const full = Math.min(size, counted.length);
	const pages = Math.min(total, limit) / full;
	const isSmall = full > 0 && full < Math.min(size, SIZES.at(-1)!) && total < Infinity;
	if (!isSmall || pages <= MAX_SMALL_PAGES) return full;
	throw new NodeOperationError(
		session.node,
		`Unexpected response: Portal.io counts ${total} records, but a page of ${size} has ${counted.length}`,
		{ description: "Set a 'Limit', and contact support@portal.io if this continues." },
	);
}

/** Whether a refusal may be about the size of the page; one of 100 is known to be accepted. */
function isAboutPageSize({ httpCode, description }: NodeApiError, size: number): boolean {
	return httpCode === '400' && (size > 100 || /page\s?size/i.test(String(description)));
}

/** One page of a list. */
interface Page<T> {
	records: T[];
	/** How many there are over all pages; Infinity when the service does not say. */
	total: number;
	/** Those of this page that the number counts. */
	counted: IDataObject[];
}

/**
 * Reads one page of a list.
 *
 * @param pageNumber from 1
 */
export async function readPage<T>(
	session: Session,
	{ request, records, count, counted }: PagedList,
	pageNumber: number,
	pageSize: number,
	itemIndex?: number,
): Promise<Page<T>> {
	const query = { ...request.query, PageNumber: pageNumber, PageSize: pageSize };
	const response = (await send(session, { ...request, query }, itemIndex)) as IDataObject;
	const found = (
		typeof records === 'string' ? takeList(response, records, count) : records(response)
	) as T[];
	const total = Number(valueUnder(response, count) ?? Infinity);
	return {
		records: found,
		total: total >= 0 && total <= MAX_RECORDS ? total : Infinity,
		counted: counted?.(response) ?? (found as IDataObject[]),
	};
}
