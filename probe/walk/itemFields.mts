/** What is changed in a single item. */
import { addItems, freshParts } from './items.mts';
import { isSame, itemsOf, readProposal, type Json, type Walk } from './walk.mts';

/** Reads an item of the probe's proposal. */
export async function readItem(walk: Walk, id: number): Promise<Json> {
	return itemsOf(await readProposal(walk)).find((item) => item.id === id);
}

/** The field of each operation, what is sent, and the member that shows it. */
const FIELDS: [operation: string, field: string, value: (n: number) => unknown, member: string][] =
	[
		['item.updateQuantity', 'Quantity', (n) => n + 2, 'quantity'],
		['item.updateSellPrice', 'SellPrice', (n) => 1234.5 + n, 'sellPrice'],
		['item.updateCost', 'Cost', (n) => 234.5 + n, 'cost'],
		['item.updateMsrp', 'Msrp', (n) => 2345.5 + n, 'msrp'],
		[
			'item.updateShortDescription',
			'ShortDescription',
			(n) => `n8n probe ${n}`,
			'shortDescription',
		],
		['item.updateClientNote', 'ClientNote', (n) => `n8n probe note ${n}`, 'clientNote'],
	];

/** Changes quantity, prices and texts of a part. */
export async function tryFields(walk: Walk): Promise<void> {
	const [item] = await freshParts(walk, 1);
	const ids = { ProposalId: walk.proposalId!, ProposalItemId: item.id };
	for (const [operation, field, value, member] of FIELDS) {
		await walk.probe.try({
			operation,
			ids,
			values: (attempt) => ({ [field]: value(attempt) }),
			hasEffect: async (values) => isSame(values[field], (await readItem(walk, item.id))?.[member]),
		});
	}
	await tryImage(walk, ids);
}

/** A service may keep a copy of a picture under another address. */
async function tryImage(walk: Walk, ids: { ProposalItemId: number }): Promise<void> {
	const read = async () => (await readItem(walk, ids.ProposalItemId))?.imageUrl ?? '';
	let before = '';
	await walk.probe.try({
		operation: 'item.updateImage',
		ids,
		prepare: async () => void (before = await read()),
		values: (attempt) => ({ ImageUrl: `https://example.com/n8n-probe-${attempt}.png` }),
		hasEffect: async () => !['', before].includes(await read()),
	});
}

/** A flag of an item: how to make an item without it, and where to read it. */
interface Flag {
	operation: string;
	field: string;
	make: (walk: Walk) => Promise<Json>;
	read: (item: Json) => unknown;
}

const FLAGS: Flag[] = [
	{
		operation: 'item.updateTaxExempt',
		field: 'IsTaxExempt',
		make: async (walk) => (await freshParts(walk, 1))[0],
		read: (item) => item?.isTaxExempt,
	},
	{
		operation: 'item.updateRecurringService',
		field: 'IsRecurringService',
		make: makeService,
		read: (item) => item?.isRecurringService,
	},
	{
		operation: 'item.updateCombinedPrice',
		field: 'IsCombinedPrice',
		make: makeParent,
		read: (item) => item?.total?.isCombinedPrice,
	},
];

/** A custom item or labor, if the library has one that is no recurring service already. */
async function makeService(walk: Walk): Promise<Json> {
	for (const source of [walk.customItem, walk.labor]) {
		if (source === undefined) continue;
		const [item] = await freshParts(walk, 1, [source]);
		if (item !== undefined && item.isRecurringService !== true) return item;
	}
	return (await freshParts(walk, 1))[0];
}

/** A part with another one nested under it. */
async function makeParent(walk: Walk): Promise<Json> {
	const [parent] = await freshParts(walk, 1);
	const [source] = walk.parts;
	await addItems(walk, [
		{ itemId: source!.id, itemType: 'Part', quantity: 1, parentId: parent?.id },
	]);
	return parent;
}

/**
 * Sets flags. Only true shows that a field was understood, as a service may read a missing one as
 * false; so each attempt has an item without the flag.
 */
export async function tryFlags(walk: Walk): Promise<void> {
	for (const { operation, field, make, read } of FLAGS) {
		const ids = { ProposalId: walk.proposalId!, ProposalItemId: 0 };
		await walk.probe.try({
			operation,
			ids,
			prepare: async () => {
				const current = await readItem(walk, ids.ProposalItemId);
				if (current !== undefined && read(current) !== true) return;
				ids.ProposalItemId = (await make(walk)).id;
			},
			values: () => ({ [field]: true }),
			hasEffect: async () => read(await readItem(walk, ids.ProposalItemId)) === true,
		});
	}
}
