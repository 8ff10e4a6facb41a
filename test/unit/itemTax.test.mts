/** Tests the table of taxed items in docs/operations/item.md. */
import { expect, it } from 'vitest';
import { itemsOf, type Proposal } from '../../client/proposal.ts';

const TYPES = ['Part', 'CustomItem', 'Labor', 'Fee'];

interface Tax {
	total?: number | null;
	applyTo?: string[];
}

function taxedTypes({ total, applyTo }: Tax, isTaxExempt?: boolean): string[] {
	const items = TYPES.map((itemType, id) => ({ id, itemType, quantity: 1, isTaxExempt }));
	const proposal = {
		id: 1,
		number: 2,
		financialSummary: { salesTax: { total, calculation: applyTo && { applyTo } } },
		areas: [{ id: 3, name: 'Den', options: [{ id: 4, status: 'Draft', items }] }],
	};
	return itemsOf(proposal as unknown as Proposal)
		.filter(({ isTaxed }) => isTaxed)
		.map(({ itemType }) => itemType);
}

it.each<[Tax, string[]]>([
	[{ total: 8.25, applyTo: ['Parts'] }, ['Part', 'CustomItem']],
	[{ total: 8.25, applyTo: ['Labor'] }, ['Labor']],
	[{ total: 8.25, applyTo: ['Parts', 'Fee'] }, ['Part', 'CustomItem', 'Fee']],
	[{ total: 8.25, applyTo: ['None'] }, []],
	[{ total: 8.25 }, TYPES],
	[{ total: -8.25, applyTo: ['Parts'] }, ['Part', 'CustomItem']],
	[{ total: 0, applyTo: ['Parts'] }, []],
	[{ total: null, applyTo: ['Parts'] }, []],
	[{ applyTo: ['Parts'] }, []],
])('applies the tax %j to the item types %j', (tax, types) => {
	expect(taxedTypes(tax)).toEqual(types);
	expect(taxedTypes(tax, false)).toEqual(types);
	expect(taxedTypes(tax, true)).toEqual([]);
});

it("taxes a change order's items with the change order's tax, not the proposal's", () => {
	const areas = [
		{
			id: 3,
			name: 'Den',
			options: [{ id: 4, status: 'Draft', items: [{ id: 1, itemType: 'Part', quantity: 1 }] }],
		},
	];
	const taxed = { id: 5, number: 6, areas, financialSummary: { salesTax: { total: 9 } } };
	const untaxed = { ...taxed, id: 7, financialSummary: { salesTax: { total: 0 } } };
	const isTaxed = (source: object, parent: object) =>
		itemsOf(source as Proposal, parent as Proposal).map((item) => item.isTaxed);
	expect(isTaxed(taxed, untaxed)).toEqual([true]);
	expect(isTaxed(untaxed, taxed)).toEqual([false]);
});
