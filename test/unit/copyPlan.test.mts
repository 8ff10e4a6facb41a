/** Which changes make a copy like its source. The proposals are made by hand. */
import { expect, it } from 'vitest';
import type { AreaItem, Proposal } from '../../client/proposal.ts';
import { pairItems, STAGES } from '../../nodes/PortalIo/resources/proposal/copyPlan.ts';

const item = (id: number, more: object = {}) =>
	({ id, itemType: 'Part', referencedItemId: 55, quantity: 1, ...more }) as AreaItem;
const nested = (id: number, parentId?: number) => item(id, { parentId, referencedItemId: 66 });

const proposalWith = (id: number, option: object) =>
	({
		id,
		number: id,
		areas: [
			{
				id: id + 1,
				name: 'Den',
				options: [
					{
						id: id + 2,
						...option,
					},
				],
			},
		],
	}) as unknown as Proposal;
const goalFor = (source: Proposal) => ({
	source,
	contactId: undefined,
	locationId: undefined,
});
const planValues = (original: object, copy: object) =>
	STAGES.slice(5).flatMap((stage) =>
		stage(goalFor(proposalWith(1, original)), proposalWith(42, copy)),
	);

it('adds an area for each of two with the same name, and says what to do if it is rejected', () => {
	const areas = ['Den', 'Hall', 'DEN'].map((name, id) => ({ id, name, options: [] }));
	const source = { ...proposalWith(1, {}), areas };
	const added = STAGES[2]!(goalFor(source), { ...proposalWith(42, {}), areas: [] });
	expect(added.map(({ request, advice }) => [request.form, advice])).toEqual([
		[{ Name: 'Den' }, expect.stringContaining('has 2 areas named')],
		[{ Name: 'Hall' }, ''],
		[{ Name: 'DEN' }, expect.stringContaining('rename it in the source proposal')],
	]);
	const copied = { ...proposalWith(42, {}), areas: [{ id: 8, name: 'Den', options: [] }] };
	const missing = STAGES[2]!(goalFor(source), copied);
	expect(missing.map(({ request }) => request.form)).toEqual([{ Name: 'Hall' }, { Name: 'DEN' }]);
});

it('pairs areas of the same name once each, in the order in which they were added', () => {
	const areasWith = (first: number, ...quantities: number[]) =>
		quantities.map((quantity, index) => ({
			id: first + index,
			name: 'Den',
			options: [{ id: first + index, items: [item(first + index, { quantity })] }],
		}));
	const source = { ...proposalWith(1, {}), areas: areasWith(10, 1, 5) };
	const plan = (copies: object[]) =>
		STAGES.flatMap((stage) =>
			stage(goalFor(source), { ...proposalWith(42, {}), areas: copies }),
		).map(({ request: { path, form } }) => [path, form!.Quantity]);
	// Portal.io may list them in any order.
	const [first, second] = areasWith(20, 1, 5);
	expect(plan([second!, first!])).toEqual([]);
	const [unset] = areasWith(21, 1);
	expect(plan([unset!, first!])).toEqual([['/public/proposals/42/items/21/qty', 5]]);
});

it.each<[string, AreaItem[], AreaItem[], string]>([
	['equal ones in their order', [item(1), item(2), item(3)], [item(12), item(11)], '1-11 2-12'],
	['none of another type', [item(1)], [item(11, { itemType: 'Labor' })], ''],
	['none of another catalog item', [item(1)], [nested(11)], ''],
	['none that is nested', [item(1)], [item(11, { parentId: 10 })], ''],
	[
		'nested ones under the parent that stands for theirs',
		[item(1), item(2), nested(3, 2), nested(4, 1)],
		[item(11), item(12, { parentId: null }), nested(13, 12), nested(14, 11)],
		'1-11 2-12 3-13 4-14',
	],
	['no nested one with another', [item(1), nested(2, 1)], [item(11), nested(12)], '1-11'],
])('pairs the items of a copy: %s', (_, originals, copies, expected) => {
	const pairs = [...pairItems(originals, copies)].map(([id, copy]) => `${id}-${copy.id}`);
	expect(pairs.toSorted().join(' ')).toBe(expected);
});

it.each<[object, object, ...[part: string, form: object][]]>([
	[{ sellPrice: 1799.004 }, { sellPrice: 1799 }],
	[{ sellPrice: 1799.006 }, { sellPrice: 1799 }, ['sellprice', { SellPrice: 1799.006 }]],
	[{ quantity: 2.00001 }, { quantity: 2 }],
	// A new MSRP may change the price, which is therefore sent after it.
	[
		{ sellPrice: 9, msrp: 10, quantity: 2 },
		{ sellPrice: 8, msrp: 9 },
		['qty', { Quantity: 2, Qty: 2 }],
		['msrp', { Msrp: 10 }],
		['sellprice', { SellPrice: 9 }],
	],
	[{ msrp: null }, { msrp: 8, sellPrice: 7, cost: 6, clientNote: null }],
	[{ cost: 5 }, { cost: 6 }],
	[
		{ total: { isCombinedPrice: true } },
		{},
		['combineprice', { IsCombinedPrice: true, CombinePrice: true }],
	],
	[{}, { isTaxExempt: true }, ['taxexempt', { IsTaxExempt: false, TaxExempt: false }]],
	[{ clientNote: null }, { clientNote: 'Old' }, ['note', { ClientNote: '', Note: '' }]],
	[{ clientNote: 'Ku\u0308che \ud83d' }, { clientNote: 'K\u00fcche \ufffd ' }],
])('gives the items of a copy the values of %j instead of %j', (original, copy, ...expected) => {
	const changes = planValues({ items: [item(1, original)] }, { items: [item(11, copy)] });
	expect(changes.map(({ request: { path, form } }) => [path, form])).toEqual(
		expected.map(([part, form]) => [`/public/proposals/42/items/11/${part}`, form]),
	);
});

it('gives the items of a copy every value that an update sets, except for the cost', () => {
	const values = {
		quantity: 3,
		msrp: 30,
		sellPrice: 20,
		cost: 10,
		total: { isCombinedPrice: true },
		isTaxExempt: true,
		isRecurringService: true,
		shortDescription: 'Warm',
		clientNote: 'In the rack',
		imageUrl: 'https://images.example/1.png',
	};
	const changes = planValues({ items: [item(1, values)] }, { items: [item(11)] });
	expect(changes.map(({ request }) => request.path.split('/').at(-1))).toEqual([
		'qty',
		'msrp',
		'sellprice',
		'combineprice',
		'taxexempt',
		'recurringservice',
		'shortdescription',
		'note',
		'image',
	]);
});

it('distinguishes values that Portal.io may reformat from those that it may not', () => {
	const original = item(1, { msrp: 9, clientNote: 'New', imageUrl: 'https://x/1' });
	const option = { items: [original], clientDescription: 'Oak' };
	const changes = planValues(option, { items: [item(11)] });
	expect(changes.map(({ failure, mayDiffer }) => [failure, mayDiffer])).toEqual([
		["Portal.io did not set the client description of 'Den', option 1", true],
		["Portal.io did not set the 'MSRP' of item 11", false],
		["Portal.io did not set the 'Client Note' of item 11", true],
		["Portal.io did not set the 'Image URL' of item 11", true],
	]);
});

it('recognizes an area whose name Portal.io keeps with other spaces, hyphens or case', () => {
	const withAreas = (...names: string[]) =>
		({ id: 1, number: 1, areas: names.map((name, id) => ({ id, name })) }) as never;
	const missing = (source: never, copy: never) =>
		STAGES[2]!({ source, contactId: 1, locationId: 1 }, copy);
	const name = 'Wine\u00a0\u2013 Cellar';
	expect(missing(withAreas(name), withAreas('wine - cellar'))).toEqual([]);
	expect(missing(withAreas(name), withAreas('Wine'))).toHaveLength(1);
	// An area of the source with that very name stands for it.
	expect(missing(withAreas(name, 'Wine - Cellar'), withAreas('Wine - Cellar'))).toHaveLength(1);
});
