/** Items for the checks to work on: added to the probe's proposal and read back. */
import { isSame } from '../compare.mts';
import type { Json } from '../contract.mts';
import type { Probe } from '../probe.mts';
import { NotTried } from '../request.mts';
import { idsOf, itemsOf, required, readProposal } from './reading.mts';

/** What an item is made from: a part of the catalog, or labor or a custom item of the account. */
export interface Source {
	itemId: number;
	itemType: 'Part' | 'Labor' | 'CustomItem';
}

/** An entry of `Items`. */
export interface Entry extends Source {
	quantity: number;
	parentId?: number;
}

/** The items of the proposal, or one of them. */
export const readItems = async (probe: Probe) => itemsOf(await readProposal(probe));

export const readItem = async (probe: Probe): Promise<Json> =>
	(await readItems(probe)).find(({ id }) => id === probe.own.ProposalItemId);

export async function keepIdsBefore(probe: Probe): Promise<void> {
	probe.kept.idsBefore = idsOf(await readItems(probe));
}

/** The items that are there since `keepIdsBefore`. */
export const addedItems = async (probe: Probe): Promise<Json[]> =>
	(await readItems(probe)).filter(({ id }) => !probe.kept.idsBefore.includes(id));

export const isMadeFrom = (item: Json, { itemId, quantity, parentId }: Entry) =>
	isSame(itemId, item.referencedItemId) &&
	isSame(quantity, item.quantity) &&
	(parentId === undefined || item.parentId === parentId);

/** @returns those that were added */
export async function addItems(probe: Probe, entries: Entry[]): Promise<Json[]> {
	if (!probe.isUsable('item.add')) throw new NotTried('No item could be added to try it with.');
	await keepIdsBefore(probe);
	await probe.send('item.add', { AreaOptionId: probe.own.OptionId, Items: entries });
	return await addedItems(probe);
}

/** Adds items that nothing was done to, in the first option. */
export const makeItems =
	(count: number, source?: Source) =>
	async (probe: Probe): Promise<void> => {
		const from = source ?? required(probe.kept.parts[0], 'part in the catalog');
		const entries = Array.from({ length: count }, (_, index) => ({ ...from, quantity: index + 1 }));
		const items = idsOf(await addItems(probe, entries));
		probe.kept.items = items;
		probe.own.ProposalItemId = required(items[count - 1], 'new item');
	};
