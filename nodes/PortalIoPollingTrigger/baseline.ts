import { mapConcurrent } from '../../client/concurrency';
import { newCandidate } from './candidates';
import { stateOf } from './events';
import { isUndated, readListed } from './listing';
import { KNOWN_RECORDS, learn, memoryAfter, newestTime, OVERLAP_MS, type Known } from './memory';
import { CONCURRENT_READS } from './proposalReader';
import type { Outcome, Poll } from './steps';

/** How many proposals the first poll reads in full, where an event needs that. */
const FIRST_DETAILS = 250;

/**
 * Records how everything is, so that later polls can detect what has changed. What there is no time to
 * read is left to later polls, or counts as forgotten.
 */
export async function recordBaseline(poll: Poll): Promise<Outcome> {
	const { session, event, source, reader, time } = poll;
	const isDeep = event.baseline !== 'recent';
	const max = isDeep ? KNOWN_RECORDS + 1 : 1;
	const newest = await readListed(session, event, {
		since: 0,
		max,
		isOver: time.isHalfOver,
		isPartial: true,
	});
	const isCutOff = time.isHalfOver();
	// Complete this time: everything that the next poll looks at again must be known.
	const since = Math.max(0, newestTime(newest) - OVERLAP_MS);
	const recent = isUndated(newest)
		? []
		: await readListed(session, event, { since, isOver: time.isOver });
	const records = new Map([...newest, ...recent].map((one) => [one.record.id, one]));
	const listed = [...records.values()].sort((one, other) => other.modifiedAt - one.modifiedAt);

	const known: Known = new Map();
	const ids = event.baseline === 'details' ? listed.map(({ record }) => record.id) : [];
	const pending = ids.slice(0, KNOWN_RECORDS);
	await readPending(poll, known, pending, FIRST_DETAILS);
	const failures = reader.finish();
	if (event.baseline !== 'details') {
		for (const one of listed) {
			known.set(one.record.id, { time: event.timeOf(one), state: stateOf(one) });
		}
	}
	const memory = memoryAfter(undefined, {
		source,
		listed,
		isWhole: isDeep && listed.length <= KNOWN_RECORDS && !isCutOff,
		known,
		keepsOld: isDeep,
		pending,
		isDone: (id) => reader.isDone(id),
		skipped: reader.skipped,
		failures,
		unsettledSince: event.baseline === 'details' ? time.start : 0,
	});
	return { memory, items: [] };
}

/** Reads some of the pending proposals in full, as long as there is time; they are known then. */
export async function readPending(
	{ event, reader }: Poll,
	known: Known,
	pending: number[],
	count: number,
): Promise<void> {
	const unread = pending.filter((id) => !reader.isDone(id)).slice(0, count);
	await mapConcurrent(unread, CONCURRENT_READS, async (id) => {
		// The reader keeps why it failed, and reads nothing when the time is over.
		const proposal = await reader.read(id).catch(() => undefined);
		if (proposal === undefined) return;
		const candidate = newCandidate(proposal, async () => proposal);
		learn(known, id, await event.detectChange(candidate));
	});
}
