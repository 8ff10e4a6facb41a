/** Adding items, and what is done with several of them at once. */
import { Unprepared } from '../probe.mts';
import { isSame, itemsOf, keepStatus, readProposal } from './walk.mts';
import { addNote, type Json, type Source, type Walk } from './walk.mts';

/** An entry of `Items`. */
const entry = ({ id, itemType }: Source, quantity: number, parentId?: number) => ({
	itemId: id,
	itemType,
	quantity,
	...(parentId === undefined ? {} : { parentId }),
});

type Entry = ReturnType<typeof entry>;

const isOf = (item: Json, { itemId, quantity, parentId }: Entry) =>
	isSame(itemId, item.referencedItemId) &&
	isSame(quantity, item.quantity) &&
	(parentId === undefined || item.parentId === parentId);

/** The items that a proposal has now and did not have. */
const added = async (walk: Walk, before: Json[]) =>
	itemsOf(await readProposal(walk)).filter(({ id }) => !before.some((one) => one.id === id));

/** Adds items in the way that was learned, to the first option; returns those that are new. */
export async function addItems(walk: Walk, entries: Entry[]): Promise<Json[]> {
	const before = itemsOf(await readProposal(walk));
	await walk.probe.call(
		'item.add',
		{ ProposalId: walk.proposalId! },
		{ AreaOptionId: walk.optionIds[0], Items: entries },
	);
	return await added(walk, before);
}

/** Parts that nothing was done to, one in each entry. */
export async function freshParts(walk: Walk, count: number, sources = walk.parts): Promise<Json[]> {
	const entries = Array.from({ length: count }, (_, index) =>
		entry(sources[index % sources.length]!, index + 1),
	);
	const items = await addItems(walk, entries);
	if (items.length < count) throw new Unprepared('No item could be added for it.');
	return items;
}

/** Tries to add two items to the first option. */
export async function tryToAdd(walk: Walk): Promise<void> {
	const { parts, optionIds } = walk;
	const [first, second = first] = parts;
	const answer = await tryAdding(walk, (attempt) => ({
		AreaOptionId: optionIds[attempt % optionIds.length],
		Items: [entry(first!, attempt + 2), entry(second!, attempt + 3)],
	}));
	keepStatus(walk, 'item.add', answer);
	if (answer === undefined) return;
	await tryToNest(walk, first!);
	await tryOtherTypes(walk);
}

/** Whether an item can be nested under another one, with what was learned of adding, else anew. */
async function tryToNest(walk: Walk, source: Source): Promise<void> {
	const { probe } = walk;
	const [parent] = await freshParts(walk, 1);
	const nested = entry(source, 2, parent?.id);
	if ((await addItems(walk, [nested])).some((item) => isOf(item, nested))) return;
	const learned = structuredClone(probe.endpoints.get('item.add')!);
	const answer = await tryAdding(walk, (attempt) => ({
		AreaOptionId: walk.optionIds[0],
		Items: [entry(source, attempt + 2, parent?.id)],
	}));
	if (answer !== undefined) return;
	probe.endpoints.set('item.add', { ...learned, verdict: 'differs' });
	addNote(walk, 'item.add', 'Items are added, but parentId has no effect.');
}

/** Tries to add items to an option; it has an effect when each of them is there then. */
async function tryAdding(
	walk: Walk,
	values: (attempt: number) => { AreaOptionId: number | undefined; Items: Entry[] },
) {
	let before: Json[] = [];
	return await walk.probe.try({
		operation: 'item.add',
		ids: { ProposalId: walk.proposalId! },
		prepare: async () => void (before = itemsOf(await readProposal(walk))),
		values,
		hasEffect: async ({ AreaOptionId, Items }) => {
			const items = await added(walk, before);
			return (Items as Entry[]).every((one) =>
				items.some((item) => item.optionId === AreaOptionId && isOf(item, one)),
			);
		},
	});
}

/** Whether labor and custom items can be added, too. */
async function tryOtherTypes(walk: Walk): Promise<void> {
	const types: Record<string, boolean> = {};
	for (const source of [walk.labor, walk.customItem]) {
		if (source === undefined) continue;
		const wanted = entry(source, 1.5);
		const items = await addItems(walk, [wanted]);
		types[source.itemType] = items.some((item) => isOf(item, wanted));
	}
	walk.probe.facts.otherItemTypes = types;
}

const idsOf = (items: Json[]) => items.map(({ id }) => id);

/** Moves two items to another option. */
export async function tryToMove(walk: Walk): Promise<void> {
	const { optionIds } = walk;
	if (optionIds.length < 2) {
		walk.probe.skip(['item.move'], 'There is no other option to move items to.');
		return;
	}
	const ids = idsOf(await freshParts(walk, 2));
	const placesOf = async () =>
		itemsOf(await readProposal(walk)).filter((item) => ids.includes(item.id));
	let target: number | undefined;
	await walk.probe.try({
		operation: 'item.move',
		ids: { ProposalId: walk.proposalId! },
		prepare: async () => {
			const taken = (await placesOf()).map(({ optionId }) => optionId);
			target = optionIds.find((id) => !taken.includes(id)) ?? optionIds[1];
		},
		values: () => ({ ProposalItemIds: ids, AreaOptionId: target }),
		hasEffect: async () => {
			const items = await placesOf();
			return items.length === ids.length && items.every(({ optionId }) => optionId === target);
		},
	});
}

/** Copies two items to two options. */
export async function tryToCopy(walk: Walk): Promise<void> {
	const items = await freshParts(walk, 2);
	const targets = walk.optionIds.slice(-2);
	let before: Json[] = [];
	await walk.probe.try({
		operation: 'item.copy',
		ids: { ProposalId: walk.proposalId! },
		prepare: async () => void (before = itemsOf(await readProposal(walk))),
		values: () => ({ ProposalItemIds: idsOf(items), AreaOptionIds: targets }),
		hasEffect: async () => {
			const copies = await added(walk, before);
			return targets.every((id) => copies.filter((one) => one.optionId === id).length === 2);
		},
	});
}

/** Deletes two items, and none but them. */
export async function tryToDelete(walk: Walk): Promise<void> {
	let doomed: number[] = [];
	let others: number[] = [];
	await walk.probe.try({
		operation: 'item.delete',
		ids: { ProposalId: walk.proposalId! },
		prepare: async () => {
			others = idsOf(itemsOf(await readProposal(walk)));
			doomed = idsOf(await freshParts(walk, 2));
		},
		values: () => ({ ProposalItemIds: doomed }),
		hasEffect: async () => {
			const rest = idsOf(itemsOf(await readProposal(walk)));
			return !rest.some((id) => doomed.includes(id)) && others.every((id) => rest.includes(id));
		},
	});
}

/** Deletes what the probe's proposal still has, and says whether that worked. */
export async function deleteAllItems(walk: Walk): Promise<boolean> {
	const roots = itemsOf(await readProposal(walk)).filter(
		({ parentId }) => parentId === undefined || parentId === null,
	);
	if (roots.length === 0) return true;
	const ids = { ProposalId: walk.proposalId! };
	await walk.probe.call('item.delete', ids, { ProposalItemIds: idsOf(roots) });
	return itemsOf(await readProposal(walk)).length === 0;
}
