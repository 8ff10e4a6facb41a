/** Items for the checks to work on: added to the probe's proposal and read back. */
import type { Json } from '../contract.mts';
import { Unprepared, type Probe } from '../probe.mts';
import type { Source } from './catalog.mts';
import { idsOf, isSame, itemsOf, readProposal } from './reading.mts';

/** An entry of `Items`. */
export interface Entry {
	itemId: number;
	itemType: string;
	quantity: number;
	parentId?: number;
}

export const entryOf = ({ id, itemType }: Source, quantity: number): Entry => ({
	itemId: id,
	itemType,
	quantity,
});

export const isMadeFrom = (item: Json, { itemId, quantity, parentId }: Entry) =>
	isSame(itemId, item.referencedItemId) &&
	isSame(quantity, item.quantity) &&
	(parentId === undefined || item.parentId === parentId);

export const readItems = async (probe: Probe) => itemsOf(await readProposal(probe));

export const readItem = async (probe: Probe, id = probe.own.ProposalItemId): Promise<Json> =>
	(await readItems(probe)).find((item) => item.id === id);

export async function keepIdsBefore(probe: Probe): Promise<void> {
	probe.kept.idsBefore = idsOf(await readItems(probe));
}

/** The items that are there since `keepIdsBefore`. */
export const addedItems = async (probe: Probe): Promise<Json[]> =>
	(await readItems(probe)).filter(({ id }) => !probe.kept.idsBefore.includes(id));

export async function addItems(probe: Probe, entries: Entry[]): Promise<Json[]> {
	await keepIdsBefore(probe);
	await probe.send('item.add', { AreaOptionId: probe.own.OptionId, Items: entries });
	return await addedItems(probe);
}

/** Items that nothing was done to, of the parts in turns unless a source is given. */
export async function freshItems(probe: Probe, count: number, source?: Source): Promise<number[]> {
	const sources: Source[] = source === undefined ? probe.kept.parts : [source];
	const entries = Array.from({ length: count }, (_, index) =>
		entryOf(sources[index % sources.length]!, index + 1),
	);
	const items = probe.isUsable('item.add') ? await addItems(probe, entries) : [];
	if (items.length < count) throw new Unprepared('No item could be added to try it with.');
	return idsOf(items);
}

export async function freshItem(probe: Probe, source?: Source): Promise<void> {
	[probe.own.ProposalItemId = 0] = await freshItems(probe, 1, source);
}

/** One item for all checks that can share it. */
export async function sharedItem(probe: Probe): Promise<void> {
	[probe.own.ProposalItemId = 0] = probe.kept.sharedItem ??= await freshItems(probe, 1);
}
