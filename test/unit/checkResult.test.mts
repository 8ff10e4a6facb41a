/** The errors of changes of items that the proposal does not show. The proposals are made by hand. */
import { expect, it } from 'vitest';
import type { PortalError } from '../../client/errors.ts';
import type { ServiceRequest } from '../../client/request.ts';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';

const item = (id: number, values: object = {}) => ({
	id,
	itemType: 'Part',
	referencedItemId: 55,
	quantity: 2,
	...values,
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

/** Runs an operation whose change turns the proposal `before` into the proposal `after`. */
async function runChange(name: string, values: object, before: object, after: object) {
	const sent: ServiceRequest[] = [];
	const call = {
		values: { proposalId: 42, options: {}, ...values },
		send: async (request: ServiceRequest) => {
			sent.push(request);
			return await Promise.resolve(request.method === 'GET' ? before : after);
		},
	};
	const records = await findOperation('item', name)!.run(call as never);
	return { ids: records.map((record) => (record as { id?: unknown }).id), sent };
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

it.each([
	['the only item', addition(1), [], 'the item was not added'],
	['one of two rows', addition(2), [item(1)], 'row 2 was not added'],
	[
		'two values',
		addition(1, { quantity: 3, parentId: 9 }),
		[item(1)],
		'2 changes did not take effect',
	],
	['a value of each row', addition(2, { quantity: 3 }), items(2), '2 changes did not take effect'],
])('words the failure of %s', async (_, values, after, message) => {
	const error = await failureOf('add', values, proposalWith(), proposalWith(...after));
	expect(error.message).toBe(PREFIX + message);
});

it.each([
	[10, /^(row \d+ was not added\.\n){10}Proposal 1021 has no new items\.\n/],
	[11, /^(row \d+ was not added\.\n){10}And 1 more\.\nProposal 1021 has no new items\.\n/],
])('names up to ten of %i missing items', async (count, lines) => {
	const { description } = await failureOf('add', addition(count), proposalWith(), proposalWith());
	expect(description).toMatch(lines);
	expect(description).toMatch(/You can safely run the step again\.$/);
});

it.each([
	[10, /: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\.$/],
	[11, /: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …\.$/],
])('names up to ten of %i new items to delete', async (count, end) => {
	const after = proposalWith(...items(count));
	const { description } = await failureOf(
		'add',
		addition(count, { quantity: 3 }),
		proposalWith(),
		after,
	);
	expect(description).toContain(`New items: ${count}.`);
	expect(description).toMatch(end);
});

it('names no item to delete that existed before', async () => {
	const itemsJson = [row, { ...row, catalogItemId: 77 }];
	const values = { areaOptionId: 11, itemsJson, options: { skipIfPresent: true } };
	const { message, description } = await failureOf(
		'add',
		values,
		proposalWith(item(5)),
		proposalWith(item(5)),
	);
	expect(message).toBe(`${PREFIX}row 2 was not added`);
	expect(description).toMatch(/You can safely run the step again\.$/);
});

it.each<[string, object, object[]]>([
	['copy', { itemIds: [1], areaOptionIds: [11] }, [item(1), item(9)]],
	['move', { itemIds: [1], areaOptionId: 11 }, [item(9)]],
	['replace', { itemId: 1, catalogItemId: 55 }, [item(9)]],
])('returns from %s the item that has a new ID', async (name, values, after) => {
	const { ids } = await runChange(name, values, proposalWith(item(1)), proposalWith(...after));
	expect(ids).toEqual([9]);
});

it.each<[string, object]>([
	['copy', { itemIds: [1, 7], areaOptionIds: [11] }],
	['delete', { itemIds: [1, 7] }],
	['move', { itemIds: [1, 7], areaOptionId: 11 }],
	['replace', { itemId: 7, catalogItemId: 55 }],
])('sends nothing of %s for an item of another proposal', async (name, values) => {
	const sent: string[] = [];
	const call = {
		values: { proposalId: 42, options: {}, ...values },
		send: async ({ method }: ServiceRequest) => {
			sent.push(method);
			return await Promise.resolve(proposalWith(item(1)));
		},
	};
	await expect(findOperation('item', name)!.run(call as never)).rejects.toThrow(
		"Item 7 isn't in this proposal",
	);
	expect(sent).toEqual(['GET']);
});

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
])('compares the image of an item that shows %s', async (_, after, before, problem) => {
	const updateFields = { imageUrl: url };
	const proposals = [before, after].map((values) => proposalWith(item(1, values)));
	const running = runChange('update', { itemId: 1, updateFields }, proposals[0]!, proposals[1]!);
	if (problem === undefined) expect((await running).ids).toEqual([1]);
	else await expect(running).rejects.toThrow(`${PREFIX}'Image URL' ${problem}, not ${url}`);
});

it('fails if an image is still there after it was removed', async () => {
	const shown = proposalWith(item(1, { imageUrl: copiedUrl, lastModifiedDate: later }));
	const { message } = await failureOf(
		'update',
		{ itemId: 1, updateFields: { imageUrl: '' } },
		proposalWith(item(1, { imageUrl: copiedUrl })),
		shown,
	);
	expect(message).toBe(`${PREFIX}'Image URL' is ${copiedUrl}, not empty`);
});

it('names what an update has and has not set, and the request', async () => {
	const updateFields = { quantity: 2, sellPrice: 5, cost: 9 };
	const after = proposalWith(item(1, { sellPrice: 5, cost: 8 }));
	const error = await failureOf('update', { itemId: 1, updateFields }, after, after);
	expect(error.description).toMatch(
		/^Set: 'Quantity', 'Sell Price'\. The request may have changed 'Cost' to another value, or someone else did at the same moment: check the item in Portal\.io\.\n.+\/42\/items\/1\/cost\. /,
	);
	const missing = await failureOf('update', { itemId: 7, updateFields }, after, after);
	expect(missing.message).toBe(`${PREFIX}item 7 is not in the proposal`);
});

it.each<[string, object, unknown]>([
	['add', addition(1), proposalWith(item(1), item(2))],
	['copy', { itemIds: [1], areaOptionIds: [11] }, proposalWith(item(1), item(2))],
])(
	'reads nothing before %s if Check Result is off, and takes no item of the response for a new one',
	async (name, values, after) => {
		const unchecked = { ...values, options: { checkResult: false } };
		const { ids, sent } = await runChange(name, unchecked, proposalWith(item(1)), after as object);
		expect(sent.map(({ method }) => method)).toEqual(['POST']);
		expect(ids).toEqual([]);
	},
);

it('returns from an unchecked move the items that the response shows by their IDs', async () => {
	const values = { itemIds: [1], areaOptionId: 11, options: { checkResult: false } };
	const { ids, sent } = await runChange('move', values, proposalWith(), proposalWith(item(1)));
	expect(ids).toEqual([1]);
	expect(sent.map(({ method }) => method)).toEqual(['POST']);
	const partial = { ...values, itemIds: [1, 2] };
	const { ids: unconfirmed } = await runChange('move', partial, {}, proposalWith(item(1)));
	expect(unconfirmed).toEqual([]);
});

it('deletes nested items with their parent, and sends the ID of the parent alone', async () => {
	const nested = [item(2, { parentId: 1 }), item(3, { parentId: 2 })];
	const { sent } = await runChange(
		'delete',
		{ itemIds: [2, 1, 3] },
		proposalWith(item(1), ...nested),
		proposalWith(),
	);
	expect(sent[1]!.query).toMatchObject({ ProposalItemIds: '1' });
});
