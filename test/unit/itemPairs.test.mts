/** Which item of a copied proposal stands for which one of the original. The items are made by hand. */
import { describe, expect, it } from 'vitest';
import type { AreaItem } from '../../client/model.ts';
import { differencesOf, matchItems } from '../../nodes/PortalIo/resources/proposal/itemPairs.ts';

const item = (id: number, more: object = {}) =>
	({ id, itemType: 'Part', referencedItemId: 55, quantity: 1, ...more }) as AreaItem;
const pairs = (originals: AreaItem[], copies: AreaItem[]) =>
	[...matchItems(originals, copies)].map(([id, copy]) => [id, copy.id]);
const differences = (original: object, copy: object) =>
	differencesOf([item(1, original)], [item(11, copy)]).map(({ name, value }) => [name, value]);

describe('the items of a copy', () => {
	it('pairs equal items of a copy in the order of their IDs, and leaves out one that is missing', () => {
		expect(pairs([item(1), item(2), item(3)], [item(12), item(11)])).toEqual([
			[1, 11],
			[2, 12],
		]);
		expect(differencesOf([item(1), item(2)], [item(11)])).toEqual([]);
	});

	it.each([
		['type', { itemType: 'Labor' }],
		['catalog item', { referencedItemId: 66 }],
		['parent', { parentId: 10 }],
	])('pairs no items of a copy that have another %s', (_, other) => {
		expect(pairs([item(1)], [item(11, other)])).toEqual([]);
	});

	it('pairs nested items of a copy under the parent that stands for theirs', () => {
		const originals = [
			item(1),
			item(2),
			item(3, { parentId: 2, referencedItemId: 66 }),
			item(4, { parentId: 1, referencedItemId: 66 }),
		];
		const copies = [
			item(11),
			item(12, { parentId: null }),
			item(13, { parentId: 12, referencedItemId: 66 }),
			item(14, { parentId: 11, referencedItemId: 66 }),
		];
		expect(pairs(originals, copies).toSorted()).toEqual([
			[1, 11],
			[2, 12],
			[3, 13],
			[4, 14],
		]);
	});

	it('pairs no nested item with one that is not', () => {
		const nested = item(2, { parentId: 1, referencedItemId: 66 });
		expect(pairs([item(1), nested], [item(11), item(12, { referencedItemId: 66 })])).toEqual([
			[1, 11],
		]);
	});

	it('tells texts, which may be kept otherwise, from other values', () => {
		const found = differencesOf([item(1, { msrp: 9, clientNote: 'New' })], [item(11)]);
		expect(found.map(({ name, isText }) => [name, isText])).toEqual([
			['msrp', false],
			['clientNote', true],
		]);
	});

	it('finds the values that an item of a copy lacks, and leaves amounts that the original leaves out', () => {
		expect(differences({ msrp: 9, total: { isCombinedPrice: true } }, { msrp: 8 })).toEqual([
			['msrp', 9],
			['isCombinedPrice', true],
		]);
		expect(differences({ clientNote: null }, { clientNote: 'Old' })).toEqual([['clientNote', '']]);
		expect(differences({ msrp: null }, { msrp: 8, sellPrice: 7, clientNote: null })).toEqual([]);
	});
});
