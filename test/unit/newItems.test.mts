/** Which items of a response are the new ones. The responses are made by hand. */
import { describe, expect, it } from 'vitest';
import { nestedItemsWithIds, newItems } from '../../nodes/PortalIo/resources/item/proposalItems.ts';

const item = (id: number, itemType: string, referencedItemId: number) => ({
	id,
	itemType,
	referencedItemId,
	quantity: 1,
});
const proposal = {
	id: 42,
	number: 1021,
	areas: [
		{
			id: 1,
			name: 'Den',
			options: [
				{ id: 11, status: 'Draft', items: [item(101, 'Part', 55), item(104, 'Part', 55)] },
				{ id: 12, status: 'Draft', items: [item(103, 'Labor', 55), item(102, 'Part', 66)] },
			],
		},
	],
};
const part = (areaOptionId: number, referencedItemId: number) => ({
	areaOptionId,
	itemType: 'Part',
	referencedItemId,
});
const ids = (sought: Parameters<typeof newItems>[1]) =>
	newItems(proposal, sought)?.map(({ id }) => id);

describe('the new items', () => {
	it('finds the new items with the highest IDs that fit what was sent', () => {
		expect(ids([part(11, 55)])).toEqual([104]);
		expect(ids([part(11, 55), part(11, 55)])).toEqual([101, 104]);
	});

	it('finds new items by the type that was sent: labor and a part may have the same catalog ID', () => {
		expect(ids([{ ...part(12, 55), itemType: 'Labor' }])).toEqual([103]);
	});

	it('returns all items of the option when none fits, and those that fit when one does', () => {
		expect(ids([part(12, 66), part(12, 55)])).toEqual([102]);
		expect(ids([part(11, 77)])).toEqual([101, 104]);
		expect(ids([part(12, 77)])).toEqual([102, 103]);
		expect(ids([part(11, 66), part(12, 77)])).toEqual([101, 102, 103, 104]);
	});

	it('returns no new items when the option has none, or the response is no proposal', () => {
		expect(ids([part(13, 55)])).toBeUndefined();
		const { areas } = proposal;
		for (const other of [{ ok: true }, { areas }, { id: 42, areas }, { number: 1021, areas }])
			expect(newItems(other, [part(11, 55)])).toBeUndefined();
		expect(newItems({ id: 42, number: 1021, areas: [{ id: 1 }] }, [part(11, 55)])).toBeUndefined();
	});
});

it('finds what is nested under an item whatever the order of the response', () => {
	const nested = [
		{ ...item(3, 'Part', 55), parentId: 2 },
		{ ...item(2, 'Part', 55), parentId: 1 },
		item(4, 'Part', 55),
		item(1, 'Part', 55),
	];
	const areas = [{ id: 1, name: 'Den', options: [{ id: 11, status: 'Draft', items: nested }] }];
	const found = nestedItemsWithIds({ id: 42, number: 1021, areas }, [1]);
	expect(found?.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
});
