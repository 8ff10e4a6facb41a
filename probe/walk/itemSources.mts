/** Where an item and its cost come from: another catalog item, another supplier, the catalog. */
import { readItem } from './itemFields.mts';
import { freshParts } from './items.mts';
import { addNote, itemsOf, listIn, readProposal, type Json, type Walk } from './walk.mts';

/** Replaces an item by another one of the catalog. */
export async function tryToReplace(walk: Walk): Promise<void> {
	const { parts } = walk;
	if (parts.length < 2) {
		walk.probe.skip(['item.replace'], 'The catalog has only one part.');
		return;
	}
	const [item] = await freshParts(walk, 1);
	const current = async () => (await readItem(walk, item.id))?.referencedItemId;
	let target: number | undefined;
	await walk.probe.try({
		operation: 'item.replace',
		ids: { ProposalId: walk.proposalId!, ProposalItemId: item.id },
		prepare: async () => {
			const present = await current();
			target = parts.find(({ id }) => id !== present)!.id;
		},
		values: () => ({ ItemId: target }),
		hasEffect: async () => (await current()) === target,
	});
}

/** Reads the suppliers of an item and chooses another one than it has. */
export async function trySuppliers(walk: Walk): Promise<void> {
	const { probe } = walk;
	const [item] = await freshParts(walk, 1);
	const ids = { ProposalId: walk.proposalId!, ProposalItemId: item.id };
	const answer = await probe.try({ operation: 'item.getSuppliers', ids });
	const suppliers = listIn(answer, 'suppliers');
	if (suppliers.length === 0) {
		probe.skip(['item.setSupplier'], 'The item has no supplier to choose.');
		return;
	}
	let chosen: Json;
	const path = { ...ids, SupplierId: 0 };
	let before: Json;
	await probe.try({
		operation: 'item.setSupplier',
		ids: path,
		prepare: async () => {
			before = await readItem(walk, item.id);
			chosen = suppliers.find(({ name }) => name !== before?.supplier) ?? suppliers[0];
			path.SupplierId = chosen.id;
		},
		hasEffect: async () => {
			const now = await readItem(walk, item.id);
			return (
				suppliers.length === 1 || (now.supplier === chosen.name && now.supplier !== before.supplier)
			);
		},
	});
	if (suppliers.length === 1) {
		addNote(walk, 'item.setSupplier', 'The item has one supplier, so the status alone was judged.');
	}
}

/** Has the costs of two of three items set to those of the catalog. */
export async function tryToRefreshCosts(walk: Walk): Promise<void> {
	const { probe } = walk;
	const ProposalId = walk.proposalId!;
	const items = await freshParts(walk, 3);
	const named = items.slice(0, 2).map(({ id }) => id);
	let before: Json[] = [];
	const current = async () => {
		const all = itemsOf(await readProposal(walk));
		return items.map(({ id }) => all.find((item) => item.id === id));
	};
	await probe.try({
		operation: 'item.refreshCosts',
		ids: { ProposalId },
		prepare: async () => {
			for (const { id } of items) {
				await probe.call('item.updateCost', { ProposalId, ProposalItemId: id }, { Cost: 7.77 });
			}
			before = await current();
		},
		values: () => ({ ProposalItemIds: named }),
		hasEffect: async () => {
			const now = await current();
			const isChanged = (item: Json, index: number) =>
				item.cost !== before[index].cost || item.costUpdateDate !== before[index].costUpdateDate;
			return now.every((item, index) => isChanged(item, index) === named.includes(item.id));
		},
	});
}

/** Reads the suppliers of an item that the account has already. */
export async function readSuppliers(walk: Walk): Promise<void> {
	const [item] = itemsOf(await readProposal(walk));
	if (item === undefined) {
		walk.probe.skip(['item.getSuppliers'], 'The proposal has no item to read.');
		return;
	}
	const ids = { ProposalId: walk.proposalId!, ProposalItemId: item.id };
	await walk.probe.try({ operation: 'item.getSuppliers', ids });
}
