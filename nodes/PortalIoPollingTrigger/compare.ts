/** Compares what was modified, and what has to be compared again, with what is known. */
import { NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import { mapConcurrent } from '../../client/concurrency';
import { parseTime } from '../../client/response';
import type { Session } from '../../client/session';
import { describeFailure } from '../shared/failure';
import { simplifyTo } from '../shared/shape';
import { isChosen, type PollEvent, type Settings } from './events';
import type { ChangedRecord } from './items';
import { forgetOldest, KNOWN_RECORDS, type Memory, type Version } from './memory';
import {
	CONCURRENT_READS,
	listModified,
	OVERLAP_MS,
	TooSlowError,
	type Listed,
	type Listing,
	type PollTime,
	type ProposalReader,
} from './reading';

export interface Poll {
	session: Session;
	event: PollEvent;
	settings: Settings;
	reader: ProposalReader;
	time: PollTime;
}

/** The `problem` is the reason that something is left to the next poll. */
export interface Outcome {
	memory: Memory;
	items: INodeExecutionData[];
	problem?: Error;
}

/** A record to compare. It is new if its date has changed. */
interface Candidate {
	id: number;
	listed?: Listed;
	previous: Version;
	isNew: boolean;
}

/** Times may be whole seconds: in the second in which it is read, a record may change without a later one. */
const TIME_STEP_MS = 1000;
/** The number of proposals that the first poll and each later one read in full, for events that require it. */
const FIRST_DETAILS = 250;
const LATER_DETAILS = 50;

/**
 * Records how everything is, so that later polls can detect what has changed. Proposals that have to be
 * read in full and are not read yet are compared by later polls.
 */
export async function recordBaseline(poll: Poll, source: string): Promise<Outcome> {
	const { session, event, time } = poll;
	const window = { most: event.keepsOld ? KNOWN_RECORDS : 0 };
	const listing = await listModified(session, event.lists, time, window);
	const known: Memory['known'] = new Map();
	const candidates: Candidate[] = [];
	for (const listed of [...listing.records].reverse()) {
		const { id } = listed.record;
		const state = event.isDetailed ? null : event.stateOf(listed.record);
		known.set(id, { time: listed.time, state });
		if (event.isDetailed) candidates.push({ id, listed, previous: known.get(id)!, isNew: true });
	}
	const recheck = new Set(candidates.map(({ id }) => id));
	const { newest } = listing;
	const memory = { source, from: 0, newest, known, recheck, failures: new Map() };
	await compareAll(poll, memory, listing, candidates.slice(0, FIRST_DETAILS));
	return { memory, items: [] };
}

/**
 * Compares what is listed from the time on that the memory names, and what has to be compared again, with
 * what is known. Records that could not be read are compared again by the next poll.
 */
export async function findChanges(poll: Poll, memory: Memory): Promise<Outcome> {
	const { session, event, time } = poll;
	const { known, recheck, from } = memory;
	const listing = await listModified(session, event.lists, time, { since: from });
	// The service has begun or ceased to say when contacts were modified.
	const hasOtherDates = (listing.newest === 0) !== (memory.newest === 0);
	if (hasOtherDates && known.size > 0 && listing.records.length > 0) {
		return await recordBaseline(poll, memory.source);
	}
	const candidates: Candidate[] = [];
	const others = new Set(recheck);
	for (const listed of listing.records) {
		const { id } = listed.record;
		const last = known.get(id);
		if (listed.time < from) continue;
		others.delete(id);
		if (last !== undefined && listed.time < last.time && last.time <= listing.now) {
			// The service has responded with an earlier version, or its clock went back: the next poll shows which.
			known.set(id, { ...last, time: listed.time });
			recheck.add(id);
			continue;
		}
		const isNew = listed.time !== last?.time;
		const previous = last ?? firstVersion(event, listed, from);
		// To compare what is listed takes no request.
		const isDue = isNew || recheck.has(id) || !event.isDetailed;
		if (isDue) candidates.push({ id, listed, previous, isNew });
	}
	for (const id of [...others].slice(0, LATER_DETAILS)) {
		if (event.isDetailed) candidates.push({ id, previous: known.get(id)!, isNew: false });
		// A record that is no longer listed was deleted.
		else recheck.delete(id);
	}
	return await compareAll(poll, memory, listing, candidates);
}

/** The version of an unknown record: all is new if it was created since, otherwise what is dated later. */
function firstVersion({ initialState }: PollEvent, { record }: Listed, from: number): Version {
	const isCreated = (parseTime(record.createdDate) ?? 0) >= from;
	return isCreated ? { time: 0, state: initialState } : { time: from - 1, state: null };
}

/** Compares records, and remembers how they are and which of them have to be compared again. */
async function compareAll(
	poll: Poll,
	memory: Memory,
	listing: Listing,
	candidates: Candidate[],
): Promise<Outcome> {
	const { reader } = poll;
	const { known, recheck, failures } = memory;
	// Each modification is listed by two polls at least, as lists may change while they are read.
	const listedBefore = Math.min(memory.newest, listing.now);
	memory.from = Math.max(memory.from, listedBefore - OVERLAP_MS);
	memory.newest = Math.max(memory.newest, listing.newest);
	const compared = await mapConcurrent(candidates, CONCURRENT_READS, async (candidate) =>
		compare(poll, memory, candidate, listing.now).catch((error: Error) => error),
	);

	const items: INodeExecutionData[] = [];
	const errors: Error[] = [];
	for (const [index, { id, listed, previous }] of candidates.entries()) {
		const result = compared[index]!;
		const failure = reader.errors.get(id);
		if (!(result instanceof Error) && (failure === undefined || reader.isGivenUp(id))) {
			items.push(...result);
			failures.delete(id);
			continue;
		}
		errors.push(failure ?? (result as Error));
		known.set(id, previous);
		recheck.add(id);
		if (failure && !reader.outage) failures.set(id, (failures.get(id) ?? 0) + 1);
		// It is listed until it was compared.
		memory.from = Math.min(memory.from, listed?.time ?? memory.from);
	}
	forget(poll, memory, listing);
	const notInTime = errors.length === candidates.length ? errors[0] : undefined;
	const problem =
		reader.outage ?? errors.find((error) => !(error instanceof TooSlowError)) ?? notInTime;
	return { memory, items, problem };
}

/** Forgets what later polls do not need, and the oldest records where there are too many. */
function forget({ session, event }: Poll, memory: Memory, { records, newest }: Listing): void {
	const { known, recheck, from } = memory;
	const ids = new Set(records.map(({ record }) => record.id));
	// A list without dates is always whole: what is not in it was deleted.
	const isWhole = newest === 0 && ids.size > 0;
	if (isWhole && ids.size > KNOWN_RECORDS) {
		const what = `does not say when contacts were modified, and there are more than ${KNOWN_RECORDS}`;
		const description = 'So many cannot be compared in every poll. Contact support@portal.io.';
		throw new NodeOperationError(session.node, `Portal.io ${what}`, { description });
	}
	for (const [id, { time }] of known) {
		const isOld = isWhole ? !ids.has(id) : !event.keepsOld && time < from;
		if (isOld && !recheck.has(id)) known.delete(id);
	}
	const forgotten = forgetOldest(memory);
	// It must not be listed again, or it would seem new.
	if (forgotten !== undefined) memory.from = Math.max(from, forgotten + 1);
}

/** Compares a record with its last version and returns items; throws when it has to be compared again. */
async function compare(
	poll: Poll,
	{ known, recheck, newest }: Memory,
	{ id, listed, previous, isNew }: Candidate,
	now: number,
): Promise<INodeExecutionData[]> {
	const { event, settings, reader } = poll;
	const readProposal = async () => (await reader.read(id)).proposal;
	const record = event.isDetailed ? await readProposal() : listed!.record;
	const changed = record ? await event.changesOf({ record, previous, readProposal }) : [];
	if (record === undefined || reader.errors.has(id)) {
		// It was deleted, or is given up: it stays as it was until it is modified again.
		known.set(id, { ...previous, time: listed?.time ?? previous.time });
		recheck.delete(id);
		return [];
	}
	const items: INodeExecutionData[] = [];
	for (const one of changed) {
		if (!isChosen(one, settings)) continue;
		if (settings.ignoresOwnChanges) {
			const proposal = await readProposal();
			if (proposal !== undefined && (await reader.isOwnChange(proposal))) continue;
		}
		items.push(await toItem(poll, one));
	}
	const modifiedAt = event.isDetailed ? parseTime(record.lastModifiedDate) : undefined;
	const time = modifiedAt ?? listed!.time;
	known.set(id, { time, state: event.stateOf(record) });
	// Once more, regardless of the clock: a second is over when the list shows a later one.
	const isOfNewestSecond = isNew && time >= newest - TIME_STEP_MS;
	const isOfThisSecond = time >= now - 2 * TIME_STEP_MS;
	if (event.isDetailed && (isOfNewestSecond || isOfThisSecond)) recheck.add(id);
	else recheck.delete(id);
	return items;
}

/** Makes the item of a change; a proposal that was deleted or cannot be read is as it was listed. */
export async function toItem(
	{ event, settings, reader }: Pick<Poll, 'event' | 'reader' | 'settings'>,
	changed: ChangedRecord,
): Promise<INodeExecutionData> {
	const { isSimplified, fetchesProposal } = settings;
	const { proposal = null, error } = fetchesProposal ? await reader.read(changed.record.id) : {};
	const complete = fetchesProposal ? { ...changed, proposal } : changed;
	const json = isSimplified ? simplifyTo(event.shape, complete) : event.full(complete);
	return { json: error ? { ...json, proposalError: describeFailure(error) } : json };
}
