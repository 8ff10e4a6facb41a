import type { IDataObject } from 'n8n-workflow';
import { mapConcurrent } from './concurrency';
import { PortalError } from './errors';
import type { ServiceRequest } from './request';
import { takeList, valueUnder } from './response';
import type { Session } from './session';

/** The shape of the responses of a paged list. */
export interface PageShape {
	/** The property with the records, or how to collect them from the response. */
	records: string | ((response: IDataObject) => IDataObject[]);
	/** The property with the number of records over all pages. */
	count: string;
	/** The records that the number counts, if not all of them. */
	counted?: (response: IDataObject) => IDataObject[];
	/**
	 * The order in which pages do not shift when a record changes, as `SortBy` with `Asc`; used when
	 * all records are read and the user chooses no order.
	 */
	stableSort?: string;
}

export interface PagedList extends PageShape {
	/** Without paging parameters. */
	request: ServiceRequest;
}

/** The proposals that match a query; archived ones are a list of their own. */
export const proposalList = (query: ServiceRequest['query']): PagedList => ({
	request: { method: 'GET', path: '/public/proposals', query },
	...{ records: 'proposals', count: 'proposalCount', stableSort: 'Number' },
});

/** The contacts that match a query. */
export const contactList = (query: ServiceRequest['query']): PagedList => ({
	request: { method: 'GET', path: '/public/people', query },
	...{ records: 'people', count: 'peopleCount', stableSort: 'CreatedDate' },
});

export interface ReadingLimits<T> {
	limit?: number;
	/**
	 * Reads a sorted list page by page up to the first page for which this returns something: a test for
	 * the records that must all be found.
	 */
	neededUpTo?: (page: T[]) => ((record: T) => boolean) | undefined;
}

/** The largest page that is known to be accepted (docs/dev/portal-api.md#paging). */
const PAGE_SIZE = 100;
const CONCURRENT_PAGES = 5;
const MAX_PASSES = 40;
/** After so many passes with nothing new, repeated records are repeated in the list itself. */
const MAX_IDLE_PASSES = 10;

/**
 * Reads a list: its pages, several at a time once the first one has said how many there are.
 *
 * The list may change while it is read. When a record leaves it, the next ones move up, and one may slip
 * to a page that was already read; records with equal sort values may come in another order with each
 * page. Then the number of records shrinks, or a record comes on two pages, and the list is read again.
 * Only if one record leaves the list and another enters it between two pages, a missing one stays unseen.
 *
 * Returns each record once, as it was read last, and the size of the list; Infinity if the service does
 * not say. Throws a PortalError if the list changes in every pass.
 */
export async function readList<T extends object = IDataObject>(
	session: Session,
	list: PagedList,
	limits: ReadingLimits<T> = {},
): Promise<{ records: T[]; total: number }> {
	const { limit = Infinity } = limits;
	const { request, stableSort } = list;
	const isOpen = limit === Infinity && request.query?.SortBy === undefined;
	const order = isOpen && stableSort && { SortBy: stableSort, SortDirection: 'Asc' };
	const sorted = { ...list, request: { ...request, query: { ...request.query, ...order } } };
	const found = { records: new Map<string, T>(), seen: new Map<string, T>(), total: 0 };
	for (let pass = 1, idle = 0; pass <= MAX_PASSES; pass++) {
		const before = found.records.size;
		const { missing, isFull } = await readPass(session, sorted, limits, found);
		idle = found.records.size > before ? 0 : idle + 1;
		// If a pass finds less than the service counts, and nothing has moved, there is no more.
		if (missing <= 0 || idle > (isFull ? MAX_IDLE_PASSES : 0)) {
			return { records: [...found.records.values()].slice(0, limit), total: found.total };
		}
	}
	throw new PortalError('The list changed faster than it could be read', {
		advice: ['Try again in a moment, or request fewer records.'],
	});
}

/**
 * Reads a list once, from its first page to its end, the limit, or a page that brings nothing new.
 * Adds what it finds, to `seen` only since the list last shrank: records that left it must not make up
 * for missing ones. Returns how many records no pass has found yet, and whether it read as many as the
 * service counts.
 */
async function readPass<T extends object>(
	session: Session,
	list: PagedList,
	{ limit = Infinity, neededUpTo }: ReadingLimits<T>,
	found: { records: Map<string, T>; seen: Map<string, T>; total: number },
): Promise<{ missing: number; isFull: boolean }> {
	const size = Math.min(PAGE_SIZE, limit);
	const inPass = new Set<string>();
	const places: T[] = [];
	let expected = Infinity;
	let isNeeded: ((record: T) => boolean) | undefined;
	let next = 1;
	for (let count = 1; ;) {
		const before = inPass.size;
		const pages = await mapConcurrent(
			Array<undefined>(count),
			count,
			async () => await readPage<T>(session, list, next++, size),
		);
		for (const page of pages) {
			if (page.total < found.total) found.seen.clear();
			found.total = page.total;
			for (const [key, record] of keyed(page.records)) found.records.set(key, record);
			for (const [key, record] of keyed(page.counted as T[])) {
				inPass.add(key);
				found.seen.set(key, record);
				places.push(record);
			}
		}
		isNeeded = neededUpTo?.(pages[0]!.records);
		expected = isNeeded ? places.length : Math.min(found.total, limit);
		if (places.length >= expected || inPass.size === before) break;
		const isOneByOne = neededUpTo !== undefined || found.total === Infinity;
		const others = isOneByOne ? 1 : Math.ceil((expected - places.length) / size);
		count = Math.min(CONCURRENT_PAGES, others);
	}
	const seen = [...found.seen.values()];
	// Without a count, the end of the pages is the end of the list.
	let missing = expected === Infinity ? 0 : expected - seen.length;
	if (isNeeded) missing = places.filter(isNeeded).length - seen.filter(isNeeded).length;
	return { missing, isFull: places.length >= expected };
}

/**
 * Reads a list that is sorted by a time, newest first, up to the page whose times are enough. Throws a
 * PortalError if it is not sorted, or its size is unknown: records of later pages would be missed.
 */
export async function readNewestFirst<T extends object>(
	session: Session,
	list: PagedList,
	timeOf: (record: T) => number,
	isEnough: (times: number[]) => boolean,
): Promise<T[]> {
	const advice = [
		'Records on later pages could be missed. Contact support@portal.io if this continues.',
	];
	const refuse = (what: string) => new PortalError(`Portal.io ${what}`, { advice });
	let last: number[] = [];
	const neededUpTo = (page: T[]) => {
		last = [];
		for (const record of page) {
			const time = timeOf(record);
			if (time > (last.at(-1) ?? time)) throw refuse('does not sort a list as requested');
			last.push(time);
		}
		// Equal times may come in another order with each page: the last of them may be on the next page.
		const end = last.at(-1) ?? 0;
		return isEnough(last) ? (record: T) => timeOf(record) > end : undefined;
	};
	const { records, total } = await readList<T>(session, list, { neededUpTo });
	if (total === Infinity) throw refuse('does not say how many records a list has');
	// A list that is sorted by another time may look the same on its first pages. So this reads one of
	// the others, a different one each minute. Changes push records back, but not by a whole page.
	const pages = Math.ceil(records.length / last.length);
	const others = Math.ceil(total / last.length) - pages;
	if (others > 0) {
		const number = pages + 1 + (Math.floor(Date.now() / 60_000) % others);
		const later = await readPage<T>(session, list, number, last.length);
		const isLater = later.records.some((record) => timeOf(record) > last[0]!);
		if (isLater) throw refuse('does not sort a list as requested');
	}
	return records;
}

/**
 * The records of a page by their identity. IDs are unique among records of one type only. A record without
 * an ID (those of locations are optional) is known by its content, and counts as often as the page has it.
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

/** Reads a page, from 1: its records, those that the total counts, and the total over all pages. */
export async function readPage<T>(
	session: Session,
	{ request, records, count, counted }: PagedList,
	pageNumber: number,
	pageSize: number,
): Promise<{ records: T[]; counted: IDataObject[]; total: number }> {
	const query = { ...request.query, PageNumber: pageNumber, PageSize: pageSize };
	const response = (await session.send({ ...request, query })) as IDataObject;
	const all = typeof records === 'string' ? takeList(response, records, count) : records(response);
	const total = Number(valueUnder(response, count) ?? Infinity);
	return {
		records: all as T[],
		total: total >= 0 ? total : Infinity,
		counted: counted?.(response) ?? all,
	};
}
