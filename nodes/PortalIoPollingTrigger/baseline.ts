import { mapConcurrent } from '../../client/concurrency';
import { newCandidate } from './candidates';
import type { Poll } from './context';
import { KNOWN_RECORDS, learn, newestTime, OVERLAP_MS, updateMemory } from './memory';
import { CONCURRENT_READS } from './proposalReader';
import { readModified } from './readModified';
import type { KnownVersion, Memory } from './types';

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
		if (proposal !== undefined) {
			learn(
				known,
				proposal.id,
				await event.detectChange(newCandidate(proposal, async () => proposal)),
			);
		}
	}
	return unread.slice(count);
}
