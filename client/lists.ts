import type { IDataObject } from 'n8n-workflow';
import { mapConcurrent } from './concurrency';
import { httpStatusOf, PortalError } from './errors';
import { requireList, valueUnder } from './guards';
import type { ServiceRequest } from './request';
import type { Session } from './session';

/** The shape of the responses of a paged list. */
export interface PageShape {
	/** The property with the records, or how to collect them from the response. */
	records: string | ((response: IDataObject) => IDataObject[]);
	/** The property with the number of records over all pages. */
	count: string;
	/** Collects records that the number leaves out, and that each page may repeat. */
	uncounted?: (response: IDataObject) => IDataObject[];
	/**
	 * The order in which pages do not shift when a record changes, as `SortBy` with `Asc`; used when
	 * all records are read and the user chooses no order.
	 */
	stableSort?: string;
	/** The number of records that Portal.io may show of a longer list. */
	window?: number;
}

export interface PagedList extends PageShape {
	/** Without paging parameters. */
	request: ServiceRequest;
}

/** The proposals that match a query; archived ones are a list of their own. */
export const proposalList = (query: ServiceRequest['query']): PagedList => ({
	request: { method: 'GET', path: '/public/proposals', query },
	records: 'proposals',
	count: 'proposalCount',
	stableSort: 'Number',
});

/** The contacts that match a query. */
export const contactList = (query: ServiceRequest['query']): PagedList => ({
	request: { method: 'GET', path: '/public/people', query },
	records: 'people',
	count: 'peopleCount',
	stableSort: 'CreatedDate',
});

/** The largest page that is known to be accepted (docs/dev/portal-api.md#paging). */
const MAX_PAGE_SIZE = 100;
const CONCURRENT_PAGES = 5;
const MAX_PASSES = 3;

const NARROW = "Narrow the search, or turn off 'Return All' and use 'Limit'.";
const TRY_AGAIN = 'If the list changed while it was read, try again in a moment.';

interface ListOptions {
	limit?: number;
	/** What else to do if records are missing. */
	advice?: string;
}

/**
 * Reads a list, up to a limit. It is complete when a pass has found as many records as the first page of
 * that pass counts: a list may change while it is read, and a search engine shows only part of its matches.
 *
 * Returns each record once, and the size of the list; Infinity if that is unknown. Throws a PortalError if
 * records are missing, unless the list is longer than the limit.
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
	const read = `Only ${count.toLocaleString('en-US')}`;
	const what =
		total === Infinity
			? `${read} records could be read, and Portal.io does not say how many there are`
			: `${read} of ${total.toLocaleString('en-US')} records could be read`;
	return new PortalError(what, { advice });
}

interface Page<T> {
	records: T[];
	uncounted: T[];
	/** The number of records over all pages; Infinity if the service does not say. */
	total: number;
}

/**
 * Reads a list once: until a page is short or has nothing new, or the limit is reached, or `isEnough`
 * returns true for a page, which makes it read page by page. The total is that of the first page; without
 * one, a short page is the end of the list.
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
	/** Adds a page, and returns whether it is the last one. */
	const add = (page: Page<T>, fullLength: number): boolean => {
		const before = records.size;
		for (const [key, record] of keyed(page.records)) records.set(key, record);
		for (const [key, record] of keyed(page.uncounted)) uncounted.set(key, record);
		const hasEnough = isEnough?.(page) === true;
		return hasEnough || page.records.length < fullLength || records.size === before;
	};
	const first = await readPage<T>(session, list, 1, size);
	const { total } = first;
	// A first page with fewer records than requested is the whole list, or as large as a page can be.
	const fullLength = first.records.length;
	let lastLength = fullLength;
	let isEnd = add(first, 1) || (fullLength !== size && fullLength >= total);
	for (let next = 2; !isEnd && records.size < limit;) {
		// One record more than counted: its page shows whether the list ends there.
		const missing = Math.min(total + 1, limit) - records.size;
		const isOneByOne = isEnough !== undefined || total === Infinity;
		const pages = isOneByOne ? 1 : Math.ceil(missing / fullLength);
		const count = Math.max(1, Math.min(CONCURRENT_PAGES, pages));
		const batch = await mapConcurrent(
			Array<undefined>(count),
			count,
			async () => await readLaterPage<T>(session, list, next++, size),
		);
		for (const page of batch) {
			lastLength = page.records.length;
			isEnd = add(page, fullLength) || isEnd;
		}
	}
	const isWhole = total === Infinity && isEnd && lastLength < size;
	return { records, uncounted, total: isWhole ? records.size : total };
}

/** A search engine may reject a page behind the last result that it shows. */
async function readLaterPage<T>(
	session: Session,
	list: PagedList,
	pageNumber: number,
	pageSize: number,
): Promise<Page<T>> {
	return await readPage<T>(session, list, pageNumber, pageSize).catch((error: Error) => {
		if (httpStatusOf(error) === '400') return { records: [], uncounted: [], total: 0 };
		throw error;
	});
}

/**
 * Reads a list that is sorted by a time, newest first, up to the page whose times are enough. All records
 * that are newer than the end of that page must be read.
 *
 * A new or modified record enters the list at its top and pushes others to the next page; the next poll
 * lists it. A record that leaves the list pulls another one to a page that was already read: the count
 * falls. Records with equal times may change places, and then one of them is on two pages. In the last two
 * cases, the list is read again.
 *
 * Throws a PortalError if records are still missing, if the list is not sorted, or if its size is unknown.
 */
export async function readNewestFirst<T extends object>(
	session: Session,
	list: PagedList,
	timeOf: (record: T) => number,
	isEnough: (times: number[]) => boolean,
): Promise<T[]> {
	const records = new Map<string, T>();
	for (let pass = 1; ; pass++) {
		const places: T[] = [];
		const totals: number[] = [];
		let end = -Infinity;
		const read = await readPass<T>(session, list, Infinity, (page) => {
			if (page.total === Infinity) throw unusable('does not say how many records a list has');
			const times = page.records.map((record) => timeOf(record));
			if (times.some((time, index) => time > (times[index - 1] ?? time))) {
				throw unusable('does not sort a list as requested');
			}
			places.push(...page.records);
			totals.push(page.total);
			const hasEnough = times.length > 0 && isEnough(times);
			if (hasEnough) end = times.at(-1)!;
			return hasEnough;
		});
		for (const [key, record] of read.records) records.set(key, record);
		const isNeeded = (record: T) => timeOf(record) > end;
		const count = [...read.records.values()].filter(isNeeded).length;
		const isWhole = end === -Infinity;
		// Each record that has entered the list in between is the reason for one that was read twice.
		const entered = totals.at(-1)! - totals[0]!;
		const expected = isWhole ? read.total : places.filter(isNeeded).length - entered;
		const hasShrunk = totals.some((total, index) => total < (totals[index - 1] ?? 0));
		if (count >= expected && (isWhole || !hasShrunk)) return [...records.values()];
		if (pass === MAX_PASSES) throw missingRecords(count, expected, [TRY_AGAIN, CONTACT_SUPPORT]);
	}
}

const CONTACT_SUPPORT = 'Changes could be missed. Contact support@portal.io if this continues.';

const unusable = (what: string) =>
	new PortalError(`Portal.io ${what}`, { advice: [CONTACT_SUPPORT] });

/**
 * The records of a page by their identity. IDs are unique among records of one type only. A record without
 * an ID (those of locations are optional) is identified by its content, and counts as often as the page has it.
 */
function keyed<T extends object>(records: T[]): Map<string, T> {
	const byKey = new Map<string, T>();
	for (const record of records) {
		const { id, itemType } = record as IDataObject;
		let key = `${String(itemType ?? '')} ${String(id)}`;
		if ((id ?? null) === null) for (key = JSON.stringify(record); byKey.has(key);) key += '+';
		byKey.set(key, record);
	}
	return byKey;
}

/** Reads a page, from 1. */
export async function readPage<T>(
	session: Session,
	{ request, records, count, uncounted }: PagedList,
	pageNumber: number,
	pageSize: number,
): Promise<Page<T>> {
	const query = { ...request.query, PageNumber: pageNumber, PageSize: pageSize };
	const response = (await session.send({ ...request, query })) as IDataObject;
	const counted =
		typeof records === 'string' ? requireList(response, records, count) : records(response);
	const total = Number(valueUnder(response, count) ?? Infinity);
	return {
		records: counted as T[],
		uncounted: (uncounted?.(response) ?? []) as T[],
		total: total >= 0 ? total : Infinity,
	};
}
