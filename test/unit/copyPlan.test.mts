/** Which changes make a copy like its source. The proposals are made by hand. */
import { describe, expect, it } from 'vitest';
import type { AreaItem, Proposal } from '../../client/model.ts';
import { pairItems, STAGES } from '../../nodes/PortalIo/resources/proposal/copyPlan.ts';

const item = (id: number, more: object = {}) =>
	({ id, itemType: 'Part', referencedItemId: 55, quantity: 1, ...more }) as AreaItem;
const pairs = (originals: AreaItem[], copies: AreaItem[]) =>
	[...pairItems(originals, copies)].map(([id, copy]) => [id, copy.id]).toSorted();
const proposalWith = (id: number, option: object, more: object = {}) =>
	({
		...{ id, number: id, ...more },
		areas: [{ id: id + 1, name: 'Den', options: [{ id: id + 2, items: [], ...option }] }],
	}) as unknown as Proposal;

describe('the items of a copy', () => {
	it.each<[string, AreaItem[], AreaItem[], number[][]]>([
		[
			'equal ones in their order',
			[item(1), item(2), item(3)],
			[item(12), item(11)],
			[
				[1, 11],
				[2, 12],
			],
		],
		['none of another type', [item(1)], [item(11, { itemType: 'Labor' })], []],
		['none of another catalog item', [item(1)], [item(11, { referencedItemId: 66 })], []],
		['none that is nested', [item(1)], [item(11, { parentId: 10 })], []],
		[
			'nested ones under the parent that stands for theirs',
			[
				item(1),
				item(2),
				item(3, { parentId: 2, referencedItemId: 66 }),
				item(4, { parentId: 1, referencedItemId: 66 }),
			],
			[
				item(11),
				item(12, { parentId: null }),
				item(13, { parentId: 12, referencedItemId: 66 }),
				item(14, { parentId: 11, referencedItemId: 66 }),
			],
			[
				[1, 11],
				[2, 12],
				[3, 13],
				[4, 14],
			],
		],
		[
			'no nested one with one that is not',
			[item(1), item(2, { parentId: 1, referencedItemId: 66 })],
			[item(11), item(12, { referencedItemId: 66 })],
			[[1, 11]],
		],
	])('pairs the items of a copy: %s', (_, originals, copies, expected) =>
		expect(pairs(originals, copies)).toEqual(expected),
	);

	it.each<[object, object, [path: string, form: object][]]>([
		[{ sellPrice: 1799.004 }, { sellPrice: 1799 }, []],
		[{ sellPrice: 1799.006 }, { sellPrice: 1799 }, [['sellprice', { SellPrice: 1799.006 }]]],
		[{ quantity: 2.00001 }, { quantity: 2 }, []],
		// In the order of Update.
		[
			{ sellPrice: 9, msrp: 10, quantity: 2 },
			{ sellPrice: 8, msrp: 9 },
			[
				['qty', { Quantity: 2, Qty: 2 }],
				['sellprice', { SellPrice: 9 }],
				['msrp', { Msrp: 10 }],
			],
		],
		[{ msrp: null }, { msrp: 8, sellPrice: 7, cost: 6, clientNote: null }, []],
		[{ cost: 5 }, { cost: 6 }, []],
		[
			{ total: { isCombinedPrice: true } },
			{},
			[['combineprice', { IsCombinedPrice: true, CombinePrice: true }]],
		],
		[{}, { isTaxExempt: true }, [['taxexempt', { IsTaxExempt: false, TaxExempt: false }]]],
		[{ clientNote: null }, { clientNote: 'Old' }, [['note', { ClientNote: '', Note: '' }]]],
		[{ clientNote: 'Ku\u0308che \ud83d' }, { clientNote: 'K\u00fcche \ufffd ' }, []],
	])('gives the items of a copy the values of %j instead of %j', (original, copy, expected) => {
		const source = proposalWith(1, { items: [item(1, original)] });
		const wanted = { source, contactId: undefined, locationId: undefined };
		const changes = STAGES.at(-1)!(wanted, proposalWith(42, { items: [item(11, copy)] }));
		expect(changes.map(({ request: { path, form } }) => [path, form])).toEqual(
			expected.map(([part, form]) => [`/public/proposals/42/items/11/${part}`, form]),
		);
	});
});

it('distinguishes values that Portal.io may reformat from those that it may not', () => {
	const original = item(1, { msrp: 9, clientNote: 'New', imageUrl: 'https://x/1' });
	const source = proposalWith(1, { items: [original], clientDescription: 'Oak' });
	const wanted = { source, contactId: undefined, locationId: undefined };
	const changes = STAGES.at(-1)!(wanted, proposalWith(42, { items: [item(11)] }));
	expect(changes.map(({ failure, mayDiffer }) => [failure, mayDiffer])).toEqual([
		["Portal.io did not set the client description of 'Den', option 1", true],
		["Portal.io did not set the 'MSRP' of item 11", false],
		["Portal.io did not set the 'Client Note' of item 11", true],
		["Portal.io did not set the 'Image URL' of item 11", true],
	]);
});
