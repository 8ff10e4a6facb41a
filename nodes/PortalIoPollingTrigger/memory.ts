import type { Logger } from 'n8n-workflow';
import type { Session } from '../../client/session';
import { type ProposalReader, CONCURRENT_READS } from './proposalReader';
import type { Settings } from './items';
import type { Memory, PollEvent, KnownVersion, Candidate } from './types';
import { type ListedRecord, parseTime, readModified } from '../../client/modifiedRecords';
import type { Proposal, ProposalSummary } from '../../client/model';
import { mapConcurrent } from '../../client/concurrency';

/** What all steps of a poll share. */
export interface Poll {
	session: Session;
	event: PollEvent;
	settings: Settings;
	/** The event and the credential. */
	source: string;
	memory: Memory;
	reader: ProposalReader;
	logger: Logger;
}

/**
 * How many records are remembered, the ones modified last: 185 kB of JSON for 5,000 statuses and
 * about 400 kB where each proposal has three payment requests.
 */
export const KNOWN_RECORDS = 5000;
/**
 * How far each poll looks back behind the newest modification. A record that shows up in the list
 * later than its time is found up to this late.
 */
const OVERLAP_MS = 10 * 60_000;
/** A time further ahead than this is a mistake, and would hide everything before it. */
const AHEAD_MS = 24 * 3600_000;

/** Reads the known versions, by the ID of the record. */
export function readKnown({ known = {} }: Memory): Map<number, KnownVersion> {
	return new Map(Object.entries(known).map(([id, [time, state]]) => [Number(id), { time, state }]));
}

/** The newest modification, apart from times that must be mistakes. */
function newestTime(listed: ListedRecord[], cursor = 0): number {
	const latest = Date.now() + AHEAD_MS;
	return listed.reduce(
		(newest, { modifiedAt }) => (modifiedAt <= latest ? Math.max(newest, modifiedAt) : newest),
		cursor,
	);
}

/**
 * Saves what a poll has seen, and drops what no later poll needs.
 *
 * @param keepsOld whether versions are kept that are older than what the next poll looks at
 */
export function updateMemory(
	memory: Memory,
	known: Map<number, KnownVersion>,
	listed: ListedRecord[],
	keepsOld: boolean,
): void {
	const cursor = newestTime(listed, memory.cursor);
	let from = Math.max(memory.from ?? 0, cursor - OVERLAP_MS);
	const entries = [...known].sort(([, one], [, other]) => other.time - one.time);
	// A forgotten record must not be looked at again, or it would seem new.
	const [, forgotten] = entries[KNOWN_RECORDS] ?? [];
	if (forgotten !== undefined) {
		from = Math.max(from, forgotten.time + 1);
		memory.isComplete = false;
	}
	memory.cursor = cursor;
	memory.from = from;
	memory.known = Object.fromEntries(
		entries
			.slice(0, KNOWN_RECORDS)
			.filter(([, { time }]) => keepsOld || time >= from)
			.map(([id, { time, state }]) => [id, [time, state]]),
	);
}

/** Remembers the version of a record that was compared, if it was. */
export function learn(
	known: Map<number, KnownVersion>,
	id: number,
	version: KnownVersion | undefined,
): void {
	if (version !== undefined) known.set(id, { time: version.time, state: version.state });
}

/**
 * The service's times may be whole seconds. So the newest records that a poll saw may change once
 * more without getting a later time.
 */
const TIME_STEP_MS = 1000;
/** How many records that have not visibly changed a poll compares again. */
const MAX_RECHECKS = 50;

/** Selects the records that may have changed since the last poll, in the order of their changes. */
export function selectCandidates(
	{ event, memory, reader }: Poll,
	known: Map<number, KnownVersion>,
	listed: ListedRecord[],
	from: number,
): Candidate[] {
	const selected = listed
		.map((one) => ({ ...one, time: event.timeOf(one), previous: known.get(one.record.id) }))
		.filter(({ time, previous }) => time >= from && time >= (previous?.time ?? 0))
		.filter((one) => !reader.hasSkipped(one))
		.sort((one, other) => one.time - other.time || one.record.id - other.record.id);
	const seenUntil = (memory.cursor ?? 0) - TIME_STEP_MS;
	const newest = selected.filter(({ modifiedAt }) => modifiedAt >= seenUntil).slice(-MAX_RECHECKS);
	const recheck = new Set(newest.map(({ record }) => record.id));
	const pending = new Set(memory.pending);
	return selected.map(({ record, modifiedAt, previous }) => {
		const { id } = record;
		const isNew = memory.isComplete && !pending.has(id);
		return {
			record,
			modifiedAt,
			previous,
			needsRecheck: recheck.has(id),
			reportedUntil: isNew ? -Infinity : Math.max(from - 1, memory.baseline ?? 0),
			readProposal: async () => await reader.read(id),
		};
	});
}

/** A candidate of which nothing is known, so that everything about it is new. */
export function newCandidate(
	record: ProposalSummary,
	read: () => Promise<Proposal | undefined>,
): Candidate {
	return {
		record,
		modifiedAt: parseTime(record.lastModifiedDate),
		previous: undefined,
		needsRecheck: false,
		reportedUntil: -Infinity,
		readProposal: read,
	};
}

/** How many proposals the first poll reads in full, where an event needs that. */
const FIRST_DETAILS = 250;

/** Records how everything is, so that later polls can detect what has changed. */
export async function recordBaseline(poll: Poll): Promise<void> {
	const { session, event, source, memory, reader } = poll;
	const isDeep = event.baseline !== 'recent';
	const newest = await readModified(session, event.lists, 0, isDeep ? KNOWN_RECORDS + 1 : 1);
	// Complete this time: everything that the next poll looks at again must be known.
	const since = Math.max(0, newestTime(newest) - OVERLAP_MS);
	const recent = await readModified(session, event.lists, since);
	const records = new Map([...newest, ...recent].map((one) => [one.record.id, one]));
	const listed = [...records.values()].sort((one, other) => other.modifiedAt - one.modifiedAt);

	const baseline: Memory = { source, isComplete: isDeep && listed.length <= KNOWN_RECORDS };
	const known = new Map<number, KnownVersion>();
	if (event.baseline === 'details') {
		const ids = listed.slice(0, KNOWN_RECORDS).map(({ record }) => record.id);
		baseline.pending = await addDetails(poll, known, ids, FIRST_DETAILS);
	} else {
		for (const one of listed) {
			known.set(one.record.id, { time: event.timeOf(one), state: one.record.status ?? '' });
		}
	}
	reader.finish(poll.logger, listed);
	// One that was skipped is not new when it can be read later.
	if (reader.skipped.size > 0) baseline.isComplete = false;
	updateMemory(baseline, known, listed, isDeep);
	baseline.baseline = baseline.cursor;
	for (const key of Object.keys(memory) as Array<keyof Memory>) delete memory[key];
	Object.assign(memory, baseline);
}

/**
 * Reads some of the pending proposals in full and adds them to the known ones.
 *
 * @returns the IDs that are still pending
 */
export async function addDetails(
	{ event, reader }: Poll,
	known: Map<number, KnownVersion>,
	pending: number[],
	count: number,
): Promise<number[]> {
	const unread = pending.filter((id) => !known.has(id));
	const read = async (id: number) => await reader.read(id);
	const proposals = await mapConcurrent(unread.slice(0, count), CONCURRENT_READS, read);
	for (const proposal of proposals) {
		if (proposal === undefined) continue;
		const candidate = newCandidate(proposal, async () => proposal);
		learn(known, proposal.id, await event.detectChange(candidate));
	}
	return unread.slice(count);
}
