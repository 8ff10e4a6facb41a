/**
 * The deliveries that were taken, as the static data of a workflow keep them: for each hour (since
 * 1970) one text of keys, each followed by a space.
 *
 * Texts, because n8n reads, wraps and saves static data entry by entry with every delivery.
 */
export type TakenKeys = Record<string, string>;

/** How long a delivery is remembered at least. Portal.io retries for 14 h 36 min. */
export const REMEMBERED_HOURS = 15;
/** How many deliveries of one node are remembered, the latest ones. */
export const REMEMBERED_DELIVERIES = 2000;
/** How many of them stay when there are more: texts that only grow are merged without comparing keys. */
const KEPT_DELIVERIES = 1500;
/** Characters of a key: a collision among 2,000 happens once in 10^11 times. */
export const KEY_LENGTH = 8;

const ENTRY_LENGTH = KEY_LENGTH + 1;
const hourOf = (now: number) => Math.floor(now / 3600);

/** Whether a delivery is among those that were taken. */
export const hasKey = (taken: TakenKeys, key: string): boolean =>
	Object.values(taken).some((keys) => keys.includes(key));

/**
 * Adds a delivery.
 *
 * @param now unix seconds
 */
export function addKey(taken: TakenKeys, key: string, now: number): TakenKeys {
	const hour = hourOf(now);
	return { ...taken, [hour]: `${taken[hour] ?? ''}${key} ` };
}

/**
 * Puts together what is stored and what a process knows, without what no retry can refer to.
 *
 * @param now unix seconds
 */
export function mergeKeys(stored: TakenKeys, known: TakenKeys, now: number): TakenKeys {
	const oldest = hourOf(now) - REMEMBERED_HOURS;
	const merged: TakenKeys = {};
	for (const hour of Object.keys({ ...stored, ...known })) {
		if (Number(hour) >= oldest) merged[hour] = mergeTexts(stored[hour] ?? '', known[hour] ?? '');
	}
	return latest(merged);
}

/** Whether two are the same, key by key. */
export function isSame(one: TakenKeys, other: TakenKeys): boolean {
	const hours = Object.keys({ ...one, ...other });
	return hours.every((hour) => one[hour] === other[hour]);
}

/** What is only stored comes first: this process, or the other one, would have dropped it first. */
function mergeTexts(stored: string, known: string): string {
	if (known.startsWith(stored)) return known;
	return [...new Set(`${stored}${known}`.trimEnd().split(' ')), ''].join(' ');
}

/** Drops the earliest keys if there are too many. */
function latest(taken: TakenKeys): TakenKeys {
	const length = Object.values(taken).join('').length;
	if (length <= REMEMBERED_DELIVERIES * ENTRY_LENGTH) return taken;
	let left = KEPT_DELIVERIES * ENTRY_LENGTH;
	const kept: TakenKeys = {};
	// Hours are whole numbers, so that they stand in their order.
	for (const [hour, keys] of Object.entries(taken).reverse()) {
		if (left > 0) kept[hour] = keys.slice(-left);
		left -= keys.length;
	}
	return kept;
}
