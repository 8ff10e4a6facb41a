import type { IDataObject } from 'n8n-workflow';
import { mapConcurrent } from './concurrency';
import { apiStatusOf, PortalError } from './errors';
import { requireList, valueUnder } from './guards';
import type { ServiceRequest } from './request';
import type { Session } from './session';

export interface PageShape {
	/** Names the property with the records, or collects them from the response. */
	records: string | ((response: IDataObject) => IDataObject[]);
	/** Names the property with the number of records on all pages, or reads it from the response. */
	count: string | ((response: IDataObject) => unknown);
	/** Collects records that Portal.io does not count, and may repeat on each page. */
	uncounted?: (response: IDataObject) => IDataObject[];
	/** A `SortBy` in which records keep their places when they change, so that no page shifts. */
	stableSort?: string;
	/** Portal.io may show no more than this many records of a longer list. */
	window?: number;
}

export interface PagedList extends PageShape {
	/** Has no paging parameters. */
	request: ServiceRequest;
}

/** The list has either archived proposals or all others, depending on the query. */
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

/** Portal.io may reject larger pages (docs/dev/portal-api.md#paging). */
const MAX_PAGE_SIZE = 100;
const CONCURRENT_PAGES = 5;
const MAX_PASSES = 3;

const NARROW = "Narrow the search, or use 'Limit' in place of 'Return All'.";
const TRY_AGAIN = 'If the list changed while it was read, try again in a moment.';

interface ListOptions {
	limit?: number;
	/** Tells the user what to do if records are missing. */
	advice?: string;
}

/**
 * Reads a list, up to a limit. A list may change while it is read, and a search engine shows only a part of
 * it. So it is complete when one pass over its pages reads as many records as its first page counts.
 *
 * Returns each record once, and the size of the list, or Infinity if Portal.io does not say. Throws a
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
	for (let pass = 1; ; pass++) {
		const { records, uncounted, total } = await readPass<T>(session, sorted, limit);
		const isComplete = records.size >= Math.min(limit, total);
		if (isComplete || (pass === MAX_PASSES && total > limit)) {
			for (const [key, record] of uncounted) if (!records.has(key)) records.set(key, record);
			return { records: [...records.values()].slice(0, limit), total };
		}
		if (pass === MAX_PASSES) throw missingRecords(records.size, total, [advice, TRY_AGAIN]);
	}
}

function missingRecords(count: number, total: number, advice: string[]): PortalError {
	const onlyCount = `Only ${count.toLocaleString('en-US')}`;
	const what =
		total === Infinity
			? `${onlyCount} records could be read, and Portal.io does not say how many there are`
			: `${onlyCount} of ${total.toLocaleString('en-US')} records could be read`;
	return new PortalError(what, { advice });
}

interface Page<T> {
	records: T[];
	uncounted: T[];
	/** The number of records on all pages; Infinity if Portal.io does not say. */
	total: number;
}

/**
 * Reads pages until one is short or has nothing new, the limit is reached, or `isEnough` returns true. With
 * `isEnough`, it reads one page at a time. The total is the count of the first page. Without a count, the
 * list ends with a short page.
 */
async function readPass<T extends object>(
	session: Session,
	list: PagedList,
	limit: number,
	isEnough?: (page: Page<T>) => boolean,
): Promise<{ records: Map<string, T>; uncounted: Map<string, T>; total: number }> {
	const size = Math.min(MAX_PAGE_SIZE, limit);
	const records = new Map<string, T>();
	const uncounted = new Map<string, T>();
	/** Returns whether the page is the last one. */
	const add = (page: Page<T>, minLength: number): boolean => {
		const previousSize = records.size;
		for (const [key, record] of byIdentity(page.records)) records.set(key, record);
		for (const [key, record] of byIdentity(page.uncounted)) uncounted.set(key, record);
		const hasEnough = isEnough?.(page) === true;
		return hasEnough || page.records.length < minLength || records.size === previousSize;
	};
	const first = await readPage<T>(session, list, 1, size);
	const { total } = first;
	// A first page that is shorter than requested is the whole list, or as long as Portal.io allows.
	const pageLength = first.records.length;
	let lastLength = pageLength;
	let isEnd = add(first, 1) || (pageLength !== size && pageLength >= total);
	for (let next = 2; !isEnd && records.size < limit;) {
		// One record more than the count is requested, to see that the list ends.
		const missingCount = Math.min(total + 1, limit) - records.size;
		const isPageByPage = isEnough !== undefined || total === Infinity;
		const pages = isPageByPage ? 1 : Math.ceil(missingCount / pageLength);
		const count = Math.max(1, Math.min(CONCURRENT_PAGES, pages));
		const batch = await mapConcurrent(
			Array<undefined>(count),
			count,
			async () => await readLaterPage<T>(session, list, next++, size),
		);
		for (const page of batch) {
			lastLength = page.records.length;
			isEnd = add(page, pageLength) || isEnd;
		}
	}
	const endsWithShortPage = total === Infinity && isEnd && lastLength < size;
	return { records, uncounted, total: endsWithShortPage ? records.size : total };
}

/** A search engine may reject the page after its last result with status 400. */
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

/**
 * Reads a list that is sorted by a time, newest first, until a page returns true from `isEnough`. It reads
 * every record that is newer than the last one of that page.
 *
 * While it reads, a new or modified record moves to the top and pushes a record to the next page, where it
 * appears again. If a record leaves the list, another moves to a page that was already read, and the count
 * falls. Records with equal times may change their order, and then one appears on two pages. In the last
 * two cases, the list is read again.
 *
 * Throws a PortalError if records are still missing, if the list is not sorted, or if it has no count.
 */
export async function readNewestFirst<T extends object>(
	session: Session,
	list: PagedList,
	timeOf: (record: T) => number,
	isEnough: (times: number[]) => boolean,
): Promise<T[]> {
	const records = new Map<string, T>();
	for (let pass = 1; ; pass++) {
		const rows: T[] = [];
		const totals: number[] = [];
		let end = -Infinity;
		const result = await readPass<T>(session, list, Infinity, (page) => {
			if (page.total === Infinity) throw unreliableList('does not say how many records a list has');
			const times = page.records.map((record) => timeOf(record));
			if (times.some((time, index) => time > (times[index - 1] ?? time))) {
				throw unreliableList('does not sort a list as requested');
			}
			rows.push(...page.records);
			totals.push(page.total);
			const hasEnough = times.length > 0 && isEnough(times);
			if (hasEnough) end = times.at(-1)!;
			return hasEnough;
		});
		for (const [key, record] of result.records) records.set(key, record);
		const isNeeded = (record: T) => timeOf(record) > end;
		const count = [...result.records.values()].filter(isNeeded).length;
		const isWhole = end === -Infinity;
		// Each record that entered the list during the pass made another one appear on two pages.
		const enteredCount = totals.at(-1)! - totals[0]!;
		const expectedCount = isWhole ? result.total : rows.filter(isNeeded).length - enteredCount;
		const hasShrunk = totals.some((total, index) => total < (totals[index - 1] ?? 0));
		if (count >= expectedCount && (isWhole || !hasShrunk)) return [...records.values()];
		if (pass === MAX_PASSES)
			throw missingRecords(count, expectedCount, [TRY_AGAIN, MISSED_CHANGES]);
	}
}

const MISSED_CHANGES = 'Changes could be missed. Contact support@portal.io if this continues.';

const unreliableList = (what: string) =>
	new PortalError(`Portal.io ${what}`, { advice: [MISSED_CHANGES] });

/**
 * IDs are unique only among records of the same type. Locations may have no ID: their content identifies
 * them, and equal ones on the same page count separately.
 */
function byIdentity<T extends object>(records: T[]): Map<string, T> {
	const byKey = new Map<string, T>();
	for (const record of records) {
		const { id, itemType } = record as IDataObject;
		let key = `${String(itemType ?? '')} ${String(id)}`;
		if ((id ?? null) === null) for (key = JSON.stringify(record); byKey.has(key);) key += '+';
		byKey.set(key, record);
	}
	return byKey;
}

/** The first page has the number 1. */
export async function readPage<T>(
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
