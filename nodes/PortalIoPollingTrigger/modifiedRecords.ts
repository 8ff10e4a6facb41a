import { NodeOperationError } from 'n8n-workflow';
import type { Session } from '../../client/session';
import { readPage, type PagedList } from '../../client/pages';
import { parseTime } from '../../client/time';
import type { ProposalSummary } from '../../client/model';

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

/** How far to read. */
export interface ReadingLimits {
	/** Milliseconds; older records may be returned too. 0 for all. */
	since: number;
	/** Reading stops after so many records of each list. */
	max?: number;
	/** Whether the time is over in which the caller has to be done. */
	isOver: () => boolean;
	/** Whether to return the newest records that were read by then; otherwise that is an error. */
	isPartial?: boolean;
	/** Whether an earlier reading has returned this version of a record. */
	isKnown?: (listed: ListedRecord) => boolean;
}

/**
 * Reads the records that were modified since a time from several lists, newest first.
 *
 * The lists may change meanwhile. A record that is modified moves to the front, and the next poll
 * finds it there. A record that leaves a list pulls the rest forward, so that one may slip from an
 * unread page to one that was read already; records with equal times may come in another order on
 * each page. So the lists are read in rounds until one finds nothing new and no count has changed.
 * Where all is known, one round is enough: the next poll begins at the same place.
 * The second round leaves out a last list of one page: what moves from there to an earlier list is
 * found in the earlier list, and after any other change all lists are read again.
 *
 * @throws NodeOperationError when the lists keep changing, or the time is over
 */
export async function readModified(
	session: Session,
	lists: ModifiedList[],
	limits: ReadingLimits,
): Promise<ListedRecord[]> {
	const { isKnown = () => false } = limits;
	const found = new Map<number, ListedRecord>();
	const readings = lists.map((list) => startReading(list, limits));
	let open = readings;
	for (let round = 1; ; round++) {
		const before = found.size;
		for (const reading of open) await readRound(session, reading, found);
		if (readings.some(({ isCutOff }) => isCutOff)) {
			if (limits.isPartial && readings.every(({ isSorted }) => isSorted)) break;
			throw new TooSlowError(session);
		}
		const isNothingNew = round === 1 && [...found.values()].every(isKnown);
		const isQuiet = found.size === before || isNothingNew;
		const isSteady = readings.every((reading) => reading.isSteady);
		if (isSteady && isQuiet) break;
		if (readings.every(({ equalReadings }) => equalReadings >= EQUAL_ROUNDS)) break;
		open = readings.filter(
			({ hasSeveralPages }, index) =>
				round > 1 || !isSteady || hasSeveralPages || index < readings.length - 1,
		);
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

/** A poll could not read in its time what it has to read at once. */
export class TooSlowError extends NodeOperationError {
	// n8n tells errors apart by their name.
	override name = NodeOperationError.name;

	constructor({ node }: Session) {
		super(node, 'Portal.io did not respond in the time that n8n gives a poll', {
			description:
				"Nothing is lost: the next poll begins at the same place. If this continues, raise 'N8N_SCHEDULER_POLL_TIMEOUT' and 'N8N_SCHEDULER_LEASE_DURATION' of n8n.",
		});
	}
}

/** A list while it is read, page by page and round after round. */
type Reading = ReturnType<typeof startReading>;

function startReading(list: ModifiedList, { since, max = Infinity, isOver }: ReadingLimits) {
	const isFiltered = list.after !== undefined && since > 0;
	const from = Math.floor(since / 1000) * 1000 - MARGIN_MS;
	const filter = isFiltered ? { [list.after as string]: new Date(from).toISOString() } : {};
	const { request } = list;
	return {
		list: { ...list, request: { ...request, query: { ...request.query, ...filter } } },
		/** Reading stops at a record that was modified before this time. */
		stopAt: isFiltered ? since - UNFILTERED_MS : since,
		max,
		isOver,
		/** Whether reading ended because the time was over. */
		isCutOff: false,
		/** Whether the service returns the newest modification first, as it was asked to. */
		isSorted: true,
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

/**
 * Reads a list once, from its first page.
 *
 * It ends at what is old enough, but only as long as the list shows the order that was asked for. Where
 * the order of another field looks the same on the first pages, a look at one later page, another one
 * each minute, shows the difference.
 */
async function readRound(
	session: Session,
	reading: Reading,
	found: Map<number, ListedRecord>,
): Promise<void> {
	const countBefore = reading.count;
	const order: number[] = [];
	let places = 0;
	let oldest = Infinity;
	let isLast = false;
	for (let number = 1; !isLast; number++) {
		const isFirst = number === 1 && Number.isNaN(countBefore);
		reading.isCutOff = !isFirst && reading.isOver();
		if (reading.isCutOff) return;
		const { total, page } = await readListed(session, reading, number);
		addPage(reading, total, page, found);
		const ids = page.map(({ record }) => record.id);
		// A service without a count may return its last page again and again.
		const isRepeated = total === Infinity && ids.every((id) => order.includes(id));
		places += new Set(ids).size;
		order.push(...ids);
		// The service may return smaller pages than it was asked for.
		if (number === 1 && page.length > 0 && page.length < total) reading.pageSize = page.length;
		reading.isSorted &&= isDescending([oldest, ...page.map(({ modifiedAt }) => modifiedAt)]);
		oldest = page.at(-1)?.modifiedAt ?? oldest;
		isLast = page.length === 0 || isRepeated || number * reading.pageSize >= total;
		if (!isLast && reading.isSorted && (oldest < reading.stopAt || places >= reading.max)) {
			isLast = await isOlderLater(session, reading, number, oldest);
		}
		reading.hasSeveralPages ||= !isLast;
	}
	reading.equalReadings = order.join() === reading.order ? reading.equalReadings + 1 : 1;
	reading.order = order.join();
	const hasSameCount = Number.isNaN(countBefore) || countBefore === reading.count;
	reading.isSteady = hasSameCount && reading.ids.size >= places;
}

const isDescending = (times: number[]) =>
	times.every((time, index) => index === 0 || time <= times[index - 1]!);

/** Whether one of the pages behind those that were read has nothing newer than they have. */
async function isOlderLater(
	session: Session,
	reading: Reading,
	read: number,
	oldest: number,
): Promise<boolean> {
	const pages = Math.ceil(reading.count / reading.pageSize) - read;
	if (pages === Infinity) return true;
	const number = read + 1 + (Math.floor(Date.now() / 60_000) % pages);
	const { page } = await readListed(session, reading, number);
	reading.isSorted = page.every(({ modifiedAt }) => modifiedAt <= oldest);
	return reading.isSorted;
}

async function readListed(
	session: Session,
	{ list, pageSize }: Reading,
	number: number,
): Promise<{ total: number; page: ListedRecord[] }> {
	const { records, total } = await readPage<ProposalSummary>(session, list, number, pageSize);
	return { total, page: records.map((record) => withTime(session, record)) };
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
export class UndatedError extends NodeOperationError {
	// n8n tells errors apart by their name.
	override name = NodeOperationError.name;
}

function withTime(session: Session, record: ProposalSummary): ListedRecord {
	const modifiedAt = parseTime(record.lastModifiedDate);
	if (modifiedAt !== undefined) return { record, modifiedAt };
	throw new UndatedError(
		session.node,
		`Portal.io does not say when the record with the ID ${record.id} was modified`,
		{ description: 'Without that, changes cannot be told from what was there before.' },
	);
}
