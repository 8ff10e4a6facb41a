import { NodeOperationError } from 'n8n-workflow';
import { readPage, type PagedList } from '../../client/lists/pages';
import type { Session } from '../../client/http/session';

/** A record of a list that can be sorted by its last modification. */
export interface Modified {
	id: number;
	lastModifiedDate: string;
}

/** A list that comes newest modification first. */
export interface RecentList extends PagedList {
	/** The parameter that leaves out what was modified before a time, if the list has one. */
	after?: string;
}

/** The largest page that the service is known to give (public reference, 3.1). */
const PAGE_SIZE = 100;
/** How often a list is read again that changed in a way that may have hidden something. */
const PASSES = 10;
/**
 * Whether the service means *after* or *from*, and whether it looks at milliseconds, is not said.
 * Asking from a little earlier is right either way.
 */
const MARGIN_MS = 1000;
/** What is older than this before the time asked for shows that the service did not filter. */
const UNFILTERED_MS = 60_000;

/** The time of a date of the service in milliseconds; dates are in UTC, also without saying so. */
export function timeOf(date: unknown): number {
	const text = String(date ?? '');
	const time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
	return Number.isNaN(time) ? 0 : time;
}

/** What is known of a list while it is read, over several passes. */
interface Reading<T> {
	found: Map<number, T>;
	/** Nothing older than this is asked for. */
	stop: number;
	max: number;
	pageSize: number;
	/** The counts that the service gave; more than one when records came or went. */
	totals: Set<number>;
}

/** How one pass over a list went. */
interface Pass {
	/** What the service counts; 0 when that is not to be held against what was read. */
	total: number;
	/** Whether a page did not follow on from the one before. */
	hasMoved: boolean;
}

/**
 * Reads what was modified since a time, complete although the list changes meanwhile.
 *
 * What is modified while the pages are read moves to the front, where the next reading finds it, and
 * what leaves the list moves the rest forward, past the border of a page. So each page overlaps the
 * one before: when the last record known is not on it again, the list has moved and is read once
 * more. And where it is read to its end, the number of records must reach the count of the service,
 * as records with equal times may come in another order on each page.
 *
 * @param since milliseconds; older records may come too. 0 for all
 * @param max stops when so many are read; for a list of unknown length
 * @throws NodeOperationError when the list does not stop moving
 */
export async function readRecent<T extends Modified>(
	session: Session,
	list: RecentList,
	since: number,
	max = Infinity,
): Promise<T[]> {
	const { request } = list;
	const isFiltered = list.after !== undefined && since > 0;
	const from = Math.floor(since / 1000) * 1000 - MARGIN_MS;
	const filter = isFiltered ? { [list.after as string]: new Date(from).toISOString() } : {};
	const filtered = { ...list, request: { ...request, query: { ...request.query, ...filter } } };
	const reading: Reading<T> = {
		found: new Map(),
		stop: isFiltered ? since - UNFILTERED_MS : since,
		max,
		pageSize: PAGE_SIZE,
		totals: new Set(),
	};
	const { found, totals } = reading;
	let quietPasses = 0;
	for (let pass = 0; pass < PASSES; pass++) {
		const before = found.size;
		const { total, hasMoved } = await readOnce(session, filtered, reading);
		const isAll = found.size >= total;
		if (isAll && !hasMoved) return [...found.values()];
		// Nothing came or went, and all are there: only the order of equal times has changed.
		if (isAll && total > 0 && totals.size === 1) return [...found.values()];
		// A count that also counts something else shows when nothing new comes any more.
		quietPasses = found.size === before && !hasMoved ? quietPasses + 1 : 0;
		if (quietPasses === 2) return [...found.values()];
	}
	throw new NodeOperationError(session.node, 'The list changed faster than it could be read', {
		description: 'Nothing is lost: the next attempt reads it from the same place.',
	});
}

async function readOnce<T extends Modified>(
	session: Session,
	list: RecentList,
	reading: Reading<T>,
): Promise<Pass> {
	const { found, stop, max, totals } = reading;
	let end = 0;
	let last: T | undefined;
	let hasMoved = false;
	for (;;) {
		const { size, number } = pageAfter(end, reading.pageSize);
		const { records, total } = await readPage<T>(session, list, number, size);
		totals.add(total);
		const anchor = (number - 1) * size < end ? last?.id : undefined;
		if (anchor !== undefined && !records.some(({ id }) => id === anchor)) hasMoved = true;
		for (const record of records) found.set(record.id, newer(found.get(record.id), record));
		end = (number - 1) * size + records.length;
		last = records.at(-1);
		const isShort = records.length < size;
		if (isShort && total === Infinity) return { total: 0, hasMoved };
		if (last === undefined || end >= total) return { total, hasMoved };
		if (timeOf(last.lastModifiedDate) < stop || found.size >= max) return { total: 0, hasMoved };
		if (isShort) {
			// The service gives smaller pages than it is asked for. Where a page begins follows from its
			// size, so that only the first page may find this out.
			if (number > 1) return { total, hasMoved: true };
			reading.pageSize = records.length;
		}
	}
}

/** Of two versions of a record the one that was modified later. */
export function newer<T extends Modified>(known: T | undefined, other: T): T {
	if (known === undefined) return other;
	return timeOf(known.lastModifiedDate) > timeOf(other.lastModifiedDate) ? known : other;
}

/**
 * The page that reaches furthest among those that begin well before the records already read end.
 * Pages begin at multiples of their size, so that it is the size that makes them overlap. With very
 * small pages there may be none; then it is the next page.
 */
function pageAfter(end: number, largest: number): { size: number; number: number } {
	for (const overlap of end === 0 ? [] : [Math.ceil(largest / 3), 1]) {
		let best = { size: 0, number: 0, reach: end };
		for (let size = 1; size <= largest; size++) {
			const number = Math.floor((end - overlap) / size) + 1;
			const reach = number * size;
			if (reach >= best.reach && reach > end) best = { size, number, reach };
		}
		if (best.size > 0) return best;
	}
	// The end of all pages so far is a multiple of this size.
	return { size: largest, number: Math.floor(end / largest) + 1 };
}
