import { parseTime } from '../../client/time';
import type { ListedRecord } from './modifiedRecords';
import type { Proposal, ProposalSummary } from '../../client/model';
import type { Known, Memory } from './memory';
import type { Poll } from './steps';
import type { Candidate } from './types';

/**
 * The service's times may be whole seconds. So the newest records that a poll saw may change once
 * more without getting a later time.
 */
export const TIME_STEP_MS = 1000;
/** How many records that have not visibly changed a poll compares again. */
const MAX_RECHECKS = 50;

/** Selects the records that may have changed since the last poll, in the order of their changes. */
export function selectCandidates(
	{ event, reader }: Poll,
	memory: Memory,
	known: Known,
	listed: ListedRecord[],
): Candidate[] {
	const { from, cursor, skipped } = memory;
	const selected = listed
		.map((one) => ({ ...one, time: event.timeOf(one), previous: known.get(one.record.id) }))
		.filter(({ time, previous }) => time >= from && time >= (previous?.time ?? 0))
		.filter(({ record, modifiedAt }) => skipped[record.id] !== modifiedAt)
		.sort((one, other) => one.time - other.time || one.record.id - other.record.id);
	const seenUntil = memory.unsettledSince === 0 ? Infinity : cursor - TIME_STEP_MS;
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
			reportedUntil: isNew ? -Infinity : Math.max(from - 1, memory.baseline),
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
		modifiedAt: parseTime(record.lastModifiedDate) ?? 0,
		previous: undefined,
		needsRecheck: false,
		reportedUntil: -Infinity,
		readProposal: read,
	};
}
