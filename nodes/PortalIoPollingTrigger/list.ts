/** Finds what has changed: lists what was modified since the last poll, and selects what to compare. */
import { NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import { readNewestFirst } from '../../client/lists';
import type { ProposalSummary } from '../../client/proposal';
import { parseTime } from '../../client/time';
import { compareAll, type Candidate, type Listed, type Poll } from './compare';
import type { DateName, PollEvent } from './events';
import type { Memory, Version } from './memory';

interface Listing {
	/** In the order of the events. */
	records: Listed[];
	/** When the poll began, by the clock of the service as its last response had it. */
	now: number;
	/** The time of the newest modification, at most `now`; 0 in a list without dates. */
	newest: number;
	/** Whether the records have no dates: they are compared as listed, because no contact would ever look changed. */
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
/** The number of proposals that the first poll of a process and each later one read in full, for events that require it. */
const FIRST_DETAILS = 250;
const LATER_DETAILS = 50;

/**
 * Records the current state, so that later polls can detect changes. Proposals that have to be
 * read in full and are not read yet are compared by later polls.
 */
export async function recordBaseline(poll: Poll, source: string): Promise<Outcome> {
	const { event } = poll;
	const listing = await listModified(poll);
	const versions: Memory['versions'] = new Map();
	for (const { record, time } of listing.records.toReversed()) {
		versions.set(record.id, { time, state: event.isDetailed ? null : event.stateOf(record) });
	}
	const recheck = new Set(event.isDetailed ? versions.keys() : []);
	const { newest } = listing;
	const memory = { source, from: 0, newest, versions, recheck, failures: new Map() };
	const candidates = [...recheck].slice(0, FIRST_DETAILS).map((id) => ({ id }));
	await finish(poll, memory, listing, candidates);
	return { memory, items: [] };
}

/**
 * Compares the records listed since the time in the memory, and those that are due again, with
 * their last versions. Records that could not be read are compared again by the next poll.
 */
export async function findChanges(poll: Poll, memory: Memory): Promise<Outcome> {
	const { event } = poll;
	const { versions, recheck, from } = memory;
	const listing = await listModified(poll, from);
	// When Portal.io starts or stops dating contacts, all of them would look changed. An empty list shows neither.
	const isEmpty = versions.size === 0 || listing.records.length === 0;
	if (!isEmpty && listing.isUndated !== (memory.newest === 0)) {
		return await recordBaseline(poll, memory.source);
	}
	const candidates: Candidate[] = [];
	const unlisted = new Set(recheck);
	for (const listed of listing.records) {
		const { record, time } = listed;
		const { id } = record;
		if (time < from) continue;
		unlisted.delete(id);
		const previous = versions.get(id) ?? firstVersion(event, record, from);
		if (time < previous.time && previous.time <= listing.now) {
			// A machine of Portal.io that lags behind would make the next poll report the change again. If the
			// clock went back instead, the next poll lists the same version.
			versions.set(id, { ...previous, time });
			recheck.add(id);
			continue;
		}
		const isNew = time !== previous.time;
		// A second change within the second that the date shows would be lost.
		const isDue =
			isNew || recheck.has(id) || (!event.isDetailed && event.stateOf(record) !== previous.state);
		if (!isDue) continue;
		versions.set(id, previous);
		recheck.add(id);
		candidates.push({ id, ...listed });
	}
	// n8n saves what the first poll after its start has read, and what later polls have read only with an event.
	const most = poll.isFirstOfProcess ? FIRST_DETAILS : LATER_DETAILS;
	for (const id of [...unlisted].slice(0, most)) candidates.push({ id });
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
	const compared = await compareAll(poll, memory, candidates, listing.now);
	forget(poll.event, memory, listing);
	return { memory, ...compared };
}

/** Forgets the versions that later polls do not list. */
function forget(
	{ keepsOld }: PollEvent,
	{ versions, recheck, from }: Memory,
	{ records, isUndated }: Listing,
): void {
	const listedIds = new Set(records.map(({ record }) => record.id));
	for (const [id, { time }] of versions) {
		// What a list without dates does not have was deleted, because such a list is always whole.
		const isOld = isUndated ? !listedIds.has(id) : !keepsOld && time < from;
		if (isOld && !recheck.has(id)) versions.delete(id);
	}
}

/**
 * Lists the records that were modified since a time, each once. The next poll finds records that a
 * changing list has hidden: it lists all of it again. Without `since`, lists the newest records, or all
 * of them in the time that there is if the event compares them later.
 */
async function listModified(poll: Poll, since?: number): Promise<Listing> {
	const { session, event, time: limits } = poll;
	const listed = new Map<number, Listed>();
	let newest = 0;
	for (const list of event.lists) {
		const isEnough = (times: number[]) => {
			newest = Math.max(newest, Math.min(times[0] ?? 0, limits.start + session.clockLeadMs));
			if ((times.at(-1) ?? 0) >= (since ?? newest - OVERLAP_MS)) return false;
			return since !== undefined || !event.keepsOld || Date.now() >= limits.half;
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
			listed.set(record.id, { record, time: timeOf(record, list.dateOfEvent) });
		}
	}
	const records = [...listed.values()].sort(
		(first, second) => first.time - second.time || first.record.id - second.record.id,
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
