/** Whether the items of a proposal are as they were sent. The items are made by hand. */
import { describe, expect, it } from 'vitest';
import type { FoundItem } from '../../nodes/PortalIo/resources/item/checkResult.ts';
import {
	differs,
	isShown,
	lookForNew,
	QUANTITY_TOLERANCE,
} from '../../nodes/PortalIo/resources/item/foundItems.ts';

describe('a value', () => {
	it.each([
		['an amount to the cent', 10.125, 10.13, true],
		['another cent', 10.12, 10.13, false],
		['an absent amount as 0', 0, undefined, true],
		['an amount that is absent', 5, null, false],
		['a flag', true, true, true],
		['an absent flag as false', false, undefined, true],
		['a flag that is absent', true, undefined, false],
		['text with other line ends and spaces', 'One\r\n two ', 'One\ntwo', true],
		['text without its spaces', 'One two', 'Onetwo', false],
		['an absent text as empty', '', null, true],
		['text that is shorter', 'Wall mount', 'Wall', false],
	])('compares a value that was added: %s', (_, sent, found, isEqual) => {
		expect(isShown(sent, found)).toBe(isEqual);
	});

	it.each([
		[1.23456, 1.2346, true],
		[1.2345, 1.2346, false],
	])('compares a quantity to four decimals: %d', (sent, found, isEqual) => {
		expect(isShown(sent, found, QUANTITY_TOLERANCE)).toBe(isEqual);
	});
});

const item = (id: number, more: object = {}) =>
	({
		...{ id, areaOptionId: 11, itemType: 'Part', referencedItemId: 55, quantity: 2 },
		...{ isNew: true, ...more },
	}) as FoundItem;
const row = (name: string, more: object = {}) => ({
	...{ name, areaOptionId: 11, itemType: 'Part', referencedItemId: 55, quantity: 2 },
	...more,
});
const missing = (rows: ReturnType<typeof row>[], items: FoundItem[]) =>
	lookForNew(rows, items, 'added').missing;

it('says of a value that is not there that it is empty', () => {
	const said = ['', null, undefined, 0].map((found) => differs('Name', found, 'Den'));
	expect(said).toEqual([
		...Array.from({ length: 3 }, () => "'Name' is empty, not Den"),
		"'Name' is 0, not Den",
	]);
});

describe('new items', () => {
	it('finds a new item whatever it has that was not asked for', () => {
		expect(missing([row('', { quantity: undefined })], [item(1, { quantity: 7 })])).toEqual([]);
	});

	it('finds new items for equal rows one by one', () => {
		expect(missing([row('row 1'), row('row 2')], [item(1), item(2)])).toEqual([]);
		expect(missing([row('row 1'), row('row 2')], [item(1)])).toEqual(['row 2 was not added']);
	});

	it('takes no items for new that were there before', () => {
		const { missing: named, beforeRepeating } = lookForNew(
			[row('')],
			[item(1, { isNew: false })],
			'added',
		);
		expect(named).toEqual(['the item was not added']);
		expect(beforeRepeating).toContain('they were created before');
	});

	it('finds new items of the type, quantity, parent and option of the row', () => {
		expect(
			missing(
				[row('row 1', { itemType: 'Labor', quantity: 3, parentId: 9 })],
				[item(1, { areaOptionId: 12 })],
			),
		).toEqual([
			"row 1: 'Area Option' is 12, not 11 and 'Item Type' is Part, not Labor and 'Quantity' is 2, not 3 and 'Parent Item' is empty, not 9",
		]);
	});

	it('says of the only new item how it differs, and counts another catalog item as none', () => {
		const only = row('', { quantity: 3, parentId: 9 });
		expect(missing([only], [item(1, { parentId: null })])).toEqual([
			"'Quantity' is 2, not 3 and 'Parent Item' is empty, not 9",
		]);
		expect(missing([only], [item(1, { referencedItemId: 66 })])).toEqual([
			'the item was not added',
		]);
	});

	it('names up to ten new items to delete, from the newest on', () => {
		const advice = (count: number) => {
			const rows = Array.from({ length: count }, (_, index) =>
				row(`row ${index}`, { quantity: 3 }),
			);
			const items = rows.map((_, index) => item(index + 1));
			return lookForNew(rows, items, 'added').beforeRepeating;
		};
		expect(advice(10)).toMatch(/: 10, 9, 8, 7, 6, 5, 4, 3, 2, 1\.$/);
		expect(advice(11)).toMatch(/: 11, 10, 9, 8, 7, 6, 5, 4, 3, 2 …\.$/);
	});

	it('warns of a new item where one of several rows is in the proposal already', () => {
		const old = [item(1, { isNew: false }), item(2, { isNew: false, quantity: 7 })];
		const { beforeRepeating } = lookForNew(
			[row('row 1'), row('row 2', { quantity: 8 })],
			old,
			'added',
		);
		expect(beforeRepeating).toContain('they were created before');
	});

	it('leaves an exact match to the row that asked for it', () => {
		expect(
			missing([row('row 1', { quantity: 5 }), row('row 2')], [item(1), item(2, { quantity: 1 })]),
		).toEqual(["row 1: 'Quantity' is 1, not 5"]);
	});
});
