/** Items of a proposal. Nearly all of their requests are assumed, so other names stand beside them. */
import type { Json } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import type { Source } from './catalog.mts';
import {
	addedItems,
	addItems,
	entryOf,
	freshItem,
	freshItems,
	isMadeFrom,
	keepIdsBefore,
	readItem,
	readItems,
	sharedItem,
	type Entry,
} from './makingItems.mts';
import { idsOf, isSame, listIn, memberOf } from './reading.mts';

const needsParts = (count: number) => (probe: Probe) =>
	(probe.kept.parts?.length ?? 0) < count ? 'The catalog does not have enough parts.' : undefined;

const needsOptions = (count: number) => (probe: Probe) =>
	(probe.kept.optionIds?.length ?? 0) < count ? 'There are not enough area options.' : undefined;

/** Whether the entries of `Items` may also be nested, and of another type. */
async function tryOtherEntries(probe: Probe): Promise<void> {
	const { parts, Labor, CustomItem } = probe.kept;
	const [parentId = 0] = await freshItems(probe, 1);
	const entries: Record<string, Entry> = {
		parentId: { ...entryOf(parts[0], 2), parentId },
		...(Labor && { 'itemType Labor': entryOf(Labor, 1.5) }),
		...(CustomItem && { 'itemType CustomItem': entryOf(CustomItem, 1.5) }),
	};
	const accepted: Record<string, string> = {};
	for (const [name, entry] of Object.entries(entries)) {
		const isAdded = (await addItems(probe, [entry])).some((item) => isMadeFrom(item, entry));
		accepted[name] = isAdded ? 'takes effect' : 'no effect';
	}
	probe.facts.entriesOfAddItems = accepted;
}

const adding: Check = {
	operation: 'item.add',
	obstacle: (probe) => needsParts(1)(probe) ?? needsOptions(1)(probe),
	prepare: keepIdsBefore,
	fields: ({ kept: { optionIds, parts } }, attempt) => ({
		AreaOptionId: optionIds[attempt % optionIds.length],
		// By its quantity, each is told from the other.
		Items: parts.slice(0, 2).map((part: Source, n: number) => entryOf(part, attempt + 2 + n)),
	}),
	tookEffect: async (probe, { AreaOptionId, Items }) => {
		const items = await addedItems(probe);
		return (Items as Entry[]).every((entry) =>
			items.some((item) => item.optionId === AreaOptionId && isMadeFrom(item, entry)),
		);
	},
	after: async (probe) => {
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

// ------------------------------------------------------------------ single fields

function field(
	operation: string,
	name: string,
	value: (attempt: number) => unknown,
	otherNames: string[],
): Check {
	return {
		operation,
		prepare: sharedItem,
		fields: (_, attempt) => ({ [name]: value(attempt) }),
		tookEffect: async (probe, sent) =>
			isSame(sent[name], (await readItem(probe))?.[memberOf(name)]),
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
	const isSet = async (probe: Probe) => {
		const item = await readItem(probe);
		return (item?.[memberOf(name)] ?? item?.total?.[memberOf(name)]) === true;
	};
	return {
		operation,
		prepare: async (probe) => {
			const { [operation]: known } = probe.kept;
			probe.own.ProposalItemId = known ?? 0;
			if (known === undefined || (await isSet(probe))) await make(probe);
			probe.kept[operation] = probe.own.ProposalItemId;
		},
		fields: () => ({ [name]: true }),
		tookEffect: isSet,
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
	await addItems(probe, [{ ...entryOf(probe.kept.parts[0], 1), parentId }]);
}

const text = (attempt: number) => `n8n probe ${attempt}`;
const image = (attempt: number) => `https://example.com/n8n-probe-${attempt}.png`;

const fieldChecks: Check[] = [
	field('item.updateQuantity', 'Quantity', (n) => n + 2, ['Qty', 'Count', 'Amount']),
	field('item.updateSellPrice', 'SellPrice', (n) => 1234.5 + n, ['Price', 'Value', 'Amount']),
	field('item.updateCost', 'Cost', (n) => 234.5 + n, ['UnitCost', 'Value', 'Amount', 'Price']),
	field('item.updateMsrp', 'Msrp', (n) => 2345.5 + n, ['Value', 'Amount', 'Price']),
	field('item.updateShortDescription', 'ShortDescription', text, ['Description', 'Text', 'Value']),
	field('item.updateClientNote', 'ClientNote', text, ['Note', 'Notes', 'Text', 'Value']),
	{
		...field('item.updateImage', 'ImageUrl', image, ['Url', 'Image']),
		prepare: async (probe) => {
			await sharedItem(probe);
			probe.kept.imageBefore = (await readItem(probe))?.imageUrl ?? '';
		},
		// A service may keep a copy under another address.
		tookEffect: async (probe) =>
			!['', probe.kept.imageBefore].includes((await readItem(probe))?.imageUrl ?? ''),
	},
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

// ------------------------------------------------------------------ replacing, suppliers, costs

const replacing: Check = {
	operation: 'item.replace',
	obstacle: needsParts(2),
	prepare: async (probe) => {
		await sharedItem(probe);
		const present = (await readItem(probe))?.referencedItemId;
		probe.kept.replacement = probe.kept.parts.find(({ id }: Source) => id !== present).id;
	},
	fields: ({ kept }) => ({ ItemId: kept.replacement }),
	tookEffect: async (probe, { ItemId }) => (await readItem(probe))?.referencedItemId === ItemId,
	otherNames: { ItemId: ['CatalogItemId', 'NewItemId', 'ReferencedItemId', 'ReplacementItemId'] },
};

const supplierChecks: Check[] = [
	{
		operation: 'item.getSuppliers',
		obstacle: ({ own, found }) =>
			(own.ProposalId ?? found.ProposalItemId) ? undefined : 'The proposal has no item to read.',
		prepare: async (probe) => {
			if (probe.own.ProposalId !== undefined) await sharedItem(probe);
		},
		after: async (probe, { data }) => {
			probe.kept.suppliers = listIn(data, 'suppliers');
		},
	},
	{
		operation: 'item.setSupplier',
		obstacle: ({ kept }) =>
			(kept.suppliers ?? []).length < 2 ? 'No item has two suppliers to choose from.' : undefined,
		prepare: async (probe) => {
			await sharedItem(probe);
			const present = (await readItem(probe))?.supplier;
			probe.kept.supplier = probe.kept.suppliers.find(({ name }: Json) => name !== present);
			probe.own.SupplierId = probe.kept.supplier.id;
		},
		tookEffect: async (probe) => (await readItem(probe))?.supplier === probe.kept.supplier.name,
	},
];

const ITEM_IDS = { ProposalItemIds: ['ItemIds', 'Ids', 'ProposalItems', 'Items'] };

/** A cost that no catalog has. */
const ODD_COST = 7.77;

/** Of three items with an odd cost, two are refreshed. */
const refreshing: Check = {
	operation: 'item.refreshCosts',
	prepare: async (probe) => {
		probe.kept.costItems ??= await freshItems(probe, 3);
		for (const ProposalItemId of probe.kept.costItems) {
			await probe.send('item.updateCost', { Cost: ODD_COST }, { ProposalItemId });
		}
	},
	fields: ({ kept }) => ({ ProposalItemIds: kept.costItems.slice(0, 2) }),
	tookEffect: async (probe) => {
		const odd = (await readItems(probe)).filter(({ cost }) => isSame(ODD_COST, cost));
		return isSame(
			probe.kept.costItems.slice(2),
			idsOf(odd).filter((id) => probe.kept.costItems.includes(id)),
		);
	},
	otherNames: ITEM_IDS,
};

// ------------------------------------------------------------------ moving, copying, deleting

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
	// All others are still there.
	tookEffect: async (probe) =>
		isSame(probe.kept.idsBefore.toSorted(), idsOf(await readItems(probe)).toSorted()),
	otherNames: ITEM_IDS,
};

export const itemChecks: Check[] = [
	adding,
	...fieldChecks,
	replacing,
	...supplierChecks,
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
