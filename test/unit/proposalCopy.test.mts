/** Tests which requests fill a copy, and how differences from the source are reported. */
import { expect, it } from 'vitest';
import { PortalError } from '../../client/errors.ts';
import type { Proposal } from '../../client/proposal.ts';
import type { ServiceRequest } from '../../client/request.ts';
import { ProposalCopy } from '../../nodes/PortalIo/resources/proposal/proposalCopy.ts';

const item = (id: number, more: object = {}) => {
	return { id, itemType: 'Part', referencedItemId: 55, quantity: 1, ...more };
};
/** Returns a proposal with one area and one option. */
const proposalWith = (id: number, items: object[], option: object = {}) =>
	({
		id,
		number: id,
		areas: [{ id: id + 1, name: 'Den', options: [{ id: id + 2, ...option, items }] }],
	}) as unknown as Proposal;

/** Copies the item `original`. Portal.io first creates the copy with the values in `made`. */
async function fillWith(original: object, made: object, option: object = {}) {
	const sent: ServiceRequest[] = [];
	const send = async (request: ServiceRequest) => {
		sent.push(request);
		if (request.path.endsWith('/area')) return await Promise.resolve(proposalWith(42, []));
		return request.path.endsWith('/items') ? proposalWith(42, [item(11, made)]) : '';
	};
	const source = proposalWith(1, [item(1, original)], option);
	const copy = new ProposalCopy({ send }, source, 42, {});
	await copy.fill();
	return { copy, sent: sent.slice(2) };
}

it.each<[object, object, ...[part: string, form: object][]]>([
	[{ sellPrice: 1799.004 }, { sellPrice: 1799 }],
	[{ sellPrice: 1799.006 }, { sellPrice: 1799 }, ['sellprice', { SellPrice: 1799.006 }]],
	[{ quantity: 2.00001 }, { quantity: 2 }],
	[{ sellPrice: 9, msrp: 10 }, { sellPrice: 8, msrp: 10 }, ['sellprice', { SellPrice: 9 }]],
	// Send the price after the MSRP even if it was already correct, because a new MSRP can change it.
	[
		{ sellPrice: 9, msrp: 10, quantity: 2 },
		{ sellPrice: 9, msrp: 9 },
		['qty', { Quantity: 2, Qty: 2 }],
		['msrp', { Msrp: 10 }],
		['sellprice', { SellPrice: 9 }],
	],
	[{ msrp: null }, { msrp: 8, sellPrice: 7, cost: 6, clientNote: null }],
	[{ msrp: 9 }, { msrp: 8, sellPrice: 7 }, ['msrp', { Msrp: 9 }]],
	[{ cost: 5 }, { cost: 6 }],
	[
		{ total: { isCombinedPrice: true } },
		{},
		['combineprice', { IsCombinedPrice: true, CombinePrice: true }],
	],
	[{}, { isTaxExempt: true }, ['taxexempt', { IsTaxExempt: false, TaxExempt: false }]],
	[{ clientNote: null }, { clientNote: 'Old' }, ['note', { ClientNote: '', Note: '' }]],
	[{ clientNote: 'Ku\u0308che \ud83d' }, { clientNote: 'K\u00fcche \ufffd ' }],
])(
	'sends only the values of %j that differ in the copy %j',
	async (original, made, ...expected) => {
		const { sent } = await fillWith(original, made);
		expect(sent.map(({ path, form }) => [path, form])).toEqual(
			expected.map(([part, form]) => [`/public/proposals/42/items/11/${part}`, form]),
		);
	},
);

it('sets every value of a copied item except for the cost', async () => {
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
	const { sent } = await fillWith(values, {});
	expect(sent.map(({ path }) => path.split('/').at(-1))).toEqual([
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

it('reports different values, except for text and images, which Portal.io can store in another form', async () => {
	const values = { msrp: 9, isTaxExempt: true, clientNote: 'New', imageUrl: 'https://x/1' };
	const option = { clientDescription: 'Oak' };
	const { copy } = await fillWith(values, {}, option);
	expect(copy.findProblems(proposalWith(42, [item(11)]))).toEqual({
		problems: [
			"Portal.io did not set the 'MSRP' of item 11",
			"Portal.io did not set the 'Tax Exempt' of item 11",
		],
		isReformatted: true,
	});
	const complete = proposalWith(42, [item(11, values)], option);
	expect(copy.findProblems(complete)).toEqual({ problems: [], isReformatted: false });
	expect(copy.findProblems(proposalWith(42, [])).problems).toHaveLength(3);
});

it.each([
	['elsewhere', { parentId: null }],
	['as another type', { parentId: 11, itemType: 'Labor' }],
])('fails if Portal.io adds a nested item %s', async (_, made) => {
	const copies = [item(11), item(12, { referencedItemId: 66, ...made })];
	let shown = 0;
	const send = async ({ path }: ServiceRequest) => {
		const isArea = path.endsWith('/area');
		return await Promise.resolve(proposalWith(42, isArea ? [] : copies.slice(0, ++shown)));
	};
	const originals = [item(1), item(2, { referencedItemId: 66, parentId: 1 })];
	const copy = new ProposalCopy({ send }, proposalWith(1, originals), 42, {});
	await expect(copy.fill()).rejects.toThrow("Portal.io did not add an item to 'Den', option 1");
	expect(copy.describeProgress()).toBe('1 area, 1 option, 1 of 2 items');
});

it('reports items in the source that are nested in a loop', async () => {
	const send = async () => await Promise.resolve(proposalWith(42, []));
	const originals = [item(1, { parentId: 2 }), item(2, { parentId: 1 })];
	const copy = new ProposalCopy({ send }, proposalWith(1, originals), 42, {});
	await copy.fill();
	expect(copy.findProblems(proposalWith(42, [])).problems).toEqual([
		'2 items in the source are nested in a loop',
	]);
});

it('suggests renaming an area if a second area with the same name is rejected', async () => {
	const areas = ['Den', 'Hall', 'DEN'].map((name, id) => ({ id, name, options: [] }));
	const source = { ...proposalWith(1, []), areas };
	const shown: object[] = [];
	const send = async ({ form }: ServiceRequest) => {
		if (shown.length === 2) throw new PortalError('Rejected');
		const id = 70 + shown.length;
		shown.push({ id, name: form!.Name, options: [{ id, status: 'Draft', items: [] }] });
		return await Promise.resolve({ ...proposalWith(42, []), areas: [...shown] });
	};
	const copy = new ProposalCopy({ send }, source, 42, {});
	await expect(copy.fill()).rejects.toMatchObject({
		description:
			"The source proposal has 2 areas named 'DEN'. If Portal.io rejects the second one, rename it in the source proposal.",
	});
	expect(copy.describeProgress()).toBe('2 of 3 areas, 0 options, 0 items');
});
