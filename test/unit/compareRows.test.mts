/** Which items of a proposal show what a change asked for. The items are made by hand. */
import { describe, expect, it } from 'vitest';
import type { ProposalItem } from '../../client/proposal.ts';
import {
	compareRows,
	selectWithNested,
	type Row,
} from '../../nodes/PortalIo/resources/item/check.ts';
import { topLevelIds } from '../../nodes/PortalIo/resources/item/delete.ts';
import { findDifferences } from '../../nodes/PortalIo/resources/item/values.ts';

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

const newItem = (values: object = {}): Row => ({
	name: '',
	values: { areaOptionId: 11, itemType: 'Part', referencedItemId: 55, quantity: 2, ...values },
});

/** The ID of the item for each row, and the values that differ. */
const compared = (rows: Row[], before: ProposalItem[], after: ProposalItem[]) =>
	compareRows(rows, before, after).map(({ item, differences }) => [item?.id, ...differences]);

describe('new items', () => {
	const before = [item(1), item(2)];

	it('takes as new the items whose IDs did not exist before, regardless of their dates', () => {
		const dated = item(3, { createdDate: '2019-01-01T00:00:00Z' });
		expect(compared([newItem()], before, [...before, dated])).toEqual([[3]]);
	});

	it('takes no earlier item for a new one, even if all its values are as sent', () => {
		expect(compared([newItem()], before, before)).toEqual([[undefined]]);
	});

	it('matches each new item once, in the order of the IDs', () => {
		const after = [item(4), item(3), ...before];
		expect(compared([newItem(), newItem(), newItem()], before, after)).toEqual([
			[3],
			[4],
			[undefined],
		]);
	});

	it('decides by values if someone else added items at the same moment', () => {
		const theirs = [item(3, { quantity: 9 }), item(4, { areaOptionId: 12 })];
		const after = [...before, ...theirs, item(5)];
		expect(compared([newItem()], before, after)).toEqual([[5]]);
	});

	it('takes for each row the item of its catalog item that differs least', () => {
		const after = [...before, item(3, { quantity: 3 }), item(4, { quantity: 1, parentId: 1 })];
		const rows = [newItem({ parentId: 1 }), newItem({ quantity: 3 })];
		expect(compared(rows, before, after)).toEqual([[4, 'quantity'], [3]]);
	});

	it('matches no new item of another catalog item', () => {
		const after = [...before, item(3, { referencedItemId: 66 })];
		expect(compared([newItem()], before, after)).toEqual([[undefined]]);
	});

	it.each([
		['areaOptionId', 12],
		['itemType', 'Labor'],
		['quantity', 3],
		['parentId', 1],
	])('reports that a new item does not have the sent %s', (name, value) => {
		expect(compared([newItem({ [name]: value })], before, [...before, item(3)])).toEqual([
			[3, name],
		]);
	});
});

describe('an item that may have kept its ID', () => {
	const row = { ...newItem({ areaOptionId: 12 }), id: 1 };
	const moved = item(7, { areaOptionId: 12 });

	it('is the item with the ID, whatever its values are', () => {
		expect(compared([row], [item(1)], [item(1), moved])).toEqual([[1, 'areaOptionId']]);
	});

	it('is the new one if no item has the ID', () => {
		expect(compared([row], [item(1)], [moved])).toEqual([[7]]);
	});
});

describe('the values of an item', () => {
	const differences = (values: object, sent: object) => findDifferences(item(1, values), sent);

	it('are compared if they were sent', () => {
		const values = { cost: 5, total: { isCombinedPrice: true } };
		const sent = { quantity: 2, cost: 6, isCombinedPrice: true };
		expect(differences(values, sent)).toEqual(['cost']);
	});

	it.each(['sellPrice', 'cost', 'msrp'])('are compared to the cent: %s', (name) => {
		expect(differences({ [name]: 10.01 }, { [name]: 10.014 })).toEqual([]);
		expect(differences({ [name]: 10.02 }, { [name]: 10.014 })).toEqual([name]);
	});

	it('are compared to four decimals: quantity', () => {
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
	];

	it('includes items nested at any depth, in any order of IDs', () => {
		expect(selectWithNested(all, [1]).map(({ id }) => id)).toEqual([1, 2, 3]);
	});

	it('leaves out the IDs of items nested under another chosen item', () => {
		expect(topLevelIds(all, [2, 5, 1])).toEqual([5, 1]);
		expect(topLevelIds(all, [2, 3, 4])).toEqual([3, 4]);
	});
});
