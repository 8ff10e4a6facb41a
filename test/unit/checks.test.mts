/** What operations on items find of what was asked, in proposals made by hand. */
import { describe, expect, it } from 'vitest';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';

const sentAt = Date.parse('2026-04-14T12:00:00Z');
const before = '2026-04-14T11:00:00Z';
const now = '2026-04-14T12:00:01Z';

const item = (id: number, more: object = {}) => ({
	...{ id, itemType: 'Part', referencedItemId: 55, quantity: 2, createdDate: before },
	...more,
});
const proposalWith = (...items: object[]) => ({
	...{ id: 42, number: 1021 },
	areas: [{ id: 1, name: 'Den', options: [{ id: 11, status: 'Draft', items }] }],
});

/** What a check says of a proposal: '' where all is as it was asked. */
async function said(name: string, values: object, proposal: object) {
	const [resource, operation] = name.split('.') as [string, string];
	const error = (message: string, description: string) =>
		Object.assign(new Error(message), { description });
	const call = { sentAt, error, values: { proposalId: 42, options: {}, ...values } };
	const check = findOperation(resource, operation)!.check!(call as never, proposal);
	return await check.then(
		() => ({ message: '', description: '' }),
		(reason: Error & { description: string }) => ({
			message: reason.message.replace('Portal.io accepted the request, but ', ''),
			description: reason.description,
		}),
	);
}

describe('an addition', () => {
	const row = { itemId: 55, itemType: 'Part', quantity: 2 };
	const added = item(1, { createdDate: now });
	const add = async (rows: object, ...items: object[]) =>
		(await said('item.add', { areaOptionId: 11, ...rows }, proposalWith(...items))).message;

	it.each([
		['of rows that are all there', { items: [row, row] }, [added, { ...added, id: 2 }], ''],
		['of the only row', { items: [row] }, [item(9)], 'the item was not added'],
		['of the second row', { items: [row, row] }, [added], 'row 2 was not added'],
		['given as JSON', { itemsJson: [row, row] }, [added], 'row 2 was not added'],
		['of another item', { items: [{ ...row, itemId: 56 }] }, [added], 'the item was not added'],
		['elsewhere', { areaOptionId: 12, items: [row] }, [added], "'Area Option' is 11, not 12"],
	])('is checked %s', async (_, rows, items, message) => {
		expect(await add(rows, ...items)).toBe(message);
	});

	it('is not looked for elsewhere when its response is of another shape', async () => {
		const areas = [{ id: 1, options: [{ id: 11, items: 'none' }] }];
		const given = { areaOptionId: 11, items: [row] };
		const { message } = await said('item.add', given, { id: 42, number: 1021, areas });
		expect(message).toMatch(/^Unexpected response/);
	});
});

describe('a copy', () => {
	const copyIt = { itemIds: [1], areaOptionIds: [11] };

	it('is another item than the original, which may be as new', async () => {
		const only = await said('item.copy', copyIt, proposalWith(item(1, { createdDate: now })));
		expect(only.message).toBe('item 1 was not copied');
		const both = proposalWith(item(1, { createdDate: now }), item(2, { createdDate: now }));
		expect((await said('item.copy', copyIt, both)).message).toBe('');
	});

	it('is not found where the original is not', async () => {
		const { message } = await said('item.copy', copyIt, proposalWith(item(2)));
		expect(message).toBe('item 1 was not copied');
	});
});

describe('an update', () => {
	const update = async (updateFields: object, more: object) =>
		await said('item.update', { itemId: 1, updateFields }, proposalWith(item(1, more)));

	it.each([
		['a flag that the item leaves out', { isCombinedPrice: false }, {}, ''],
		[
			'a flag that is not set',
			{ isCombinedPrice: true },
			{ total: { isCombinedPrice: false } },
			"'Combined Price' is false, not true",
		],
		['an image that was there', { imageUrl: 'https://x/1' }, { imageUrl: 'https://x/1' }, ''],
		[
			'an image under another URL',
			{ imageUrl: 'https://x/1' },
			{ imageUrl: 'https://y/2', lastModifiedDate: now },
			'',
		],
		[
			'another image that was there before',
			{ imageUrl: 'https://x/1' },
			{ imageUrl: 'https://y/2', lastModifiedDate: before },
			"'Image URL' is https://y/2, not https://x/1",
		],
	])('is checked with %s', async (_, updateFields, more, message) => {
		expect((await update(updateFields, more)).message).toBe(message);
	});

	it('says what was set beside what was not', async () => {
		const { description } = await update(
			{ quantity: 2, sellPrice: 5, cost: 9 },
			{ sellPrice: 5, cost: 8 },
		);
		expect(description).toMatch(/^Set: 'Quantity', 'Sell Price'\.\n/);
	});
});

it.each([
	[10, /^item 1 was not copied\.\n(item \d+ was not copied\.\n){9}Nothing was/],
	[11, /^item 1 was not copied\.\n(item \d+ was not copied\.\n){9}And 1 more\.\nNothing was/],
])('names up to ten of %i things that are not as they were asked', async (count, lines) => {
	const itemIds = Array.from({ length: count }, (_, index) => index + 1);
	const proposal = proposalWith(...itemIds.map((id) => item(id)));
	const values = { itemIds, areaOptionIds: [11] };
	const { message, description } = await said('item.copy', values, proposal);
	expect(message).toBe(`${count} things are not as they were sent`);
	expect(description).toMatch(lines);
});
