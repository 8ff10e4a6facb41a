/** The deliveries that were taken, as the static data of the workflow keep them. */

/** How long a delivery is remembered. Portal.io retries for 14 h 36 min. */
export const REMEMBERED_SECONDS = 15 * 3600;
/** How many deliveries of one node its static data remember, the latest ones. */
export const REMEMBERED_DELIVERIES = 2000;

/** When each delivery was taken, in unix seconds, by its key. */
export type Seen = Record<string, number>;

/** Whether a delivery was taken so recently that a retry of it may still come. */
export function isSeen(seen: Seen, key: string, now: number): boolean {
	// The check for undefined is for the compiler: such a time is never recent.
	const time = Object.hasOwn(seen, key) ? seen[key] : undefined;
	return time !== undefined && isRecent(time, now);
}

/**
 * Adds deliveries that are not there yet, and drops the outdated ones.
 *
 * @param taken keys, and when they were taken in unix seconds
 * @returns undefined when there is nothing to add
 */
export function withTaken(
	seen: Seen,
	taken: Iterable<[string, number]>,
	now: number,
): Seen | undefined {
	const added = [...taken].filter(([key, time]) => !isSeen(seen, key, now) && isRecent(time, now));
	if (added.length === 0) return undefined;
	const kept = Object.entries({ ...seen, ...Object.fromEntries(added) })
		.filter(([, time]) => isRecent(time, now))
		// An older delivery may have been added late: another process can overwrite static data.
		.sort(([, one], [, other]) => one - other);
	return Object.fromEntries(kept.slice(-REMEMBERED_DELIVERIES));
}

const isRecent = (time: number, now: number) => now - time <= REMEMBERED_SECONDS;
