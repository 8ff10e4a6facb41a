/** Items of a proposal. Nearly all of their requests are assumed, so other names stand beside them. */
import { Unprepared, type Check } from '../check.mts';
import type { Json } from '../model.mts';
import type { Probe } from '../probe.mts';
import { isSame, itemsOf, keepStatus, listIn, readProposal } from './reading.mts';

/** What an item is made from: a part of the catalog, or of the account's library. */
export interface Source {
	id: number;
	itemType: 'Part' | 'Labor' | 'CustomItem';
}

const ITEM_IDS = ['ItemIds', 'Ids', 'ProposalItems', 'Items'];
const TARGET = ['TargetAreaOptionId', 'OptionId', 'TargetOptionId', 'AreaOption'];

const readItems = async (probe: Probe) => itemsOf(await readProposal(probe));

const readItem = async (probe: Probe): Promise<Json> =>
	(await readItems(probe)).find(({ id }) => id === probe.own.ProposalItemId);

const entry = ({ id, itemType }: Source, quantity: number) => ({ itemId: id, itemType, quantity });

type Entry = ReturnType<typeof entry> & { parentId?: number };

const isOf = (item: Json, { itemId, quantity, parentId }: Entry) =>
	isSame(itemId, item.referencedItemId) &&
	isSame(quantity, item.quantity) &&
	(parentId === undefined || item.parentId === parentId);

async function idsBefore(probe: Probe): Promise<void> {
	probe.kept.idsBefore = (await readItems(probe)).map(({ id }) => id);
}

const addedItems = async (probe: Probe): Promise<Json[]> =>
	(await readItems(probe)).filter(({ id }) => !probe.kept.idsBefore.includes(id));

async function addItems(probe: Probe, entries: Entry[]): Promise<Json[]> {
	await idsBefore(probe);
	await probe.send('item.add', { AreaOptionId: probe.own.OptionId, Items: entries });
	return await addedItems(probe);
}

/** Items that nothing was done to, all of the same source unless there are several. */
async function freshItems(probe: Probe, count: number, source?: Source): Promise<Json[]> {
	const { verdict } = probe.reportOf('item.add');
	if (verdict !== 'confirmed' && verdict !== 'differs') {
		throw new Unprepared('No item could be added to try it with.');
	}
	const parts: Source[] = source === undefined ? probe.kept.parts : [source];
	const entries = Array.from({ length: count }, (_, index) =>
		entry(parts[index % parts.length]!, index + 1),
	);
	const items = await addItems(probe, entries);
	if (items.length < count) throw new Unprepared('No item could be added to try it with.');
	return items;
}

async function freshItem(probe: Probe, source?: Source): Promise<void> {
	const [item] = await freshItems(probe, 1, source);
	probe.own.ProposalItemId = item.id;
}

const idsOf = (items: Json[]): number[] => items.map(({ id }) => id);

/** The item of the checks of single fields, made once. */
async function sameItem(probe: Probe): Promise<void> {
	if (probe.kept.item === undefined) {
		await freshItem(probe);
		probe.kept.item = probe.own.ProposalItemId;
	}
	probe.own.ProposalItemId = probe.kept.item;
}

function field(
	operation: string,
	name: string,
	value: (attempt: number) => unknown,
	otherNames: string[],
): Check {
	const member = name.replace(/^./, (first) => first.toLowerCase());
	return {
		operation,
		prepare: sameItem,
		fields: (_, attempt) => ({ [name]: value(attempt) }),
		tookEffect: async (probe, sent) => isSame(sent[name], (await readItem(probe))?.[member]),
		otherNames: { [name]: otherNames },
	};
}

/** Only true shows that a flag was understood, so each attempt has an item without it. */
function flag(
	operation: string,
	name: string,
	otherNames: string[],
	read: (item: Json) => unknown,
	make: (probe: Probe) => Promise<void>,
): Check {
	return {
		operation,
		prepare: async (probe) => {
			const isUsable = probe.kept[operation] === probe.own.ProposalItemId;
			if (!isUsable || read(await readItem(probe)) === true) await make(probe);
			probe.kept[operation] = probe.own.ProposalItemId;
		},
		fields: () => ({ [name]: true }),
		tookEffect: async (probe) => read(await readItem(probe)) === true,
		otherNames: { [name]: otherNames },
	};
}

/** A custom item or labor, as parts are no services. */
async function makeService(probe: Probe): Promise<void> {
	for (const source of [probe.kept.customItem, probe.kept.labor, undefined]) {
		if (source === undefined && probe.kept.parts === undefined) continue;
		await freshItem(probe, source);
		if ((await readItem(probe))?.isRecurringService !== true) return;
	}
}

/** An item with another one nested under it, which alone has a combined price. */
async function makeParent(probe: Probe): Promise<void> {
	await freshItem(probe);
	const { ProposalItemId: parentId = 0 } = probe.own;
	await addItems(probe, [{ ...entry(probe.kept.parts[0], 1), parentId }]);
}

const needsParts = (count: number) => (probe: Probe) =>
	(probe.kept.parts?.length ?? 0) < count
		? `The catalog does not have ${count === 1 ? 'a part' : `${count} parts`} to try it with.`
		: undefined;

const needsOptions = (count: number) => (probe: Probe) =>
	(probe.kept.optionIds?.length ?? 0) < count ? 'No area option could be made for it.' : undefined;

const adding: Check = {
	operation: 'item.add',
	obstacle: (probe) => needsParts(1)(probe) ?? needsOptions(1)(probe),
	prepare: idsBefore,
	fields: ({ kept }, attempt) => ({
		AreaOptionId: kept.optionIds[attempt % kept.optionIds.length],
		Items: kept.parts.slice(0, 2).map((part: Source, index: number) =>
			// The second one needs a quantity of its own to be told from the first.
			entry(part, attempt + 2 + index),
		),
	}),
	tookEffect: async (probe, { AreaOptionId, Items }) => {
		const items = await addedItems(probe);
		return (Items as Entry[]).every((one) =>
			items.some((item) => item.optionId === AreaOptionId && isOf(item, one)),
		);
	},
	after: async (probe, answer) => {
		await keepStatus('item.add')(probe, answer);
		if (probe.reportOf('item.add').verdict !== 'no effect') await tryOtherItems(probe);
	},
	otherNames: {
		AreaOptionId: ['OptionId', 'TargetAreaOptionId'],
		Items: ['ProposalItems', 'CatalogItems'],
		'Items[].itemId': ['catalogItemId', 'id', 'referencedItemId'],
		'Items[].quantity': ['qty'],
		'Items[].itemType': ['type'],
	},
};

/** Whether the entries of `Items` may also be nested, and of another type. */
async function tryOtherItems(probe: Probe): Promise<void> {
	const accepted: Record<string, boolean> = {};
	const [part]: Source[] = probe.kept.parts;
	const [parent] = await freshItems(probe, 1);
	const nested = { ...entry(part!, 2), parentId: parent.id };
	accepted.parentId = (await addItems(probe, [nested])).some((item) => isOf(item, nested));
	for (const source of [probe.kept.labor, probe.kept.customItem]) {
		if (source === undefined) continue;
		const wanted = entry(source, 1.5);
		accepted[source.itemType] = (await addItems(probe, [wanted])).some((item) =>
			isOf(item, wanted),
		);
	}
	probe.facts.itemsAlsoAccepts = accepted;
}

const replacing: Check = {
	operation: 'item.replace',
	obstacle: needsParts(2),
	prepare: async (probe) => {
		await sameItem(probe);
		const present = (await readItem(probe))?.referencedItemId;
		probe.kept.target = probe.kept.parts.find(({ id }: Source) => id !== present).id;
	},
	fields: ({ kept }) => ({ ItemId: kept.target }),
	tookEffect: async (probe, sent) => isSame(sent.ItemId, (await readItem(probe))?.referencedItemId),
	otherNames: { ItemId: ['CatalogItemId', 'NewItemId', 'ReferencedItemId', 'ReplacementItemId'] },
};

const readSuppliers: Check = {
	operation: 'item.getSuppliers',
	obstacle: ({ own, found }) =>
		own.ProposalId === undefined && found.ProposalItemId === undefined
			? 'The proposal has no item to read.'
			: undefined,
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
		const other = probe.kept.suppliers.find(({ name }: Json) => name !== present);
		probe.kept.supplier = other.name;
		probe.own.SupplierId = other.id;
	},
	tookEffect: async (probe) => (await readItem(probe))?.supplier === probe.kept.supplier,
};

/** Costs that no catalog has are set before, in three items, of which two are refreshed. */
const refreshing: Check = {
	operation: 'item.refreshCosts',
	prepare: async (probe) => {
		probe.kept.costItems ??= idsOf(await freshItems(probe, 3));
		for (const ProposalItemId of probe.kept.costItems) {
			await probe.send('item.updateCost', { Cost: 7.77 }, { ProposalItemId });
		}
	},
	fields: ({ kept }) => ({ ProposalItemIds: kept.costItems.slice(0, 2) }),
	tookEffect: async (probe) => {
		const items = await readItems(probe);
		const isOld = (id: number) => isSame(7.77, items.find((item) => item.id === id)?.cost);
		const [one, other, third] = probe.kept.costItems;
		return !isOld(one) && !isOld(other) && isOld(third);
	},
	otherNames: { ProposalItemIds: ITEM_IDS },
};

const moving: Check = {
	operation: 'item.move',
	obstacle: needsOptions(2),
	prepare: async (probe) => {
		probe.kept.moved ??= idsOf(await freshItems(probe, 2));
		const item = (await readItems(probe)).find(({ id }) => id === probe.kept.moved[0]);
		probe.kept.target = probe.kept.optionIds.find((id: number) => id !== item?.optionId);
	},
	fields: ({ kept }) => ({ ProposalItemIds: kept.moved, AreaOptionId: kept.target }),
	tookEffect: async (probe) => {
		const { moved, target } = probe.kept;
		const items = (await readItems(probe)).filter(({ id }) => moved.includes(id));
		return items.length === moved.length && items.every(({ optionId }) => optionId === target);
	},
	otherNames: { ProposalItemIds: ITEM_IDS, AreaOptionId: TARGET },
};

const copying: Check = {
	operation: 'item.copy',
	obstacle: needsOptions(2),
	prepare: async (probe) => {
		probe.kept.copied ??= idsOf(await freshItems(probe, 2));
		await idsBefore(probe);
	},
	fields: ({ kept }) => ({
		ProposalItemIds: kept.copied,
		AreaOptionIds: kept.optionIds.slice(-2),
	}),
	tookEffect: async (probe, { AreaOptionIds }) => {
		const copies = await addedItems(probe);
		const inOption = (id: number) => copies.filter(({ optionId }) => optionId === id).length;
		return (AreaOptionIds as number[]).every((id) => inOption(id) === 2);
	},
	otherNames: {
		ProposalItemIds: ITEM_IDS,
		AreaOptionIds: ['TargetAreaOptionIds', 'OptionIds', 'TargetOptionIds', 'AreaOptions'],
	},
};

const deleting: Check = {
	operation: 'item.delete',
	prepare: async (probe) => {
		const before = idsOf(await readItems(probe));
		probe.kept.deleted = idsOf(await freshItems(probe, 2));
		probe.kept.others = before;
	},
	fields: ({ kept }) => ({ ProposalItemIds: kept.deleted }),
	tookEffect: async (probe) => {
		const rest = idsOf(await readItems(probe));
		const { deleted, others } = probe.kept;
		return (
			!rest.some((id) => deleted.includes(id)) && others.every((id: number) => rest.includes(id))
		);
	},
	otherNames: { ProposalItemIds: ITEM_IDS },
};

const changingImage: Check = {
	operation: 'item.updateImage',
	prepare: async (probe) => {
		await sameItem(probe);
		probe.kept.image = (await readItem(probe))?.imageUrl;
	},
	fields: (_, attempt) => ({ ImageUrl: `https://example.com/n8n-probe-${attempt}.png` }),
	// A service may keep a copy under another address.
	tookEffect: async (probe) =>
		![undefined, null, '', probe.kept.image].includes((await readItem(probe))?.imageUrl),
	otherNames: { ImageUrl: ['Url', 'Image', 'ImageURL'] },
};

const text = (attempt: number) => `n8n probe ${attempt}`;

export const itemChecks: Check[] = [
	adding,
	field('item.updateQuantity', 'Quantity', (n) => n + 2, ['Qty', 'Count', 'Amount']),
	field('item.updateSellPrice', 'SellPrice', (n) => 1234.5 + n, ['Price', 'Value', 'Amount']),
	field('item.updateCost', 'Cost', (n) => 234.5 + n, ['UnitCost', 'Value', 'Amount', 'Price']),
	field('item.updateMsrp', 'Msrp', (n) => 2345.5 + n, ['Value', 'Amount', 'Price']),
	field('item.updateShortDescription', 'ShortDescription', text, ['Description', 'Text', 'Value']),
	field('item.updateClientNote', 'ClientNote', text, ['Note', 'Notes', 'Text', 'Value']),
	changingImage,
	flag(
		'item.updateTaxExempt',
		'IsTaxExempt',
		['TaxExempt', 'IsExempt', 'Value'],
		(item) => item?.isTaxExempt,
		async (probe) => await freshItem(probe),
	),
	flag(
		'item.updateRecurringService',
		'IsRecurringService',
		['RecurringService', 'IsRecurring', 'Value'],
		(item) => item?.isRecurringService,
		makeService,
	),
	flag(
		'item.updateCombinedPrice',
		'IsCombinedPrice',
		['CombinePrice', 'CombinedPrice', 'IsCombined', 'Value'],
		(item) => item?.total?.isCombinedPrice,
		makeParent,
	),
	replacing,
	readSuppliers,
	settingSupplier,
	refreshing,
	moving,
	copying,
	deleting,
];

/** Deletes what the proposal still has; the items below others go with them. */
export async function deleteAllItems(probe: Probe): Promise<boolean> {
	const roots = (await readItems(probe)).filter(({ parentId }) => !parentId);
	if (roots.length > 0) await probe.send('item.delete', { ProposalItemIds: idsOf(roots) });
	return (await readItems(probe)).length === 0;
}
