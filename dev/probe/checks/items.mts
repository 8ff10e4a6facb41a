/** Items of a proposal. Nearly all of their requests are assumed, so other names stand beside them. */
import { isSame } from '../compare.mts';
import type { Json } from '../../simulator/json.mts';
import type { Check, Probe } from '../probe.mts';
import { idsOf, itemsOf, listIn, readProposal, required } from './reading.mts';

// ------------------------------------------------------------------ items to work on

/** An entry of `Items`: made from a part of the catalog, or labor or a custom item of the account. */
interface Entry {
	itemId: number;
	itemType: 'Part' | 'Labor' | 'CustomItem';
	quantity: number;
	parentId?: number;
}

const readItems = async (probe: Probe) => itemsOf(await readProposal(probe));

const readItem = async (probe: Probe): Promise<Json> =>
	(await readItems(probe)).find(({ id }) => id === probe.own.ProposalItemId);

async function keepIdsBefore(probe: Probe): Promise<void> {
	probe.kept.idsBefore = idsOf(await readItems(probe));
}

/** The items that are there since `keepIdsBefore`. */
const addedItems = async (probe: Probe): Promise<Json[]> =>
	(await readItems(probe)).filter(({ id }) => !probe.kept.idsBefore.includes(id));

/** Items that came into the proposal by other means; somebody is asked once to add one. */
async function findItems(probe: Probe, count: number): Promise<Json[]> {
	const { kept, options, name } = probe;
	const isThere = async () => (await readItems(probe)).length > 0;
	if (kept.wasAsked !== true && !(await isThere())) await options.waitForItem?.(name, isThere);
	kept.wasAsked = true;
	const items = await readItems(probe);
	kept.idsBefore = idsOf(items.slice(count));
	return required(items.length > 0 && items.slice(0, count), 'item in the proposal');
}

/** @returns those that were added; those that are there where none can be added */
async function addItems(probe: Probe, entries: Entry[]): Promise<Json[]> {
	if (!probe.isUsable('item.add')) return await findItems(probe, entries.length);
	await keepIdsBefore(probe);
	await probe.send('item.add', { AreaOptionId: probe.own.OptionId, Items: entries });
	return await addedItems(probe);
}

/** Adds items that nothing was done to, in the first option, and works on the last of them. */
const makeItems =
	(count: number, source?: Json) =>
	async (probe: Probe): Promise<void> => {
		const from = source ?? required(probe.kept.parts[0], 'part in the catalog');
		const entries = Array.from({ length: count }, (_, index) => ({ ...from, quantity: index + 1 }));
		const items = idsOf(await addItems(probe, entries));
		probe.kept.items = items;
		probe.own.ProposalItemId = required(items.at(-1), `new item of type ${from.itemType}`);
	};

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
	const { ProposalItemId: parentId } = probe.own;
	const nested = await addItems(probe, [{ ...probe.kept.parts[0], quantity: 1, parentId }]);
	if (!probe.isUsable('item.add')) return;
	required(
		nested.find((item) => item.parentId === parentId),
		'item nested by parentId',
	);
}

// ------------------------------------------------------------------ single fields

/** A field of one item, with the other names that the service may have for it. */
const field = (
	operation: string,
	name: string,
	value: (attempt: number) => unknown,
	otherNames: string[],
	more: Partial<Check> = {},
): Check => ({
	operation,
	prepare: makeItems(1),
	fields: (_, attempt) => ({ [name]: value(attempt) }),
	readBack: readItem,
	otherNames: { [name]: otherNames },
	...more,
});

const text = (attempt: number) => `n8n probe ${attempt}`;
const image = (attempt: number) => `https://example.com/n8n-probe-${attempt}.png`;
const yes = () => true;
const RECURRING = ['RecurringService', 'IsRecurring', 'Value'];
const COMBINED = ['CombinePrice', 'CombinedPrice', 'IsCombined', 'Value'];

const fieldChecks: Check[] = [
	field('item.updateQuantity', 'Quantity', (n) => n + 2, ['Qty', 'Count', 'Amount']),
	field('item.updateSellPrice', 'SellPrice', (n) => 1234.5 + n, ['Price', 'Value', 'Amount']),
	field('item.updateCost', 'Cost', (n) => 234.5 + n, ['UnitCost', 'Value', 'Amount', 'Price']),
	field('item.updateMsrp', 'Msrp', (n) => 2345.5 + n, ['Value', 'Amount', 'Price']),
	field('item.updateShortDescription', 'ShortDescription', text, ['Description', 'Text', 'Value']),
	field('item.updateClientNote', 'ClientNote', text, ['Note', 'Notes', 'Text', 'Value']),
	field('item.updateImage', 'ImageUrl', image, ['Url', 'Image'], {
		prepare: async (probe) => {
			await makeItems(1)(probe);
			probe.kept.imageBefore = (await readItem(probe))?.imageUrl ?? '';
		},
		// A service may keep a copy under another address.
		tookEffect: async (probe) =>
			!['', probe.kept.imageBefore].includes((await readItem(probe))?.imageUrl ?? ''),
	}),
	field('item.updateTaxExempt', 'IsTaxExempt', yes, ['TaxExempt', 'IsExempt', 'Value']),
	field('item.updateRecurringService', 'IsRecurringService', yes, RECURRING, {
		prepare: makeService,
	}),
	field('item.updateCombinedPrice', 'IsCombinedPrice', yes, COMBINED, {
		prepare: makeParent,
		places: { IsCombinedPrice: 'total.isCombinedPrice' },
	}),
];

// ------------------------------------------------------------------ whole items

const ITEM_IDS = { ProposalItemIds: ['ItemIds', 'Ids', 'ProposalItems', 'Items'] };

/** A cost that no catalog has. */
const ODD_COST = 7.77;

export const itemChecks: Check[] = [
	{
		operation: 'item.add',
		prepare: keepIdsBefore,
		fields: ({ kept: { optionIds = [], parts, Labor } }, attempt) => ({
			AreaOptionId: required(optionIds[attempt % optionIds.length], 'area option'),
			// By its quantity, each is told from the other; labor shows whether the type is read.
			Items: [required<Json[]>(parts, 'part in the catalog')[0], Labor ?? parts[1]]
				.filter(Boolean)
				.map((source, index) => ({ ...source, quantity: attempt + 2 + index })),
		}),
		tookEffect: async (probe, { AreaOptionId, Items }) => {
			const items = await addedItems(probe);
			const isLike = (entry: Entry, item: Json, names: (keyof Entry)[]) =>
				item.optionId === AreaOptionId &&
				isSame(entry.itemId, item.referencedItemId) &&
				names.every((name) => isSame(entry[name], item[name]));
			const areThere = (...names: (keyof Entry)[]) =>
				(Items as Entry[]).every((entry) => items.some((item) => isLike(entry, item, names)));
			if (areThere('quantity', 'itemType')) return true;
			return areThere() && ['Items[].quantity (quantity)'];
		},
		otherNames: {
			AreaOptionId: ['OptionId', 'TargetAreaOptionId'],
			Items: ['ProposalItems', 'CatalogItems'],
			'Items[].itemId': ['catalogItemId', 'id', 'referencedItemId'],
			'Items[].quantity': ['qty'],
			'Items[].itemType': ['type'],
		},
	},
	...fieldChecks,
	{
		operation: 'item.replace',
		prepare: makeItems(1),
		fields: ({ kept }) => ({ ItemId: required(kept.parts[1], 'second part').itemId }),
		readBack: readItem,
		places: { ItemId: 'referencedItemId' },
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
			const ids = idsOf(await readItems(probe));
			const { items, idsBefore } = probe.kept;
			const areOthersThere = idsBefore.every((id: number) => ids.includes(id));
			return areOthersThere && !items.some((id: number) => ids.includes(id));
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
