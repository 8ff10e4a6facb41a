/** Items of a proposal. Nearly all of their requests are assumed, so other names stand beside them. */
import { isSame, camelCase } from '../compare.mts';
import type { Json } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import {
	addedItems,
	addItems,
	isMadeFrom,
	keepIdsBefore,
	makeItems,
	readItem,
	readItems,
	type Entry,
	type Source,
} from './makingItems.mts';
import { idsOf, listIn, required } from './reading.mts';

/** Whether the entries of `Items` may also be nested, and of another type. */
async function tryOtherEntries(probe: Probe): Promise<void> {
	if (!probe.isUsable('item.add')) return;
	await makeItems(1)(probe);
	const { parts, Labor, CustomItem } = probe.kept;
	const entries: Record<string, Entry> = {
		parentId: { ...parts[0], quantity: 2, parentId: probe.own.ProposalItemId },
		...(Labor && { 'itemType Labor': { ...Labor, quantity: 1.5 } }),
		...(CustomItem && { 'itemType CustomItem': { ...CustomItem, quantity: 1.5 } }),
	};
	const effects: Record<string, string> = {};
	for (const [name, entry] of Object.entries(entries)) {
		const isAdded = (await addItems(probe, [entry])).some((item) => isMadeFrom(item, entry));
		effects[name] = isAdded ? 'takes effect' : 'no effect';
	}
	probe.facts.itemsAddedWith = effects;
}

const adding: Check = {
	operation: 'item.add',
	prepare: keepIdsBefore,
	fields: ({ kept: { optionIds = [], parts } }, attempt) => ({
		AreaOptionId: required(optionIds[attempt % optionIds.length], 'area option'),
		// By its quantity, each is told from the other.
		Items: required<Source[]>(parts, 'part in the catalog')
			.slice(0, 2)
			.map((part, index) => ({ ...part, quantity: attempt + 2 + index })),
	}),
	tookEffect: async (probe, { AreaOptionId, Items }) => {
		const items = await addedItems(probe);
		return (Items as Entry[]).every((entry) =>
			items.some((item) => item.optionId === AreaOptionId && isMadeFrom(item, entry)),
		);
	},
	after: tryOtherEntries,
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
	{ place = camelCase(name), prepare = makeItems(1) } = {},
): Check {
	return {
		...{ operation, prepare, readBack: readItem },
		fields: (_, attempt) => ({ [name]: value(attempt) }),
		proof: { [name]: place },
		otherNames: { [name]: otherNames },
	};
}

/** A custom item or labor, as parts are no services. */
async function makeService(probe: Probe): Promise<void> {
	for (const source of [probe.kept.CustomItem, probe.kept.Labor, undefined]) {
		await makeItems(1, source)(probe);
		if ((await readItem(probe))?.isRecurringService !== true) return;
	}
}

/** An item with another one nested under it, which alone has a combined price. */
async function makeParent(probe: Probe): Promise<void> {
	await makeItems(1)(probe);
	const { ProposalItemId: parentId = 0 } = probe.own;
	await addItems(probe, [{ ...probe.kept.parts[0], quantity: 1, parentId }]);
}

const text = (attempt: number) => `n8n probe ${attempt}`;
const image = (attempt: number) => `https://example.com/n8n-probe-${attempt}.png`;
const yes = () => true;

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
			await makeItems(1)(probe);
			probe.kept.imageBefore = (await readItem(probe))?.imageUrl ?? '';
		},
		// A service may keep a copy under another address.
		tookEffect: async (probe) =>
			!['', probe.kept.imageBefore].includes((await readItem(probe))?.imageUrl ?? ''),
	},
	field('item.updateTaxExempt', 'IsTaxExempt', yes, ['TaxExempt', 'IsExempt', 'Value']),
	field(
		'item.updateRecurringService',
		'IsRecurringService',
		yes,
		['RecurringService', 'IsRecurring', 'Value'],
		{ prepare: makeService },
	),
	field(
		'item.updateCombinedPrice',
		'IsCombinedPrice',
		yes,
		['CombinePrice', 'CombinedPrice', 'IsCombined', 'Value'],
		{ prepare: makeParent, place: 'total.isCombinedPrice' },
	),
];

// ------------------------------------------------------------------ whole items

const ITEM_IDS = { ProposalItemIds: ['ItemIds', 'Ids', 'ProposalItems', 'Items'] };

/** A cost that no catalog has. */
const ODD_COST = 7.77;

export const itemChecks: Check[] = [
	adding,
	...fieldChecks,
	{
		operation: 'item.replace',
		prepare: makeItems(1),
		fields: ({ kept }) => ({ ItemId: required(kept.parts[1], 'second part').itemId }),
		readBack: readItem,
		proof: { ItemId: 'referencedItemId' },
		otherNames: { ItemId: ['CatalogItemId', 'NewItemId', 'ReferencedItemId', 'ReplacementItemId'] },
	},
	{
		operation: 'item.getSuppliers',
		prepare: async (probe) => {
			if (probe.own.ProposalId !== undefined) await makeItems(1)(probe);
		},
		after: async (probe, { data }) => {
			probe.kept.suppliers = listIn(data, 'suppliers');
		},
	},
	{
		operation: 'item.setSupplier',
		prepare: async (probe) => {
			await makeItems(1)(probe);
			const present = (await readItem(probe))?.supplier;
			const other = probe.kept.suppliers?.find(({ name }: Json) => name !== present);
			probe.kept.supplier = required(other, 'second supplier of a part');
			probe.own.SupplierId = other.id;
		},
		tookEffect: async (probe) => (await readItem(probe))?.supplier === probe.kept.supplier.name,
	},
	{
		// Of three items, two are refreshed.
		operation: 'item.refreshCosts',
		prepare: async (probe) => {
			await makeItems(3)(probe);
			for (const ProposalItemId of probe.kept.items) {
				await probe.send('item.updateCost', { Cost: ODD_COST }, { ProposalItemId });
			}
		},
		fields: ({ kept }) => ({ ProposalItemIds: kept.items.slice(0, 2) }),
		tookEffect: async (probe) => {
			const odd = (await addedItems(probe)).filter(({ cost }) => isSame(ODD_COST, cost));
			return isSame(probe.kept.items.slice(2), idsOf(odd));
		},
		otherNames: ITEM_IDS,
	},
	{
		operation: 'item.move',
		prepare: makeItems(2),
		fields: ({ kept: { items, optionIds } }) => ({
			ProposalItemIds: items,
			AreaOptionId: required(optionIds[1], 'second area option'),
		}),
		tookEffect: async (probe, { AreaOptionId }) =>
			(await addedItems(probe)).every(({ optionId }) => optionId === AreaOptionId),
		otherNames: {
			...ITEM_IDS,
			AreaOptionId: ['TargetAreaOptionId', 'OptionId', 'TargetOptionId', 'AreaOption'],
		},
	},
	{
		operation: 'item.copy',
		prepare: async (probe) => {
			await makeItems(2)(probe);
			await keepIdsBefore(probe);
		},
		fields: ({ kept: { items, optionIds } }) => ({
			ProposalItemIds: items,
			AreaOptionIds: optionIds.slice(-2),
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
	},
	{
		operation: 'item.delete',
		prepare: makeItems(2),
		fields: ({ kept }) => ({ ProposalItemIds: kept.items }),
		// All others are still there.
		tookEffect: async (probe) => {
			const sorted = (ids: number[]) => ids.toSorted((one, other) => one - other);
			return isSame(sorted(probe.kept.idsBefore), sorted(idsOf(await readItems(probe))));
		},
		otherNames: ITEM_IDS,
	},
];

/** Deletes what the proposal still has; the items below others go with them. */
export async function deleteAllItems(probe: Probe): Promise<boolean> {
	const roots = (await readItems(probe)).filter(({ parentId }) => !parentId);
	if (roots.length > 0) await probe.send('item.delete', { ProposalItemIds: idsOf(roots) });
	return (await readItems(probe)).length === 0;
}
