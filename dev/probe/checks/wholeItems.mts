/** What is done with items as wholes: replacing, moving, copying and deleting them, their suppliers and costs. */
import type { Check } from '../probe.mts';
import type { Json } from '../model.mts';
import {
	addedItems,
	freshItems,
	idsOf,
	keepIdsBefore,
	needsOptions,
	needsParts,
	readItem,
	readItems,
	sameItem,
	type Source,
} from './items.mts';
import { isSame, listIn } from './reading.mts';

const replacing: Check = {
	operation: 'item.replace',
	obstacle: needsParts(2),
	prepare: async (probe) => {
		await sameItem(probe);
		const present = (await readItem(probe))?.referencedItemId;
		probe.kept.target = probe.kept.parts.find(({ id }: Source) => id !== present).id;
	},
	fields: ({ kept }) => ({ ItemId: kept.target }),
	tookEffect: async (probe, { ItemId }) => (await readItem(probe))?.referencedItemId === ItemId,
	otherNames: { ItemId: ['CatalogItemId', 'NewItemId', 'ReferencedItemId', 'ReplacementItemId'] },
};

const readingSuppliers: Check = {
	operation: 'item.getSuppliers',
	obstacle: ({ own, found }) =>
		(own.ProposalId ?? found.ProposalItemId) ? undefined : 'The proposal has no item to read.',
	prepare: async (probe) => {
		if (probe.own.ProposalId !== undefined) await sameItem(probe);
	},
	after: async (probe, { data }) => {
		probe.kept.suppliers = listIn(data, 'suppliers');
	},
};

const settingSupplier: Check = {
	operation: 'item.setSupplier',
	obstacle: ({ kept }) =>
		(kept.suppliers ?? []).length < 2 ? 'No item has two suppliers to choose from.' : undefined,
	prepare: async (probe) => {
		await sameItem(probe);
		const present = (await readItem(probe))?.supplier;
		probe.kept.supplier = probe.kept.suppliers.find(({ name }: Json) => name !== present);
		probe.own.SupplierId = probe.kept.supplier.id;
	},
	tookEffect: async (probe) => (await readItem(probe))?.supplier === probe.kept.supplier.name,
};

const ITEM_IDS = { ProposalItemIds: ['ItemIds', 'Ids', 'ProposalItems', 'Items'] };

/** Of three items with a cost that no catalog has, two are refreshed. */
const refreshing: Check = {
	operation: 'item.refreshCosts',
	prepare: async (probe) => {
		probe.kept.costItems ??= await freshItems(probe, 3);
		for (const ProposalItemId of probe.kept.costItems) {
			await probe.send('item.updateCost', { Cost: 7.77 }, { ProposalItemId });
		}
	},
	fields: ({ kept }) => ({ ProposalItemIds: kept.costItems.slice(0, 2) }),
	tookEffect: async (probe) => {
		const items = await readItems(probe);
		const old = items.filter(({ cost }) => isSame(7.77, cost)).map(({ id }) => id);
		const ids: number[] = probe.kept.costItems;
		return ids.every((id, index) => old.includes(id) === (index === 2));
	},
	otherNames: ITEM_IDS,
};

const moving: Check = {
	operation: 'item.move',
	obstacle: needsOptions(2),
	prepare: async (probe) => {
		probe.kept.moved ??= await freshItems(probe, 2);
		const { optionId } = (await readItem(probe, probe.kept.moved[0])) ?? {};
		probe.kept.target = probe.kept.optionIds.find((id: number) => id !== optionId);
	},
	fields: ({ kept }) => ({ ProposalItemIds: kept.moved, AreaOptionId: kept.target }),
	tookEffect: async (probe, { ProposalItemIds, AreaOptionId }) => {
		const there = (await readItems(probe)).filter(({ optionId }) => optionId === AreaOptionId);
		return (ProposalItemIds as number[]).every((id) => idsOf(there).includes(id));
	},
	otherNames: {
		...ITEM_IDS,
		AreaOptionId: ['TargetAreaOptionId', 'OptionId', 'TargetOptionId', 'AreaOption'],
	},
};

const copying: Check = {
	operation: 'item.copy',
	obstacle: needsOptions(2),
	prepare: async (probe) => {
		probe.kept.copied ??= await freshItems(probe, 2);
		await keepIdsBefore(probe);
	},
	fields: ({ kept }) => ({
		ProposalItemIds: kept.copied,
		AreaOptionIds: kept.optionIds.slice(-2),
	}),
	tookEffect: async (probe, { AreaOptionIds }) => {
		const copies = await addedItems(probe);
		const countIn = (id: number) => copies.filter(({ optionId }) => optionId === id).length;
		return (AreaOptionIds as number[]).every((id) => countIn(id) === 2);
	},
	otherNames: {
		...ITEM_IDS,
		AreaOptionIds: ['TargetAreaOptionIds', 'OptionIds', 'TargetOptionIds', 'AreaOptions'],
	},
};

const deleting: Check = {
	operation: 'item.delete',
	prepare: async (probe) => {
		probe.kept.deleted = await freshItems(probe, 2);
	},
	fields: ({ kept }) => ({ ProposalItemIds: kept.deleted }),
	tookEffect: async (probe, { ProposalItemIds }) => {
		const rest = idsOf(await readItems(probe));
		const { idsBefore }: { idsBefore: number[] } = probe.kept;
		return (
			!(ProposalItemIds as number[]).some((id) => rest.includes(id)) &&
			idsBefore.every((id) => rest.includes(id))
		);
	},
	otherNames: ITEM_IDS,
};

export const wholeItemChecks: Check[] = [
	replacing,
	readingSuppliers,
	settingSupplier,
	refreshing,
	moving,
	copying,
	deleting,
];
