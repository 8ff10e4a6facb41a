/** Tests which items show a requested change, and the error if no item shows it. */
import { describe, expect, it } from 'vitest';
import { PortalError } from '../../client/errors.ts';
import type { ProposalItem } from '../../client/proposal.ts';
import type { ServiceRequest } from '../../client/request.ts';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import {
	compareRows,
	selectWithNested,
	type RequestedItem,
} from '../../nodes/PortalIo/resources/item/checkResult.ts';
import { topLevelIds } from '../../nodes/PortalIo/resources/item/delete.ts';
import { findDifferences } from '../../nodes/PortalIo/resources/item/itemValues.ts';

const item = (id: number, values: object = {}) => ({
	id,
	areaOptionId: 11,
	itemType: 'Part',
	referencedItemId: 55,
	quantity: 2,
	lastModifiedDate: '2026-04-14T12:00:00Z',
	...values,
});

describe('compareRows', () => {
	const before = [item(1), item(2)];

	const newItem = (values: object = {}): RequestedItem => ({
		name: '',
		values: { areaOptionId: 11, itemType: 'Part', referencedItemId: 55, quantity: 2, ...values },
	});

	/** Returns, for each row, the ID of the matching item, followed by the values that differ. */
	const compared = (rows: RequestedItem[], after: object[], existing: object[] = before) =>
		compareRows(rows, existing as ProposalItem[], after as ProposalItem[]).map(
			({ item: found, differences }) => [found?.id, ...differences],
		);

	it('matches an item whose ID did not exist before, regardless of its date', () => {
		const dated = item(3, { createdDate: '2019-01-01T00:00:00Z' });
		expect(compared([newItem()], [...before, dated])).toEqual([[3]]);
	});

	it('never matches an item that existed before', () => {
		expect(compared([newItem()], before)).toEqual([[undefined]]);
	});

	it('matches each new item once, in the order of the IDs', () => {
		const after = [item(4), item(3), ...before];
		const rows = [newItem(), newItem(), newItem()];
		expect(compared(rows, after)).toEqual([[3], [4], [undefined]]);
	});

	it('matches by values if someone else adds items at the same time', () => {
		const theirs = [item(3, { quantity: 9 }), item(4, { areaOptionId: 12 })];
		expect(compared([newItem()], [...before, ...theirs, item(5)])).toEqual([[5]]);
	});

	it('matches the item that differs least', () => {
		const after = [...before, item(3, { quantity: 3 }), item(4, { quantity: 1, parentId: 1 })];
		const rows = [newItem({ parentId: 1 }), newItem({ quantity: 3 })];
		expect(compared(rows, after)).toEqual([[4, 'quantity'], [3]]);
	});

	it('matches an item to a later row if it differs less from that row', () => {
		const after = [...before, item(3, { quantity: 5 })];
		const rows = [newItem({ quantity: 1 }), newItem({ quantity: 5 })];
		expect(compared(rows, after)).toEqual([[undefined], [3]]);
	});

	it('never matches an item with another catalog ID', () => {
		const after = [...before, item(3, { referencedItemId: 66 })];
		expect(compared([newItem()], after)).toEqual([[undefined]]);
	});

	it.each([
		['areaOptionId', 12],
		['itemType', 'Labor'],
		['quantity', 3],
		['parentId', 1],
	])('returns %s if its value in the new item is different', (name, value) => {
		expect(compared([newItem({ [name]: value })], [...before, item(3)])).toEqual([[3, name]]);
	});

	describe('for an item that might have kept its ID', () => {
		const row = { ...newItem({ areaOptionId: 12 }), id: 1 };
		const moved = item(7, { areaOptionId: 12 });

		it('matches the item with the ID, regardless of its values', () => {
			expect(compared([row], [item(1), moved], [item(1)])).toEqual([[1, 'areaOptionId']]);
		});

		it('matches the new item if no item has the ID', () => {
			expect(compared([row], [moved], [item(1)])).toEqual([[7]]);
		});
	});
});

describe('findDifferences', () => {
	const differences = (values: object, sent: object) =>
		findDifferences(item(1, values) as unknown as ProposalItem, sent);

	it('compares only the sent values', () => {
		const values = { cost: 5, total: { isCombinedPrice: true } };
		const sent = { quantity: 2, cost: 6, isCombinedPrice: true };
		expect(differences(values, sent)).toEqual(['cost']);
	});

	it.each(['sellPrice', 'cost', 'msrp'])('compares %s to the cent', (name) => {
		expect(differences({ [name]: 10.01 }, { [name]: 10.014 })).toEqual([]);
		expect(differences({ [name]: 10.02 }, { [name]: 10.014 })).toEqual([name]);
	});

	it('compares quantities rounded to four decimal places', () => {
		expect(differences({ quantity: 2 }, { quantity: 2.00004 })).toEqual([]);
		expect(differences({ quantity: 2.0001 }, { quantity: 2.00004 })).toEqual(['quantity']);
	});
});

describe('nested items', () => {
	// 3 is nested under 1, 2 under 3, and 5 under 4.
	const all = [
		item(5, { parentId: 4 }),
		item(4),
		item(3, { parentId: 1 }),
		item(2, { parentId: 3 }),
		item(1),
	] as unknown as ProposalItem[];

	it('are selected with their parent at any depth', () => {
		expect(selectWithNested(all, [1]).map(({ id }) => id)).toEqual([1, 2, 3]);
	});

	it('are not at the top level if their parent is also chosen', () => {
		expect(topLevelIds(all, [2, 5, 1])).toEqual([5, 1]);
		expect(topLevelIds(all, [2, 3, 4])).toEqual([3, 4]);
	});
});

const proposalWith = (...items: object[]) => ({
	id: 42,
	number: 1021,
	areas: [
		{
			id: 1,
			name: 'Den',
			options: [
				{ id: 11, status: 'Draft', items },
				{ id: 12, status: 'Draft', items: [item(90, { referencedItemId: 66 })] },
			],
		},
	],
});

/**
 * Runs an operation. The change returns `response`, and reads of the proposal return `before` or, after the change,
 * `after`.
 */
async function runChange(
	name: string,
	values: object,
	before: unknown,
	response: unknown,
	after: unknown = before,
) {
	const sent: ServiceRequest[] = [];
	const call = {
		values: { proposalId: 42, options: {}, ...values },
		send: async (request: ServiceRequest) => {
			const hasChanged = sent.some(({ method }) => method !== 'GET');
			sent.push(request);
			if (request.method !== 'GET') return await Promise.resolve(response);
			return await Promise.resolve(hasChanged ? after : before);
		},
	};
	const records = await findOperation('item', name)!.run(call as never);
	const ids = records.map((record) => (record as { id?: unknown }).id);
	return { ids, methods: sent.map(({ method }) => method), sent };
}

const failureOf = async (...change: Parameters<typeof runChange>): Promise<PortalError> =>
	await runChange(...change).then(
		({ ids }) => expect.fail(`It returned the items ${String(ids)}`),
		(error: PortalError) => error,
	);

const row = { catalogItemId: 55, itemType: 'Part', quantity: 2 };
const addition = (count: number, values: object = {}) => ({
	areaOptionId: 11,
	itemsJson: Array.from({ length: count }, () => ({ ...row, ...values })),
});
const items = (count: number) => Array.from({ length: count }, (_, index) => item(index + 1));
const PREFIX = 'Portal.io accepted the request, but ';
const CAN_RUN_AGAIN = /You can safely run the step again\.$/;

describe('the error from adding items', () => {
	it.each([
		['the only item is missing', addition(1), [], 'the item was not added'],
		['one of two rows is missing', addition(2), [item(1)], 'row 2 was not added'],
		[
			'two values differ',
			addition(1, { quantity: 3, parentId: 9 }),
			[item(1)],
			'2 changes did not take effect',
		],
		[
			'a value of each row differs',
			addition(2, { quantity: 3 }),
			items(2),
			'2 changes did not take effect',
		],
	])('describes the failure if %s', async (_, values, after, message) => {
		const error = await failureOf('add', values, proposalWith(), proposalWith(...after));
		expect(error.message).toBe(PREFIX + message);
	});

	it('lists the first ten missing items', async () => {
		const { description } = await failureOf('add', addition(11), proposalWith(), proposalWith());
		expect(description).toMatch(/^(row \d+ was not added\.\n){10}And 1 more\.\n/);
		expect(description).toMatch(CAN_RUN_AGAIN);
	});

	it('lists the first ten new items to delete', async () => {
		const values = addition(11, { quantity: 3 });
		const { description } = await failureOf(
			'add',
			values,
			proposalWith(),
			proposalWith(...items(11)),
		);
		expect(description).toMatch(/New items: 11\.[^]*: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …\.$/);
	});

	it('suggests running the step again instead of deleting an item that existed before', async () => {
		const itemsJson = [row, { ...row, catalogItemId: 77 }];
		const values = { areaOptionId: 11, itemsJson, options: { skipIfPresent: true } };
		const proposal = proposalWith(item(5));
		const { message, description } = await failureOf('add', values, proposal, proposal);
		expect(message).toBe(`${PREFIX}row 2 was not added`);
		expect(description).toMatch(CAN_RUN_AGAIN);
	});
});

describe('the response to a change', () => {
	it.each<[string, object, object[]]>([
		['copy', { itemIds: [1], areaOptionIds: [11] }, [item(1), item(9)]],
		['move', { itemIds: [1], areaOptionId: 11 }, [item(9)]],
		['replace', { itemId: 1, catalogItemId: 55 }, [item(9)]],
	])('shows the item of item.%s under a new ID', async (name, values, after) => {
		const { ids } = await runChange(name, values, proposalWith(item(1)), proposalWith(...after));
		expect(ids).toEqual([9]);
	});

	const move = { itemIds: [1], areaOptionId: 12 };
	const moved = {
		...proposalWith(),
		areas: [{ id: 1, name: 'Den', options: [{ id: 12, status: 'Draft', items: [item(1)] }] }],
	};

	it.each<[string, unknown]>([
		['is empty', ''],
		['is a proposal without areas', { ...proposalWith(), areas: undefined }],
		[
			'is a proposal without items',
			{ id: 42, number: 1021, areas: [{ id: 1, options: [{ id: 2, items: [] }] }] },
		],
		['is another proposal', { ...moved, id: 41 }],
	])('is followed by a read if it %s', async (_, response) => {
		const { ids, methods } = await runChange('move', move, proposalWith(item(1)), response, moved);
		expect(ids).toEqual([1]);
		expect(methods).toEqual(['GET', 'POST', 'GET']);
	});

	it.each([{ maintenance: true }, { id: 42, areas: [] }])(
		'is followed by an error about an unconfirmed change if the read returns %j',
		async (after) => {
			const error = await failureOf('move', move, proposalWith(item(1)), '', after);
			expect(error.doubt).toContain('could not be confirmed');
		},
	);
});

describe('an item from another proposal', () => {
	it.each<[string, object]>([
		['copy', { itemIds: [1, 7], areaOptionIds: [11] }],
		['delete', { itemIds: [1, 7] }],
		['move', { itemIds: [1, 7], areaOptionId: 11 }],
		['replace', { itemId: 7, catalogItemId: 55 }],
	])('stops item.%s before anything is changed', async (name, values) => {
		const methods: string[] = [];
		const call = {
			values: { proposalId: 42, options: {}, ...values },
			send: async ({ method }: ServiceRequest) => {
				methods.push(method);
				return await Promise.resolve(proposalWith(item(1)));
			},
		};
		await expect(findOperation('item', name)!.run(call as never)).rejects.toThrow(
			'Item 7 is not in this proposal',
		);
		expect(methods).toEqual(['GET']);
	});

	it('causes an update to fail, but only after its request was sent', async () => {
		const values = { itemId: 7, updateFields: { quantity: 2 } };
		const { message } = await failureOf('update', values, proposalWith(), proposalWith(item(1)));
		expect(message).toBe(`${PREFIX}item 7 is not in the proposal`);
	});
});

describe('an update', () => {
	const url = 'https://example.com/amp.png';
	const copiedUrl = 'https://images.portal.io/7';
	const later = '2026-04-14T12:00:01Z';

	it.each([
		['the URL that was sent', { imageUrl: url }, {}, undefined],
		['another URL than before', { imageUrl: copiedUrl }, {}, undefined],
		[
			'the URL from before, but a later modification',
			{ imageUrl: copiedUrl, lastModifiedDate: later },
			{ imageUrl: copiedUrl },
			undefined,
		],
		['the URL from before', { imageUrl: copiedUrl }, { imageUrl: copiedUrl }, `is ${copiedUrl}`],
		['no image', { imageUrl: '' }, { imageUrl: copiedUrl }, 'is empty'],
	])('checks whether the image was updated: %s', async (_, after, before, problem) => {
		const values = { itemId: 1, updateFields: { imageUrl: url } };
		const proposals = [before, after].map((image) => proposalWith(item(1, image)));
		const running = runChange('update', values, proposals[0]!, proposals[1]!);
		if (problem === undefined) expect((await running).ids).toEqual([1]);
		else await expect(running).rejects.toThrow(`${PREFIX}'Image URL' ${problem}, not ${url}`);
	});

	it('fails if the item still has the removed image', async () => {
		const before = proposalWith(item(1, { imageUrl: copiedUrl }));
		const after = proposalWith(item(1, { imageUrl: copiedUrl, lastModifiedDate: later }));
		const values = { itemId: 1, updateFields: { imageUrl: '' } };
		const { message } = await failureOf('update', values, before, after);
		expect(message).toBe(`${PREFIX}'Image URL' is ${copiedUrl}, not empty`);
	});

	it('lists the values that were set and those that were not', async () => {
		const values = { itemId: 1, updateFields: { quantity: 2, sellPrice: 5, cost: 9 } };
		const after = proposalWith(item(1, { sellPrice: 5, cost: 8 }));
		const { description } = await failureOf('update', values, after, after);
		expect(description).toMatch(/^Set: 'Quantity', 'Sell Price'\. [^\n]*'Cost'/);
		expect(description).toContain('/42/items/1/cost. ');
	});
});

it('fails if the replacement has a different item type', async () => {
	const values = { itemId: 1, catalogItemId: 55, itemType: 'Labor' };
	const after = proposalWith(item(9));
	const { message } = await failureOf('replace', values, proposalWith(item(1)), after);
	expect(message).toBe(`${PREFIX}'Item Type' is Part, not Labor`);
});

describe('a deletion', () => {
	const nested = [item(2, { parentId: 1 }), item(3, { parentId: 2 })];

	it('sends the ID of a parent without those of its nested items', async () => {
		const before = proposalWith(item(1), ...nested);
		const { sent } = await runChange('delete', { itemIds: [2, 1, 3] }, before, proposalWith());
		expect(sent[1]!.query).toMatchObject({ ProposalItemIds: '1' });
	});

	it.each([
		[[7], 'another item was also deleted: 7'],
		[[7, 8], '2 other items were also deleted: 7, 8'],
	])('fails if unselected items were also deleted: %j', async (ids, message) => {
		const before = proposalWith(item(1), ...nested, ...ids.map((id) => item(id)), item(9));
		const after = proposalWith(item(9));
		const error = await failureOf('delete', { itemIds: [1] }, before, after);
		expect(error.message).toBe(PREFIX + message);
		expect(error.description).not.toMatch(CAN_RUN_AGAIN);
	});

	it('fails with the number of deleted items if some are still there', async () => {
		const before = proposalWith(...items(3));
		const error = await failureOf(
			'delete',
			{ itemIds: [1, 2] },
			before,
			proposalWith(item(2), item(3)),
		);
		expect(error.message).toBe(`${PREFIX}item 2 was not deleted`);
		expect(error.description).toContain('1 of 2');
	});
});

describe("without 'Check Result'", () => {
	const unchecked = { checkResult: false };

	it.each<[string, object]>([
		['add', addition(1)],
		['copy', { itemIds: [1], areaOptionIds: [11] }],
	])('item.%s sends only the change, and returns no items', async (name, values) => {
		const { ids, methods } = await runChange(
			name,
			{ ...values, options: unchecked },
			proposalWith(item(1)),
			proposalWith(item(1), item(2)),
		);
		expect(methods).toEqual(['POST']);
		expect(ids).toEqual([]);
	});

	it.each([
		[[1], [1]],
		[[1, 2], []],
	])(
		'item.move of %j returns the items %j if the response contains only item 1',
		async (itemIds, expected) => {
			const values = { itemIds, areaOptionId: 11, options: unchecked };
			const { ids, methods } = await runChange(
				'move',
				values,
				proposalWith(),
				proposalWith(item(1)),
			);
			expect(ids).toEqual(expected);
			expect(methods).toEqual(['POST']);
		},
	);
});
