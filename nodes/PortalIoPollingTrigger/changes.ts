/** Finds what has changed: lists what was modified since the last poll, and selects what to compare. */
import { NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import type { ProposalSummary } from '../../client/model';
import { readNewestFirst } from '../../client/pages';
import { parseTime } from '../../client/response';
import { compareAll, type Candidate, type Listed, type Poll } from './compare';
import type { DateName, PollEvent } from './events';
import { KNOWN_RECORDS, type Memory, type Version } from './memory';

interface Listing {
	/** In the order of the events. */
	records: Listed[];
	/** When the poll began, by the clock of the service as its last response had it. */
	now: number;
	/** The time of the newest modification, at most `now`; 0 in a list without dates. */
	newest: number;
	/** Whether the records have no dates. Such a list is always whole. */
	isUndated: boolean;
}

/** The `problem` is the reason that something is left to the next poll. */
export interface Outcome {
	memory: Memory;
	items: INodeExecutionData[];
	problem?: Error;
}

/** The time before the newest modification that each poll reads again: a record may be listed late. */
const OVERLAP_MS = 10 * 60_000;
/** Whether `ModifiedAfter` includes the time itself, and counts milliseconds, is not documented. */
const MARGIN_MS = 1000;
/** The number of proposals that the first poll and each later one read in full, for events that require it. */
const FIRST_DETAILS = 250;
const LATER_DETAILS = 50;

/**
 * Records the current state, so that later polls can detect changes. Proposals that have to be
 * read in full and are not read yet are compared by later polls.
 */
export async function recordBaseline(poll: Poll, source: string): Promise<Outcome> {
	const { event } = poll;
	const listing = await listModified(poll, undefined, event.keepsOld ? KNOWN_RECORDS : 0);
	const known: Memory['known'] = new Map();
	for (const { record, time } of listing.records.toReversed()) {
		known.set(record.id, { time, state: event.isDetailed ? null : event.stateOf(record) });
	}
	const recheck = new Set(event.isDetailed ? known.keys() : []);
	const { newest } = listing;
	const memory = { source, from: 0, newest, known, recheck, failures: new Map() };
	const candidates = [...recheck].slice(0, FIRST_DETAILS).map((id) => ({ id }));
	await finish(poll, memory, listing, candidates);
	return { memory, items: [] };
}

/**
 * Compares the records listed since the time in the memory, and those that are due again, with
 * their known versions. Records that could not be read are compared again by the next poll.
 */
export async function findChanges(poll: Poll, memory: Memory): Promise<Outcome> {
	const { event } = poll;
	const { known, recheck, from } = memory;
	const listing = await listModified(poll, from);
	// The service has started or stopped dating contacts. An empty list shows neither.
	const isEmpty = known.size === 0 || listing.records.length === 0;
	if (!isEmpty && listing.isUndated !== (memory.newest === 0)) {
		return await recordBaseline(poll, memory.source);
	}
	const candidates: Candidate[] = [];
	const others = new Set(recheck);
	for (const listed of listing.records) {
		const { record, time } = listed;
		const { id } = record;
		if (time < from) continue;
		others.delete(id);
		const previous = known.get(id) ?? firstVersion(event, record, from);
		if (time < previous.time && previous.time <= listing.now) {
			// The service has responded with an earlier version, or its clock went back: the next poll shows which.
			known.set(id, { ...previous, time });
			recheck.add(id);
			continue;
		}
		const isNew = time !== previous.time;
		// It may have changed again in the second that its date shows.
		const isDue =
			isNew || recheck.has(id) || (!event.isDetailed && event.stateOf(record) !== previous.state);
		if (!isDue) continue;
		known.set(id, previous);
		recheck.add(id);
		candidates.push({ id, ...listed });
	}
	for (const id of [...others].slice(0, LATER_DETAILS)) candidates.push({ id });
	return await finish(poll, memory, listing, candidates);
}

/** The version of an unknown record: all is new if it was created since, otherwise what is dated later. */
function firstVersion(event: PollEvent, { createdDate }: ProposalSummary, from: number): Version {
	const isCreated = (parseTime(createdDate) ?? 0) >= from;
	return { time: from - 1, state: isCreated ? event.initialState : null };
}

/** Compares the candidates, and forgets what later polls do not need. */
async function finish(
	poll: Poll,
	memory: Memory,
	listing: Listing,
	candidates: Candidate[],
): Promise<Outcome> {
	// Each modification is listed by two polls at least, as lists may change while they are read.
	const listedBefore = Math.min(memory.newest, listing.now);
	memory.from = Math.max(memory.from, listedBefore - OVERLAP_MS);
	memory.newest = Math.max(memory.newest, listing.newest);
	const nothing = { items: [] };
	const found =
		candidates.length > 0 ? await compareAll(poll, memory, candidates, listing.now) : nothing;
	forget(poll, memory, listing);
	return { memory, ...found };
}

/** Forgets what later polls do not list, and the oldest records where there are too many. */
function forget({ session, event }: Poll, memory: Memory, { records, isUndated }: Listing): void {
	const { known, recheck, from } = memory;
	const listed = new Set(isUndated ? records.map(({ record }) => record.id) : []);
	if (listed.size > KNOWN_RECORDS) {
		const what = `does not say when contacts were modified, and there are more than ${KNOWN_RECORDS}`;
		const description = 'That is too many to compare in each poll. Contact support@portal.io.';
		throw new NodeOperationError(session.node, `Portal.io ${what}`, { description });
	}
	for (const [id, { time }] of known) {
		// What a whole list does not have was deleted.
		const isOld = isUndated ? !listed.has(id) : !event.keepsOld && time < from;
		if (isOld && !recheck.has(id)) known.delete(id);
	}
	if (known.size <= KNOWN_RECORDS) return;
	const newestFirst = [...known].sort(([, one], [, other]) => other.time - one.time);
	const forgotten = newestFirst.slice(KNOWN_RECORDS);
	for (const [id] of forgotten) {
		known.delete(id);
		recheck.delete(id);
	}
	// They must not be listed again: they would look new.
	memory.from = Math.max(from, forgotten[0]![1].time + 1);
}

/**
 * Lists the records that were modified since a time, each once. The next poll finds records that a
 * changing list has hidden: it lists all of it again. Without `since`, lists the newest records, `most`
 * of them if there is time.
 */
async function listModified(poll: Poll, since?: number, most = 0): Promise<Listing> {
	const { session, event, time: limits } = poll;
	const found = new Map<number, Listed>();
	let newest = 0;
	for (const list of event.lists) {
		let read = 0;
		const isEnough = (times: number[]) => {
			read += times.length;
			newest = Math.max(newest, Math.min(times[0] ?? 0, limits.start + session.clockLeadMs));
			const isOld = (times.at(-1) ?? 0) < (since ?? newest - OVERLAP_MS);
			return isOld && (read >= most || Date.now() >= limits.half);
		};
		const timeOf = (record: ProposalSummary, name: DateName = 'lastModifiedDate') => {
			const parsed = parseTime(record[name]);
			if (parsed === undefined && !list.mayBeUndated) throw undated(poll, record, name);
			return parsed ?? 0;
		};
		const query = { ...list.request.query };
		if (list.after && since) {
			const from = Math.floor(since / 1000) * 1000 - MARGIN_MS;
			query[list.after] = new Date(from).toISOString();
		}
		const filtered = { ...list, request: { ...list.request, query } };
		for (const record of await readNewestFirst(session, filtered, timeOf, isEnough)) {
			// A record that moved between the lists is in both; the later reading counts.
			found.set(record.id, { record, time: timeOf(record, list.dateOfEvent) });
		}
	}
	const records = [...found.values()].sort(
		(one, other) => one.time - other.time || one.record.id - other.record.id,
	);
	const isUndated = records.at(-1)?.time === 0;
	return { records, now: limits.start + session.clockLeadMs, newest, isUndated };
}

/** New and old records cannot be distinguished without a date. */
function undated({ session }: Poll, { id }: ProposalSummary, name: DateName) {
	const what = name === 'createdDate' ? 'created' : 'modified';
	const message = `Portal.io does not say when the record with the ID ${id} was ${what}`;
	const description = 'Without that date, changes cannot be detected.';
	return new NodeOperationError(session.node, message, { description });
}
