/**
 * The deliveries that were taken of late, in one text: it goes through n8n's database with every
 * delivery, three times, and a text does so at a third of what an object of 2,000 entries costs.
 *
 * A record for each delivery, all of one width, in about the order in which they were taken.
 */

/** How long a delivery is remembered: its five retries end after 14 h 36 min (*Delivery*). */
export const REMEMBERED_SECONDS = 15 * 3600;
/** How many deliveries of one node are remembered in its static data, the latest ones. */
export const REMEMBERED_DELIVERIES = 2000;

/** Characters of the key of a delivery: by chance one is taken for another once in 10^11 times. */
export const KEY_WIDTH = 8;
/** Seconds since the start of 2026, to the base of 36, fit into six characters until 2094. */
const TIME_WIDTH = 6;
const START = Date.UTC(2026) / 1000;
const RECORD_WIDTH = TIME_WIDTH + KEY_WIDTH;

/** The text, in the static data: for each delivery its time and its key. */
export type Seen = string;

/** Whether a delivery was taken so lately that a retry of it may still come. */
export function isSeen(seen: Seen, key: string, now: number): boolean {
	for (let at = seen.length; (at = seen.lastIndexOf(key, at)) >= 0; at--) {
		if (at % RECORD_WIDTH === TIME_WIDTH)
			return now - timeAt(seen, at - TIME_WIDTH) <= REMEMBERED_SECONDS;
	}
	return false;
}

/**
 * Adds deliveries that are not there yet, and drops those that no retry can ask for any more.
 *
 * @param taken the keys, of KEY_WIDTH characters each, and when they were taken in unix seconds
 */
export function withSeen(seen: Seen, taken: Iterable<[string, number]>, now: number): Seen {
	const known = new Set<string>();
	let start = 0;
	for (let at = 0; at < seen.length; at += RECORD_WIDTH) {
		if (now - timeAt(seen, at) > REMEMBERED_SECONDS) start = at + RECORD_WIDTH;
		else known.add(seen.slice(at + TIME_WIDTH, at + RECORD_WIDTH));
	}
	let all = seen.slice(start);
	for (const [key, time] of taken) {
		if (!known.has(key)) all += textOf(time) + key;
	}
	return all.slice(-REMEMBERED_DELIVERIES * RECORD_WIDTH);
}

const textOf = (time: number) =>
	Math.max(0, time - START)
		.toString(36)
		.padStart(TIME_WIDTH, '0');

const timeAt = (seen: Seen, at: number) => START + parseInt(seen.slice(at, at + TIME_WIDTH), 36);
