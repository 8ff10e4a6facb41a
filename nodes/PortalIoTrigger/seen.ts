/**
 * The deliveries that were taken of late, in one text: it goes through n8n's database with every
 * delivery, three times, and a text does so at a third of what an object of 2,000 entries costs.
 *
 * A record for each delivery, all of one width, in the order in which they were taken.
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
	const isRemembered = (record: string) => now - timeAt(record, 0) <= REMEMBERED_SECONDS;
	const records: string[] = [];
	for (let at = 0; at < seen.length; at += RECORD_WIDTH) {
		records.push(seen.slice(at, at + RECORD_WIDTH));
	}
	const kept = records.filter(isRemembered);
	const known = new Set(kept.map((record) => record.slice(TIME_WIDTH)));
	for (const [key, time] of taken) {
		const record = textOf(time) + key;
		if (!known.has(key) && isRemembered(record)) kept.push(record);
	}
	// Those that another process undid, and that are added again, are not the latest. By their letters
	// records stand in the order of their times.
	return kept.sort().slice(-REMEMBERED_DELIVERIES).join('');
}

const textOf = (time: number) =>
	Math.max(0, time - START)
		.toString(36)
		.padStart(TIME_WIDTH, '0');

const timeAt = (seen: Seen, at: number) => START + parseInt(seen.slice(at, at + TIME_WIDTH), 36);
