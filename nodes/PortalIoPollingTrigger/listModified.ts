import { PortalError } from '../../client/errors';
import { MAX_PASSES, missingRecordsError, readPages, TRY_AGAIN } from '../../client/lists';
import type { ProposalSummary } from '../../client/proposal';
import type { Session } from '../../client/session';
import { parseTime } from '../../client/time';
import type { DateName, ModifiedList, PollEvent } from './pollEvents';

export interface ListedRecord {
	record: ProposalSummary;
	/** Time of the event in milliseconds by Portal.io's clock. */
	time: number;
}

export interface Listing {
	/** Records in the order of their times. */
	records: ListedRecord[];
	/** Start of the poll by Portal.io's clock. */
	now: number;
	/** Time of the newest modification, but not later than `now`. */
	newest: number;
}

/** Time limits of one poll, in milliseconds by the n8n server's clock. */
export interface PollLimits {
	startedAt: number;
	/** Time after which a baseline poll requests no more pages. */
	listUntil: number;
}

/** Length of the period that each poll lists again, because Portal.io might list a modified record with a delay. */
export const OVERLAP_MS = 10 * 60_000;
/**
 * Margin by which the time filter starts early. Portal.io does not document whether `ModifiedAfter` excludes the time
 * itself or ignores milliseconds.
 */
const MARGIN_MS = 1000;

/**
 * Lists the records that were modified since the given time, each once. A record that moves to a page that was already
 * read is left for the next poll. Without `since`, lists the newest records. For an event about a status, it then lists
 * as many as the time limit allows, because later polls need their statuses.
 */
export async function listModified(
	session: Session,
	event: PollEvent,
	limits: PollLimits,
	since?: number,
): Promise<Listing> {
	const recordsById = new Map<number, ListedRecord>();
	let newest = 0;
	for (const list of event.lists) {
		const readsAll = since === undefined && event.statusField !== undefined;
		const part = { session, list: filterModifiedAfter(list, since), limits, since, readsAll };
		for (const record of await readListRange(part)) {
			// Prefer the record from the later list, because a proposal that was archived during the poll is in both
			// lists.
			recordsById.set(record.id, { record, time: requireTime(record, list.eventDates) });
			newest = Math.max(newest, requireTime(record, list.modificationDates));
		}
	}
	const records = [...recordsById.values()].sort(
		(first, second) => first.time - second.time || first.record.id - second.record.id,
	);
	const now = limits.startedAt + session.clockLeadMs;
	return { records, now, newest: Math.min(newest, now) };
}

interface ListRange {
	session: Session;
	list: ModifiedList;
	limits: PollLimits;
	/** Time from which modifications are needed; undefined for a baseline, which needs the newest records. */
	since: number | undefined;
	/** True to read the whole list, if there is enough time. */
	readsAll: boolean;
}

/** Reads the needed part of a list. Throws a PortalError if records are still missing after several passes. */
async function readListRange(part: ListRange): Promise<ProposalSummary[]> {
	const found = new Map<number, ProposalSummary>();
	for (let pass = 1; ; pass++) {
		const { records, count, expectedCount } = await readListPass(part);
		for (const record of records) found.set(record.id, record);
		if (count >= expectedCount) return [...found.values()];
		if (pass === MAX_PASSES) {
			throw missingRecordsError(count, expectedCount, [TRY_AGAIN, MISSED_CHANGES]);
		}
	}
}

/**
 * Reads part of a list once, newest modification first. Returns how many records it found and how many it expected. The
 * list can change during the pass. If a record enters the list or moves to the top, another one appears on two pages.
 * If a record leaves the list, another one moves to a page that was already read. Records with equal times can also
 * swap places.
 */
async function readListPass({ session, list, limits, since, readsAll }: ListRange) {
	const modifiedAt = (record: ProposalSummary) => requireTime(record, list.modificationDates);
	const records: ProposalSummary[] = [];
	const totals: number[] = [];
	let from = since;
	/** Modification time after which the pass has missed no record; -Infinity if it has read the whole list. */
	let completeAfter = -Infinity;
	for await (const page of readPages<ProposalSummary>(session, list)) {
		const times = page.records.map(modifiedAt);
		if (page.total === Infinity) throw unreliableList('did not report how many records a list has');
		if (times.some((time, index) => time > (times[index - 1] ?? time))) {
			throw unreliableList('did not sort a list as requested');
		}
		records.push(...page.records);
		totals.push(page.total);
		const now = limits.startedAt + session.clockLeadMs;
		from ??= Math.min(times[0] ?? 0, now) - OVERLAP_MS;
		const last = times.at(-1) ?? Infinity;
		if (last < from && !(readsAll && Date.now() < limits.listUntil)) {
			completeAfter = last;
			break;
		}
	}
	const isWhole = completeAfter === -Infinity;
	const needed = records.filter((record) => modifiedAt(record) > completeAfter);
	// Subtract the records that entered the list during the pass, because each made another record appear twice. Add
	// the records that left, because each made the pass miss another record.
	const enteredCount = totals.at(-1)! - totals[0]!;
	return {
		records,
		count: new Set(needed.map(({ id }) => id)).size,
		expectedCount: isWhole ? totals[0]! : needed.length - enteredCount,
	};
}

const MISSED_CHANGES = 'Some changes might be missed. Contact support@portal.io if this continues.';

const unreliableList = (what: string) =>
	new PortalError(`Portal.io ${what}`, { advice: [MISSED_CHANGES] });

function filterModifiedAfter(list: ModifiedList, since: number | undefined): ModifiedList {
	if (list.after === undefined || !since) return list;
	const from = Math.floor(since / 1000) * 1000 - MARGIN_MS;
	const query = { ...list.request.query, [list.after]: new Date(from).toISOString() };
	return { ...list, request: { ...list.request, query } };
}

/**
 * Returns the time of the first date in `names` that the record has. Throws a PortalError if the record has none of
 * these dates.
 */
function requireTime(record: ProposalSummary, names: readonly DateName[]): number {
	for (const name of names) {
		const time = parseTime(record[name]);
		if (time !== undefined) return time;
	}
	throw new PortalError(`Portal.io did not return a date for the record with the ID ${record.id}`, {
		advice: ['Without a date, changes to the record cannot be detected.'],
	});
}
