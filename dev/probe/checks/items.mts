/** Items of a proposal. Nearly all of their requests are assumed, so other names stand beside them. */
import type { Json } from '../model.mts';
import { type Check, type Probe, Unprepared } from '../probe.mts';
import { isSame, itemsOf, keepStatus, readProposal } from './reading.mts';

/** What an item is made from: a part of the catalog, or of the account's library. */
export interface Source {
	id: number;
	itemType: 'Part' | 'Labor' | 'CustomItem';
}

type Entry = ReturnType<typeof entry> & { parentId?: number };

const entry = ({ id, itemType }: Source, quantity: number) => ({ itemId: id, itemType, quantity });

const isOf = (item: Json, { itemId, quantity, parentId }: Entry) =>
	isSame(itemId, item.referencedItemId) &&
	isSame(quantity, item.quantity) &&
	(parentId === undefined || item.parentId === parentId);

export const readItems = async (probe: Probe) => itemsOf(await readProposal(probe));

export const readItem = async (probe: Probe, id = probe.own.ProposalItemId): Promise<Json> =>
	(await readItems(probe)).find((item) => item.id === id);

export const idsOf = (items: Json[]): number[] => items.map(({ id }) => id);

export async function keepIdsBefore(probe: Probe): Promise<void> {
	probe.kept.idsBefore = idsOf(await readItems(probe));
}

export const addedItems = async (probe: Probe): Promise<Json[]> =>
	(await readItems(probe)).filter(({ id }) => !probe.kept.idsBefore.includes(id));

async function addItems(probe: Probe, entries: Entry[]): Promise<Json[]> {
	await keepIdsBefore(probe);
	await probe.send('item.add', { AreaOptionId: probe.own.OptionId, Items: entries });
	return await addedItems(probe);
}

/** Items that nothing was done to. */
export async function freshItems(probe: Probe, count: number, source?: Source): Promise<number[]> {
	const parts: Source[] = source === undefined ? probe.kept.parts : [source];
	const entries = Array.from({ length: count }, (_, index) =>
		entry(parts[index % parts.length]!, index + 1),
	);
	const items = probe.isUsable('item.add') ? await addItems(probe, entries) : [];
	if (items.length < count) throw new Unprepared('No item could be added to try it with.');
	return idsOf(items);
}

async function freshItem(probe: Probe, source?: Source): Promise<void> {
	[probe.own.ProposalItemId = 0] = await freshItems(probe, 1, source);
}

/** The item of the checks of single fields, made once. */
export async function sameItem(probe: Probe): Promise<void> {
	[probe.own.ProposalItemId = 0] = probe.kept.item ??= await freshItems(probe, 1);
}

export const needsParts = (count: number) => (probe: Probe) =>
	(probe.kept.parts?.length ?? 0) < count ? 'The catalog does not have enough parts.' : undefined;

export const needsOptions = (count: number) => (probe: Probe) =>
	(probe.kept.optionIds?.length ?? 0) < count ? 'There are not enough area options.' : undefined;

const adding: Check = {
	operation: 'item.add',
	obstacle: (probe) => needsParts(1)(probe) ?? needsOptions(1)(probe),
	prepare: keepIdsBefore,
	fields: ({ kept: { optionIds, parts } }, attempt) => ({
		AreaOptionId: optionIds[attempt % optionIds.length],
		// By its quantity, each is told from the other.
		Items: parts.slice(0, 2).map((part: Source, n: number) => entry(part, attempt + 2 + n)),
	}),
	tookEffect: async (probe, { AreaOptionId, Items }) => {
		const items = await addedItems(probe);
		return (Items as Entry[]).every((one) =>
			items.some((item) => item.optionId === AreaOptionId && isOf(item, one)),
		);
	},
	after: async (probe, answer) => {
		await keepStatus('item.add')(probe, answer);
		if (probe.isUsable('item.add')) await tryOtherEntries(probe);
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
async function tryOtherEntries(probe: Probe): Promise<void> {
	const { parts, Labor, CustomItem } = probe.kept;
	const [parentId = 0] = await freshItems(probe, 1);
	const entries: Record<string, Entry> = {
		parentId: { ...entry(parts[0], 2), parentId },
		...(Labor && { Labor: entry(Labor, 1.5) }),
		...(CustomItem && { CustomItem: entry(CustomItem, 1.5) }),
	};
	const accepted: Record<string, boolean> = {};
	for (const [name, one] of Object.entries(entries)) {
		accepted[name] = (await addItems(probe, [one])).some((item) => isOf(item, one));
	}
	probe.facts.itemsAlsoAccepts = accepted;
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
	make: (probe: Probe) => Promise<void> = freshItem,
): Check {
	const member = name.replace(/^./, (first) => first.toLowerCase());
	const isSet = async (probe: Probe, id?: number) => {
		const item = await readItem(probe, id);
		return (item?.[member] ?? item?.total?.[member]) === true;
	};
	return {
		operation,
		prepare: async (probe) => {
			const { [operation]: known } = probe.kept;
			if (known === undefined || (await isSet(probe, known))) await make(probe);
			else probe.own.ProposalItemId = known;
			probe.kept[operation] = probe.own.ProposalItemId;
		},
		fields: () => ({ [name]: true }),
		tookEffect: async (probe) => await isSet(probe),
		otherNames: { [name]: otherNames },
	};
}

/** A custom item or labor, as parts are no services. */
async function makeService(probe: Probe): Promise<void> {
	for (const source of [probe.kept.CustomItem, probe.kept.Labor, undefined]) {
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

const changingImage: Check = {
	...field('item.updateImage', 'ImageUrl', (n) => `https://example.com/n8n-probe-${n}.png`, [
		'Url',
		'Image',
	]),
	prepare: async (probe) => {
		await sameItem(probe);
		probe.kept.image = (await readItem(probe))?.imageUrl ?? '';
	},
	// A service may keep a copy under another address.
	tookEffect: async (probe) =>
		!['', probe.kept.image].includes((await readItem(probe))?.imageUrl ?? ''),
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
	flag('item.updateTaxExempt', 'IsTaxExempt', ['TaxExempt', 'IsExempt', 'Value']),
	flag(
		'item.updateRecurringService',
		'IsRecurringService',
		['RecurringService', 'IsRecurring', 'Value'],
		makeService,
	),
	flag(
		'item.updateCombinedPrice',
		'IsCombinedPrice',
		['CombinePrice', 'CombinedPrice', 'IsCombined', 'Value'],
		makeParent,
	),
];

/** Deletes what the proposal still has; the items below others go with them. */
export async function deleteAllItems(probe: Probe): Promise<boolean> {
	const roots = (await readItems(probe)).filter(({ parentId }) => !parentId);
	if (roots.length > 0) await probe.send('item.delete', { ProposalItemIds: idsOf(roots) });
	return (await readItems(probe)).length === 0;
}
