/** Lists the records of an event that were modified since a time. */
import { PortalError } from '../../client/errors';
import { readNewestFirst } from '../../client/lists';
import type { ProposalSummary } from '../../client/proposal';
import type { Session } from '../../client/session';
import { parseTime } from '../../client/time';
import type { DateName, ModifiedList, PollEvent } from './events';

/** A record as a list returned it. */
export interface ListedRecord {
	record: ProposalSummary;
	/** The date of the event in milliseconds on Portal.io's clock. */
	time: number;
}

export interface Listing {
	/** The records in the order of their times. */
	records: ListedRecord[];
	/** The start of the poll on Portal.io's clock. */
	now: number;
	/** The time of the newest modification, at most `now`. */
	newest: number;
}

/** The limits of one poll in milliseconds on n8n's clock. */
export interface PollTime {
	startedAt: number;
	/** The time after which a baseline requests no further page. */
	listUntil: number;
	/** The time after which a poll begins to read no further proposal that no list returned. */
	readUntil: number;
}

/** Each poll lists these minutes again, because Portal.io may list a record later than it was modified. */
export const OVERLAP_MS = 10 * 60_000;
/** Portal.io does not document whether `ModifiedAfter` excludes the time itself or ignores milliseconds. */
const MARGIN_MS = 1000;

/**
 * Lists the records that were modified since a time, each once. A record may move to a page that was already
 * read; the next poll lists it. If `since` is missing, lists the newest records, or for an event about a
 * status, all that the time limit allows, because later polls need their previous statuses.
 */
export async function listModified(
	session: Session,
	event: PollEvent,
	{ startedAt, listUntil }: PollTime,
	since?: number,
): Promise<Listing> {
	const recordsById = new Map<number, ListedRecord>();
	let newest = 0;
	for (const list of event.lists) {
		const isEnough = (times: number[]) => {
			newest = Math.max(newest, Math.min(times[0] ?? 0, startedAt + session.clockLeadMs));
			if ((times.at(-1) ?? 0) >= (since ?? newest - OVERLAP_MS)) return false;
			return since !== undefined || event.statusField === undefined || Date.now() >= listUntil;
		};
		const modifiedAt = (record: ProposalSummary) => timeOf(record, list.modificationDates);
		const records = await readNewestFirst(session, filterBy(list, since), modifiedAt, isEnough);
		for (const record of records) {
			// A proposal that was archived during the poll is in both lists; the later response counts.
			recordsById.set(record.id, { record, time: timeOf(record, list.eventDates) });
		}
	}
	const records = [...recordsById.values()].sort(
		(first, second) => first.time - second.time || first.record.id - second.record.id,
	);
	return { records, now: startedAt + session.clockLeadMs, newest };
}

function filterBy(list: ModifiedList, since: number | undefined): ModifiedList {
	if (list.after === undefined || !since) return list;
	const from = Math.floor(since / 1000) * 1000 - MARGIN_MS;
	const query = { ...list.request.query, [list.after]: new Date(from).toISOString() };
	return { ...list, request: { ...list.request, query } };
}

/** Returns the first of the dates that the record has. */
function timeOf(record: ProposalSummary, names: readonly DateName[]): number {
	for (const name of names) {
		const time = parseTime(record[name]);
		if (time !== undefined) return time;
	}
	throw new PortalError(`Portal.io did not return a date for the record with the ID ${record.id}`, {
		advice: ['Without its date, changes of the record cannot be detected.'],
	});
}
