/** Which items of a proposal show a change. The items are made by hand. */
import { describe, expect, it } from 'vitest';
import type { ProposalItem } from '../../client/proposal.ts';
import {
	matchItems,
	topLevelIds,
	withNestedItems,
	type ExpectedItem,
} from '../../nodes/PortalIo/resources/item/match.ts';

const item = (id: number, values: object = {}) =>
	({
		id,
		areaOptionId: 11,
		itemType: 'Part',
		referencedItemId: 55,
		quantity: 2,
		lastModifiedDate: '2026-04-14T12:00:00Z',
		...values,
	}) as unknown as ProposalItem;

const newItem = (values: object = {}): ExpectedItem => ({
	name: '',
	values: { areaOptionId: 11, itemType: 'Part', referencedItemId: 55, quantity: 2, ...values },
});

/** The ID of the item for each expected one, and the values that differ. */
const matched = (expected: ExpectedItem[], before: ProposalItem[], after: ProposalItem[]) =>
	matchItems(expected, before, after).map((match) => [match.item?.id, ...match.differences]);

describe('new items', () => {
	const before = [item(1), item(2)];

	it('takes as new the items whose IDs did not exist before, regardless of their dates', () => {
		const dated = item(3, { createdDate: '2019-01-01T00:00:00Z' });
		expect(matched([newItem()], before, [...before, dated])).toEqual([[3]]);
	});

	it('takes no earlier item for a new one, even if all its values are as sent', () => {
		expect(matched([newItem()], before, before)).toEqual([[undefined]]);
	});

	it('matches each new item once, in the order of the IDs', () => {
		const after = [item(4), item(3), ...before];
		expect(matched([newItem(), newItem(), newItem()], before, after)).toEqual([
			[3],
			[4],
			[undefined],
		]);
	});

	it('decides by values if someone else added items at the same moment', () => {
		const theirs = [item(3, { quantity: 9 }), item(4, { areaOptionId: 12 })];
		const after = [...before, ...theirs, item(5)];
		expect(matched([newItem()], before, after)).toEqual([[5]]);
	});

	it('matches all values before it matches the catalog item alone', () => {
		const after = [...before, item(3), item(4, { quantity: 1 })];
		expect(matched([newItem({ quantity: 3 }), newItem()], before, after)).toEqual([
			[4, 'quantity'],
			[3],
		]);
	});

	it('matches no new item of another catalog item', () => {
		const after = [...before, item(3, { referencedItemId: 66 })];
		expect(matched([newItem()], before, after)).toEqual([[undefined]]);
	});

	it.each([
		['areaOptionId', 12],
		['itemType', 'Labor'],
		['quantity', 3],
		['parentId', 1],
	])('reports that a new item does not have the sent %s', (name, value) => {
		expect(matched([newItem({ [name]: value })], before, [...before, item(3)])).toEqual([
			[3, name],
		]);
	});
});

describe('existing items', () => {
	it('matches an existing item by its ID and reports the values that differ', () => {
		const changed = item(1, { cost: 5, total: { isCombinedPrice: true } });
		const values = { quantity: 2, cost: 6, isCombinedPrice: true };
		expect(matched([{ name: '', id: 1, values }], [item(1)], [changed, item(2)])).toEqual([
			[1, 'cost'],
		]);
	});

	it('accepts a new item in place of an existing one only if the change may give it another ID', () => {
		const expected = { name: '', id: 1, values: { areaOptionId: 12 } };
		const moved = item(7, { areaOptionId: 12 });
		expect(matched([expected], [item(1)], [moved])).toEqual([[undefined]]);
		const replacement = { areaOptionId: 12, referencedItemId: 55, quantity: 2 };
		expect(matched([{ ...expected, replacement }], [item(1)], [moved])).toEqual([[7]]);
		expect(matched([{ ...expected, replacement }], [item(1)], [item(1), moved])).toEqual([
			[1, 'areaOptionId'],
		]);
	});

	it.each(['sellPrice', 'cost', 'msrp'])('compares the %s of an item to the cent', (name) => {
		const expected = [{ name: '', id: 1, values: { [name]: 10.014 } }];
		const shown = (amount: number) => [item(1, { [name]: amount })];
		expect(matched(expected, [], shown(10.01))).toEqual([[1]]);
		expect(matched(expected, [], shown(10.02))).toEqual([[1, name]]);
	});

	it('compares the quantity of an item to four decimals', () => {
		const expected = [{ name: '', id: 1, values: { quantity: 2.00004 } }];
		const shown = (quantity: number) => [item(1, { quantity })];
		expect(matched(expected, [], shown(2))).toEqual([[1]]);
		expect(matched(expected, [], shown(2.0001))).toEqual([[1, 'quantity']]);
	});

	const url = 'https://example.com/amp.png';
	const copiedUrl = 'https://images.portal.io/7';
	it.each([
		['the URL that was sent', { imageUrl: url }, {}, []],
		['another URL than before', { imageUrl: copiedUrl }, {}, []],
		[
			'the URL from before, but a later modification',
			{ imageUrl: copiedUrl, lastModifiedDate: '2026-04-14T12:00:01Z' },
			{ imageUrl: copiedUrl },
			[],
		],
		['the same as before', { imageUrl: copiedUrl }, { imageUrl: copiedUrl }, ['imageUrl']],
		['no image', { imageUrl: '' }, { imageUrl: copiedUrl }, ['imageUrl']],
	])('compares the image of an item that shows %s', (_, after, before, differences) => {
		const expected = [{ name: '', id: 1, values: { imageUrl: url } }];
		expect(matched(expected, [item(1, before)], [item(1, after)])).toEqual([[1, ...differences]]);
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
	];

	it('includes items nested at any depth, in any order of IDs', () => {
		expect(withNestedItems(all, [1]).map(({ id }) => id)).toEqual([1, 2, 3]);
	});

	it('leaves out the IDs of items nested under another chosen item', () => {
		expect(topLevelIds(all, [2, 5, 1])).toEqual([5, 1]);
		expect(topLevelIds(all, [2, 3, 4])).toEqual([3, 4]);
	});
});
