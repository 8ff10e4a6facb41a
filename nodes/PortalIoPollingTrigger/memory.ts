import type { KnownVersion, ListedRecord, Memory } from './types';

/**
 * How many records are remembered, the ones modified last: 185 kB of JSON for 5,000 statuses and
 * about 400 kB where each proposal has three payment requests.
 */
export const KNOWN_RECORDS = 5000;
/**
 * How far each poll looks back behind the newest modification. A record that shows up in the list
 * later than its time is found up to this late.
 */
export const OVERLAP_MS = 10 * 60_000;
/** A time further ahead than this is a mistake, and would hide everything before it. */
const AHEAD_MS = 24 * 3600_000;

/** Reads the known versions, by the ID of the record. */
export function readKnown({ known = {} }: Memory): Map<number, KnownVersion> {
	return new Map(Object.entries(known).map(([id, [time, state]]) => [Number(id), { time, state }]));
}

/** The newest modification, apart from times that must be mistakes. */
export function newestTime(listed: ListedRecord[], cursor = 0): number {
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
