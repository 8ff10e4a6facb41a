/** Finds which of several names, sent side by side, is the one that counts. */
import type { Attempt } from './attempt.mts';
import { lastPart, type Way } from './way.mts';

type Send = (way: Way) => Promise<Attempt>;

const withNames = (way: Way, field: string, names: readonly string[]): Way => ({
	...way,
	names: { ...way.names, [field]: names },
});

const withoutNames = (way: Way, field: string): Way => ({
	...way,
	names: Object.fromEntries(Object.entries(way.names).filter(([name]) => name !== field)),
});

/** Halves the names of one field until one is left. Its own name is asked for first. */
async function narrowField(way: Way, field: string, send: Send): Promise<Way> {
	const own = lastPart(field).toLowerCase();
	const all = way.names[field]!;
	const isOwn = (name: string) => name.toLowerCase() === own;
	const takesEffect = async (names: readonly string[]) =>
		(await send(withNames(way, field, names))).tookEffect;
	const ownNames = all.filter(isOwn);
	if (ownNames.length > 0 && (await takesEffect(ownNames))) {
		return withoutNames(way, field);
	}
	let names = all.filter((name) => !isOwn(name));
	while (names.length > 1) {
		const half = names.slice(0, Math.ceil(names.length / 2));
		names = (await takesEffect(half)) ? half : names.slice(half.length);
	}
	return withNames(way, field, names);
}

const isOwnName = (field: string, [name = '']: readonly string[]) =>
	name.toLowerCase() === lastPart(field).toLowerCase();

/**
 * Whether the read-back shows a field at all: without the field, there must be no effect. Otherwise
 * any name would seem to be right.
 */
async function isSeen(way: Way, field: string, send: Send): Promise<boolean> {
	return !(await send(withNames(way, field, []))).tookEffect;
}

/**
 * From an attempt that took effect to one with a single name for each field, and with nothing else
 * that does not matter.
 *
 * @returns the last attempt, which took effect with exactly its names; undefined when none did
 */
export async function narrow(found: Attempt, send: Send): Promise<Attempt | undefined> {
	let { way } = found;
	const withoutIds = { ...way, ids: [] };
	if (way.ids.length > 0 && (await send(withoutIds)).tookEffect) way = withoutIds;
	for (const [field, names] of Object.entries(found.way.names)) {
		if (names.length > 1) way = await narrowField(way, field, send);
	}
	for (const [field, names] of Object.entries(way.names)) {
		const matters = !isOwnName(field, names) && (await isSeen(way, field, send));
		if (!matters) way = withoutNames(way, field);
	}
	if (JSON.stringify(way) === JSON.stringify(found.way)) return found;
	const last = await send(way);
	return last.tookEffect ? last : undefined;
}
