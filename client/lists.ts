import type { IDataObject } from 'n8n-workflow';
import { apiStatusOf, PortalError } from './errors';
import { requireList, valueUnder } from './responseShape';
import type { ServiceRequest } from './request';
import type { Session } from './session';

export interface PageShape {
	/** Name of the property with the records, or a function that collects them. */
	records: string | ((response: IDataObject) => IDataObject[]);
	/** Name of the property with the number of records on all pages, or a function that reads it. */
	count: string | ((response: IDataObject) => unknown);
	/** Function that collects records that the count does not include. Portal.io can repeat them on each page. */
	uncounted?: (response: IDataObject) => IDataObject[];
	/** `SortBy` value whose order stays the same when records change, so pages do not shift. */
	stableSort?: string;
	/** Maximum number of records that Portal.io returns from a longer list. */
	window?: number;
}

export interface PagedList extends PageShape {
	/** Request without paging parameters. */
	request: ServiceRequest;
}

/** Returns the list of proposals, which contains either the archived ones or all others, depending on the query. */
export const proposalList = (query: ServiceRequest['query']): PagedList => ({
	request: { method: 'GET', path: '/public/proposals', query },
	records: 'proposals',
	count: 'proposalCount',
	stableSort: 'Number',
});

export const contactList = (query: ServiceRequest['query']): PagedList => ({
	request: { method: 'GET', path: '/public/people', query },
	records: 'people',
	count: 'peopleCount',
	stableSort: 'CreatedDate',
});

/**
 * Maximum number of records to request per page. Portal.io can reject a larger number (docs/dev/portal-api.md#paging).
 */
const MAX_PAGE_SIZE = 100;
const CONCURRENT_PAGES = 5;

export interface Page<T> {
	records: T[];
	uncounted: T[];
	/** Number of records on all pages; Infinity if Portal.io does not report it. */
	total: number;
}

interface PageOptions {
	/** Number of the first page to request, counted from 1. */
	firstPage?: number;
	pageSize?: number;
	/** Position of the last record that the caller needs. Any pages after that record are requested one at a time. */
	lastRecord?: number;
}

/**
 * Yields the pages of a list in order, until a page is shorter than the first or contains no new records. After the
 * first page, requests several pages at the same time, and requests more while the caller processes a page.
 */
export async function* readPages<T extends object>(
	session: Session,
	list: PagedList,
	{ firstPage = 1, pageSize = MAX_PAGE_SIZE, lastRecord = Infinity }: PageOptions = {},
): AsyncGenerator<Page<T>, void, void> {
	const first = await readPage<T>(session, list, firstPage, pageSize);
	yield first;
	const { total } = first;
	const pageLength = first.records.length;
	// Stop if this is the whole list. Continue if the page is shorter than requested but the count is higher,
	// because Portal.io has then limited the page size.
	if (pageLength === 0 || (pageLength !== pageSize && pageLength >= total)) return;
	// Request one record more than the count, to confirm that the list ends. Without a count, request one page at a
	// time, because any page can be the last.
	const expected = total === Infinity ? 0 : Math.min(total + 1, lastRecord);
	const lastPage = Math.ceil(expected / pageLength);
	const requested: Array<Promise<Page<T> | Error>> = [];
	let next = firstPage + 1;
	const keys = new Set(indexByIdentity(first.records).keys());
	try {
		for (let isLast = false; !isLast;) {
			while (requested.length === 0 || (requested.length < CONCURRENT_PAGES && next <= lastPage)) {
				const reading = readLaterPage<T>(session, list, next++, pageSize);
				// Keep the error until the caller needs this page.
				requested.push(reading.catch((error: Error) => error));
			}
			const page = (await requested.shift())!;
			if (page instanceof Error) throw page;
			yield page;
			const previousSize = keys.size;
			for (const key of indexByIdentity(page.records).keys()) keys.add(key);
			isLast = page.records.length < pageLength || keys.size === previousSize;
		}
	} finally {
		await Promise.all(requested);
	}
}

/**
 * Reads a page. Returns an empty page for status 400, which the catalog's search engine might return past its last
 * result (assumed).
 */
async function readLaterPage<T>(
	session: Session,
	list: PagedList,
	pageNumber: number,
	pageSize: number,
): Promise<Page<T>> {
	return await readPage<T>(session, list, pageNumber, pageSize).catch((error: Error) => {
		if (apiStatusOf(error) === '400') return { records: [], uncounted: [], total: 0 };
		throw error;
	});
}

async function readPage<T>(
	session: Session,
	{ request, records, count, uncounted }: PagedList,
	pageNumber: number,
	pageSize: number,
): Promise<Page<T>> {
	const query = { ...request.query, PageNumber: pageNumber, PageSize: pageSize };
	const response = (await session.send({ ...request, query })) as IDataObject;
	const isNamed = typeof count === 'string';
	const countedRecords =
		typeof records === 'string'
			? requireList(response, records, isNamed ? count : undefined)
			: records(response);
	const total = Number((isNamed ? valueUnder(response, count) : count(response)) ?? Infinity);
	return {
		records: countedRecords as T[],
		uncounted: (uncounted?.(response) ?? []) as T[],
		total: total >= 0 ? total : Infinity,
	};
}

/**
 * Indexes records by type and ID, because IDs are unique only within a type. A record without an ID, such as a
 * location, is indexed by its content. Equal records on the same page get different keys.
 */
function indexByIdentity<T extends object>(records: T[]): Map<string, T> {
	const byKey = new Map<string, T>();
	for (const record of records) {
		const { id, itemType } = record as IDataObject;
		let key = `${String(itemType ?? '')} ${String(id)}`;
		if ((id ?? null) === null) for (key = JSON.stringify(record); byKey.has(key);) key += '+';
		byKey.set(key, record);
	}
	return byKey;
}

/** Maximum number of times to read a list that changes during the read. */
export const MAX_PASSES = 3;

const NARROW = "Narrow the search, or use 'Limit' instead of 'Return All'.";
export const TRY_AGAIN = 'If the list changed while it was being read, try again in a moment.';

interface ListOptions {
	limit?: number;
	/** Advice for the user if records are missing. */
	advice?: string;
}

/**
 * Reads a list, up to a limit. The list can change during the read, pages can overlap, and the catalog's search engine
 * might return only part of a long list. So the read is complete when it has found as many records as the first page
 * reports.
 *
 * Returns each record once, and the number of records in the list (Infinity if Portal.io does not report it). Throws a
 * PortalError if records are missing, unless the list is longer than the limit.
 */
export async function readPagedList<T extends object = IDataObject>(
	session: Session,
	list: PagedList,
	{ limit = Infinity, advice = NARROW }: ListOptions = {},
): Promise<{ records: T[]; total: number }> {
	const { request, stableSort } = list;
	const isStable = limit === Infinity && stableSort && request.query?.SortBy === undefined;
	const order = isStable ? { SortBy: stableSort, SortDirection: 'Asc' } : {};
	const sorted = { ...list, request: { ...request, query: { ...request.query, ...order } } };
	let foundEarlier = new Map<string, T>();
	let previousTotal = 0;
	for (let pass = 1; ; pass++) {
		// Change the page size to move the page boundaries, because records with equal sort values can swap places
		// there.
		const pageSize = Math.min(MAX_PAGE_SIZE - 10 * (pass - 1), limit);
		const { records, uncounted, totals } = await readPass<T>(session, sorted, limit, pageSize);
		const total = totals[0]!;
		const wanted = Math.min(limit, total);
		// If a record has left the list, discard the earlier passes. Otherwise, that record would be counted in place
		// of a missing one.
		const standsAlone = records.size >= wanted || hasShrunk([previousTotal, ...totals]);
		const found = standsAlone ? records : new Map([...foundEarlier, ...records]);
		if (found.size >= wanted || (pass === MAX_PASSES && total > limit)) {
			for (const [key, record] of uncounted) if (!found.has(key)) found.set(key, record);
			return { records: [...found.values()].slice(0, limit), total };
		}
		if (pass === MAX_PASSES) throw missingRecordsError(found.size, total, [advice, TRY_AGAIN]);
		foundEarlier = hasShrunk(totals) ? new Map() : found;
		previousTotal = totals.at(-1)!;
	}
}

interface PassResult<T> {
	records: Map<string, T>;
	uncounted: Map<string, T>;
	/** Counts that the pages reported. */
	totals: number[];
}

async function readPass<T extends object>(
	session: Session,
	list: PagedList,
	limit: number,
	pageSize: number,
): Promise<PassResult<T>> {
	const records = new Map<string, T>();
	const uncounted = new Map<string, T>();
	const totals: number[] = [];
	for await (const page of readPages<T>(session, list, { pageSize, lastRecord: limit })) {
		for (const [key, record] of indexByIdentity(page.records)) records.set(key, record);
		for (const [key, record] of indexByIdentity(page.uncounted)) uncounted.set(key, record);
		// Ignore the count on an empty page, because the catalog's search engine might report 0 past its last result.
		if (page.records.length > 0 || totals.length === 0) totals.push(page.total);
		// Without a count, a short page ends the list, so use the number of records as the count.
		if (page.total === Infinity && page.records.length < pageSize) totals[0] = records.size;
		if (records.size >= limit) break;
	}
	return { records, uncounted, totals };
}

/** Returns whether any count is lower than the one before it, which means that a record has left the list. */
const hasShrunk = (totals: number[]): boolean =>
	totals.some((total, index) => total < (totals[index - 1] ?? 0));

/** Returns the error for an incomplete list. */
export function missingRecordsError(count: number, total: number, advice: string[]): PortalError {
	const onlyCount = `Only ${count.toLocaleString('en-US')}`;
	const what =
		total === Infinity
			? `${onlyCount} records could be read, and Portal.io did not report a total`
			: `${onlyCount} of ${total.toLocaleString('en-US')} records could be read`;
	return new PortalError(what, { advice });
}
