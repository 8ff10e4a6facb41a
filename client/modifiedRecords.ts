import { tryToParseDateTime, NodeOperationError } from 'n8n-workflow';
import type { Session } from './session';
import { readPage, type PagedList } from './pagination';
import type { ProposalSummary } from './model';

/** A list that is sorted by modification, newest first. */
export interface ModifiedList extends PagedList {
	/** The parameter that leaves out what was modified before a time, if the list has one. */
	after?: string;
}

/** A record as a list returned it. */
export interface ListedRecord {
	record: ProposalSummary;
	/** Its last modification by the service's clock, in milliseconds. */
	modifiedAt: number;
}

/**
 * Parses a date of the service, which is in UTC even where it does not say so.
 *
 * @returns milliseconds; 0 for what is not a date
 */
export function parseTime(date: unknown): number {
	try {
		return tryToParseDateTime(String(date ?? ''), 'utc').toMillis();
	} catch {
		return 0;
	}
}

/** The largest page that is known to be accepted (docs/portal-api.md#paging). */
const PAGE_SIZE = 100;
/** How often lists that keep changing are read before the poll gives up. */
const MAX_ROUNDS = 40;
/** So many equal rounds show that nothing is missing: the list returns a record twice. */
const EQUAL_ROUNDS = 12;
/**
 * Whether `ModifiedAfter` includes the time itself, and whether it counts milliseconds, is not
 * documented. Asking from a little earlier is right either way.
 */
const MARGIN_MS = 1000;
/** A record older than the time asked for by this much shows that the service did not filter. */
const UNFILTERED_MS = 60_000;

/**
 * Reads the records that were modified since a time from several lists, newest first.
 *
 * The lists may change meanwhile. A record that is modified moves to the front, and the next poll
 * finds it there. A record that leaves a list pulls the rest forward, so that one may slip from an
 * unread page to one that was read already; records with equal times may come in another order on
 * each page. So the lists are read in rounds until one finds nothing new and no count has changed.
 * The second round leaves out a last list of one page: what moves from there to an earlier list is
 * found in the earlier list, and after any other change all lists are read again.
 *
 * @param since milliseconds; older records may be returned too. 0 for all
 * @param max stops after so many records of each list
 * @throws NodeOperationError when the lists keep changing
 */
export async function readModified(
	session: Session,
	lists: ModifiedList[],
	since: number,
	max = Infinity,
): Promise<ListedRecord[]> {
	const found = new Map<number, ListedRecord>();
	const readings = lists.map((list) => startReading(list, since, max));
	let open = readings;
	for (let round = 1; ; round++) {
		const before = found.size;
		for (const reading of open) await readRound(session, reading, found);
		const isQuiet = found.size === before;
		const isSteady = readings.every((reading) => reading.isSteady);
		if (isSteady && isQuiet) break;
		if (readings.every(({ equalReadings }) => equalReadings >= EQUAL_ROUNDS)) break;
		open = readings.filter(
			({ hasSeveralPages }, index) =>
				round > 1 || !isSteady || hasSeveralPages || index < readings.length - 1,
		);
		if (open.length === 0) break;
		// A record that was deleted must not stand in for one that is still missing.
		if (!isQuiet) for (const { ids } of readings) ids.clear();
		if (round === MAX_ROUNDS) {
			throw new NodeOperationError(session.node, 'The list changed faster than it could be read', {
				description: 'Nothing is lost: the next attempt reads it from the same place.',
			});
		}
	}
	return [...found.values()];
}

/** A list while it is read, page by page and round after round. */
type Reading = ReturnType<typeof startReading>;

function startReading(list: ModifiedList, since: number, max: number) {
	const isFiltered = list.after !== undefined && since > 0;
	const from = Math.floor(since / 1000) * 1000 - MARGIN_MS;
	const filter = isFiltered ? { [list.after as string]: new Date(from).toISOString() } : {};
	const { request } = list;
	return {
		list: { ...list, request: { ...request, query: { ...request.query, ...filter } } },
		/** Reading stops at a record that was modified before this time. */
		stopAt: isFiltered ? since - UNFILTERED_MS : since,
		/** Reading stops after so many records. */
		max,
		pageSize: PAGE_SIZE,
		/** The number of records by the service's count. */
		count: NaN,
		/** The records that were read since that count last changed and since a round found a new one. */
		ids: new Set<number>(),
		hasSeveralPages: false,
		/** The IDs of the last reading, in the order of the list. */
		order: '',
		/** How many readings in a row returned that order. */
		equalReadings: 0,
		/** Whether the count stayed the same and no page repeated records of another one. */
		isSteady: false,
	};
}

/** Reads a list once, from its first page. */
async function readRound(
	session: Session,
	reading: Reading,
	found: Map<number, ListedRecord>,
): Promise<void> {
	const countBefore = reading.count;
	const order: number[] = [];
	let places = 0;
	let isLast = false;
	for (let number = 1; !isLast; number++) {
		const { list, pageSize } = reading;
		const { records, total } = await readPage<ProposalSummary>(session, list, number, pageSize);
		const page = records.map((record) => withTime(session, record));
		addPage(reading, total, page, found);
		// A service without a count may return its last page again and again.
		const isRepeated = total === Infinity && records.every(({ id }) => order.includes(id));
		places += new Set(records.map(({ id }) => id)).size;
		order.push(...records.map(({ id }) => id));
		// The service may return smaller pages than it was asked for.
		if (number === 1 && page.length > 0 && page.length < total) reading.pageSize = page.length;
		const oldest = page.at(-1);
		isLast =
			oldest === undefined ||
			isRepeated ||
			number * reading.pageSize >= total ||
			oldest.modifiedAt < reading.stopAt ||
			places >= reading.max;
		reading.hasSeveralPages ||= !isLast;
	}
	reading.equalReadings = order.join() === reading.order ? reading.equalReadings + 1 : 1;
	reading.order = order.join();
	const hasSameCount = Number.isNaN(countBefore) || countBefore === reading.count;
	reading.isSteady = hasSameCount && reading.ids.size >= places;
}

function addPage(
	reading: Reading,
	total: number,
	page: ListedRecord[],
	found: Map<number, ListedRecord>,
): void {
	if (total !== reading.count) reading.ids.clear();
	reading.count = total;
	for (const one of page) {
		const { id } = one.record;
		reading.ids.add(id);
		const known = found.get(id);
		// A record that moved between the lists is in both; the later version counts.
		if (known === undefined || one.modifiedAt >= known.modifiedAt) found.set(id, one);
	}
}

/** New and old cannot be told apart without a time. */
function withTime(session: Session, record: ProposalSummary): ListedRecord {
	const modifiedAt = parseTime(record.lastModifiedDate);
	if (modifiedAt > 0) return { record, modifiedAt };
	throw new NodeOperationError(
		session.node,
		`Portal.io does not say when the record with the ID ${record.id} was modified`,
		{ description: 'Without that, changes cannot be told from what was there before.' },
	);
}
