/** Runs operations of items with this package's own node, corrected as a report of the probe says. */
import type { IDataObject } from 'n8n-workflow';
import type { Correction } from '../../probe/model.mts';
import { seed, type Simulator } from '../../simulator/index.mts';
import { execute, StoredCredential } from '../../testbed/nodeRunner.mts';

type Control = Simulator['control'];
type Items = Record<number, IDataObject & { option: number }>;
type Fields = Record<string, unknown>;

/** One call of the node, its fields as they go over the wire, and how to see its effect. */
interface Change {
	operation: string;
	parameters: object;
	fields: Fields;
	hasEffect: (before: Items, after: Items) => boolean;
}

const proposalId = seed.proposals.staleWholeHome;
const NEW_COST = 77.25;

/** The items of the proposal by ID, with the option that each is in. */
function itemsOf(control: Control): Items {
	const options = control
		.proposal(proposalId)
		.areas.flatMap((area: { options: { id: number; items?: IDataObject[] }[] }) => area.options);
	return Object.fromEntries(
		options.flatMap(({ id: option, items = [] }: { id: number; items?: IDataObject[] }) =>
			items.map((item) => [
				item.id,
				{ ...item, option, isCombinedPrice: (item.total as IDataObject).isCombinedPrice },
			]),
		),
	);
}

/** What `item.update` sets: its field, the field over the wire, the value, and where to see it. */
const UPDATES: Record<string, [field: string, wire: string, value: unknown, seen: string]> = {
	'item.updateQuantity': ['quantity', 'Quantity', 17, 'quantity'],
	'item.updateSellPrice': ['sellPrice', 'SellPrice', 56.75, 'sellPrice'],
	'item.updateCost': ['cost', 'Cost', 12.25, 'cost'],
	'item.updateMsrp': ['msrp', 'Msrp', 99.5, 'msrp'],
	'item.updateShortDescription': ['shortDescription', 'ShortDescription', 'A', 'shortDescription'],
	'item.updateClientNote': ['clientNote', 'ClientNote', 'A note', 'clientNote'],
	'item.updateTaxExempt': ['isTaxExempt', 'IsTaxExempt', true, 'isTaxExempt'],
	'item.updateRecurringService': [
		'isRecurringService',
		'IsRecurringService',
		true,
		'isRecurringService',
	],
	// The item with others nested under it, the only one that has a combined price, has it already.
	'item.updateCombinedPrice': ['isCombinedPrice', 'IsCombinedPrice', false, 'isCombinedPrice'],
	'item.updateImage': ['imageUrl', 'ImageUrl', 'https://example.com/a.png', 'imageUrl'],
};

function updateOf(name: string, itemId: number): Change | undefined {
	const update = UPDATES[name];
	if (update === undefined) return undefined;
	const [field, wire, value, seen] = update;
	return {
		operation: 'update',
		parameters: { itemId, updateFields: { [field]: value } },
		fields: { [wire]: value },
		hasEffect: (before, after) => before[itemId]![seen] !== value && after[itemId]![seen] === value,
	};
}

/** The other operations, with `count` items where they take several. */
function changeOf(name: string, control: Control, count: number): Change | undefined {
	const all = Object.values(itemsOf(control));
	const itemType = 'Part';
	const parts = all.filter((item) => item.itemType === itemType && item.parentId == null);
	const [first] = parts;
	const ids = parts.slice(0, count).map(({ id }) => Number(id));
	const to = all.find(({ option }) => parts.slice(0, count).every((one) => one.option !== option))!;
	const several = { ProposalItemIds: ids };
	const added = (before: Items, after: Items) =>
		Object.values(after).filter(({ id }) => !(Number(id) in before));
	const catalogItemId = Number(
		parts.find((one) => one.referencedItemId !== first!.referencedItemId)!.referencedItemId,
	);
	const entry = { itemId: catalogItemId, itemType, quantity: 13 };
	const changes: Record<string, Change> = {
		'item.add': {
			operation: 'add',
			parameters: { areaOptionId: to.option, items: { item: [entry] } },
			fields: { AreaOptionId: to.option, Items: [entry] },
			hasEffect: (before, after) => {
				const [one, ...more] = added(before, after);
				return one?.quantity === 13 && one.option === to.option && more.length === 0;
			},
		},
		'item.delete': {
			operation: 'delete',
			parameters: { itemIds: ids.join() },
			fields: several,
			hasEffect: (_before, after) => ids.every((id) => !(id in after)),
		},
		'item.move': {
			operation: 'move',
			parameters: { itemIds: ids.join(), areaOptionId: to.option },
			fields: { ...several, AreaOptionId: to.option },
			hasEffect: (_before, after) => ids.every((id) => after[id]!.option === to.option),
		},
		'item.copy': {
			operation: 'copy',
			parameters: { itemIds: ids.join(), areaOptionIds: String(to.option) },
			fields: { ...several, AreaOptionIds: [to.option] },
			hasEffect: (before, after) =>
				added(before, after).filter(({ option }) => option === to.option).length >= count,
		},
		'item.replace': {
			operation: 'replace',
			parameters: { itemId: first!.id, catalogItemId },
			fields: { ItemId: catalogItemId },
			hasEffect: (before, after) =>
				after[Number(first!.id)]?.referencedItemId === catalogItemId &&
				before[Number(first!.id)]!.referencedItemId !== catalogItemId,
		},
		'item.refreshCosts': {
			operation: 'refreshCosts',
			parameters: { itemIds: ids.join() },
			fields: several,
			// Without a list that it understands, a service may refresh all items.
			hasEffect: (before, after) =>
				Object.entries(after).every(
					([id, { cost }]) =>
						cost === (ids.includes(Number(id)) ? NEW_COST : before[Number(id)]!.cost),
				),
		},
	};
	const parent = parts.find(({ id }) => all.some(({ parentId }) => parentId === id));
	const updated = name === 'item.updateCombinedPrice' ? parent : first;
	return changes[name] ?? updateOf(name, Number(updated!.id));
}

/** A field as a user writes it under Extra Fields: text, lists as the report says. */
function written(field: string, value: unknown, { lists, format, names }: Correction): string {
	if (!Array.isArray(value)) return String(value);
	if (value.every((one) => typeof one === 'object')) {
		return JSON.stringify(value, (name, one) =>
			name === '' || /^\d+$/.test(name) || typeof one !== 'object' ? rename(one) : one,
		);
	}
	if (lists === 'commas') return value.join();
	return lists === 'brackets' || format === 'json' ? JSON.stringify(value) : value.map(String)[0]!;

	function rename(one: unknown): unknown {
		if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
		return Object.fromEntries(
			Object.entries(one).map(([name, inner]) => [names[`${field}[].${name}`] ?? name, inner]),
		);
	}
}

/** The options of the node that a correction stands for. */
function optionsOf(correction: Correction, fields: Fields) {
	const { format, names, lists } = correction;
	const isCorrected = ([name, value]: [string, unknown]) =>
		Object.keys(names).some((ours) => ours.split('[]')[0] === name) ||
		(lists !== undefined && Array.isArray(value));
	const field = Object.entries(fields)
		.filter(isCorrected)
		.map(([name, value]) => ({
			name: names[name] ?? name,
			value: written(name, value, correction),
		}));
	return { bodyFormat: format, extraFields: { field } };
}

/** Which corrections can be set in the node: a path is the package's own. */
export const isSettable = (operation: string, { path }: Correction) =>
	path === undefined && operation.startsWith('item.');

/** Whether an operation has its effect without and with its correction. */
export async function tryCorrection(
	{ url, control }: Simulator,
	name: string,
	correction: Correction,
): Promise<{ without: boolean; with: boolean }> {
	const isList = correction.lists !== undefined || correction.format === 'json';
	const credential = new StoredCredential({
		environment: 'custom',
		baseUrl: url,
		...seed.dealer,
	});
	const attempt = async (isCorrected: boolean) => {
		control.restoreState();
		const change = changeOf(name, control, isList ? 2 : 1);
		if (change === undefined) throw new Error(`No call of ${name}`);
		if (name === 'item.refreshCosts') {
			for (const { referencedItemId } of Object.values(itemsOf(control)))
				if (referencedItemId != null) control.setCatalogCost(Number(referencedItemId), NEW_COST);
		}
		const before = itemsOf(control);
		const { operation, parameters, fields, hasEffect } = change;
		const options = isCorrected ? { options: optionsOf(correction, fields) } : {};
		const sent = execute({
			credential,
			parameters: { resource: 'item', operation, proposalId, ...parameters, ...options } as never,
		});
		// A service that does not understand a request may refuse it, or accept it without effect.
		await (isCorrected ? sent : sent.catch(() => undefined));
		return hasEffect(before, itemsOf(control));
	};
	control.keepState();
	return { without: await attempt(false), with: await attempt(true) };
}
