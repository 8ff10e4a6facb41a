import type { Proposal, ProposalSummary } from '../../client/model';
import { parseTime } from './dates';
import type { Poll } from './context';
import type { Candidate, KnownVersion, ListedRecord } from './types';

/** The service's times may be no finer than whole seconds. */
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
	const recheck = idsToRecheck(selected, memory.cursor ?? 0);
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

/**
 * The records that may have changed once more after the last poll saw them, without getting a later
 * time: the newest ones of that poll, as the service's times may be whole seconds.
 */
function idsToRecheck(listed: ListedRecord[], cursor: number): Set<number> {
	const newest = listed.filter(({ modifiedAt }) => modifiedAt >= cursor - TIME_STEP_MS);
	return new Set(newest.slice(-MAX_RECHECKS).map(({ record }) => record.id));
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
