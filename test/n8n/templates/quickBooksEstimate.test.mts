/** The estimate that the example *Accepted proposal to QuickBooks* prepares, and what QuickBooks makes of it. */
import { expect, test } from 'vitest';
import type { Json } from '../../../dev/simulator/contract.mts';
import { createQuickBooks } from '../../../dev/testbed/otherSystems/quickBooks.mts';
import { runSteps } from './steps.mts';

const books = createQuickBooks();
const customer = books.addCustomer({ DisplayName: 'Ada Stone' });
const PRODUCTS: Json[] = books.items;

const item = (fields: Json): Json => ({
	id: 1,
	itemType: 'Part',
	brand: 'Lumenfold',
	model: 'LX65',
	areaName: 'Den',
	quantity: 1,
	sellPrice: 100,
	...fields,
});

const taxOn = (total: number, ...applyTo: string[]) => ({ total, calculation: { applyTo } });

interface Situation {
	items: Json[];
	/** The financial summary of the proposal. */
	summary?: Json;
	changeOrders?: Json[];
	products?: Json[];
}

/** Prepares the estimate of an accepted proposal; returns it with the action and the message. */
async function prepare({ items, summary, changeOrders = [], products = PRODUCTS }: Situation) {
	const proposal = {
		id: 7,
		number: 1007,
		name: 'Stone den',
		status: 'Accepted',
		customer: { firstName: 'Ada', lastName: 'Stone' },
		financialSummary: { proposalTotal: 0, ...summary },
	};
	const { error, output } = await runSteps('Accepted proposal to QuickBooks', {
		'Accepted or Declined': [{ json: {} }],
		Settings: [{ json: {} }],
		'Check Settings': [{ json: {} }],
		'Get Proposal': [{ json: proposal }],
		'Get Change Orders': changeOrders.map(({ id }) => ({
			json: { changeOrderId: id, proposalId: 7 },
		})),
		'Get Change Order': changeOrders.map((json) => ({ json })),
		'Find Estimate': [{ json: {} }],
		'Get Products': products.map((json) => ({ json })),
		'Get Customers': [{ json: { Id: customer.Id, DisplayName: 'Ada Stone' } }],
		'Get Items': items.map((json) => ({ json })),
		// Ends the run.
		'Choose Action': [],
	});
	expect(error).toBeUndefined();
	return output('Prepare Estimate')[0] as Json;
}

/** Creates an estimate in QuickBooks; returns it, or the rejection. */
function create(estimate: Json): Json {
	const asked = {
		method: 'POST',
		path: '/v3/company/9130350000000001/estimate',
		query: new URLSearchParams(),
		headers: { authorization: 'Bearer demo-quickbooks-token' },
		body: { CustomerRef: { value: customer.Id }, ...estimate },
	};
	const body: Json = books.answer(asked).body;
	return body.Estimate ?? body;
}

test.each([
	[10, 1799.004, 17_990.04],
	[3, 166.6666, 500],
	[2.5, 19.99, 49.98],
	[1.005, 1000, 1005],
])('multiplies %d × %d to %d, which QuickBooks accepts', async (quantity, sellPrice, amount) => {
	const { estimate } = await prepare({ items: [item({ quantity, sellPrice })] });
	expect(create(estimate)).toMatchObject({ TotalAmt: amount, Line: [{ Amount: amount }] });
});

test('taxes parts, and neither a tax-exempt part nor labor that has no tax', async () => {
	books.preferences.automaticTaxRate = 10;
	const { estimate, total } = await prepare({
		items: [
			item({ sellPrice: 100 }),
			item({ sellPrice: 30, isTaxExempt: true }),
			item({ itemType: 'Labor', brand: null, model: null, name: 'Installation', sellPrice: 50 }),
		],
		summary: { proposalTotal: 190, salesTax: taxOn(10, 'Parts') },
	});
	const codes = estimate.Line.map((line: Json) => line.SalesItemLineDetail.TaxCodeRef.value);
	expect(codes).toEqual(['TAX', 'NON', 'NON']);
	expect(total).toBe(190);
	expect(create(estimate)).toMatchObject({ TotalAmt: 190 });
	books.preferences.automaticTaxRate = undefined;
});

const changeOrder = (total: number, tax: number) => ({
	id: 9,
	status: 'Accepted',
	financialSummary: { changeOrderSubtotal: total, salesTax: { total: tax } },
});

test('taxes the lines of a change order whose total and tax are negative', async () => {
	const { estimate, total } = await prepare({
		items: [
			item({ quantity: 3, sellPrice: 100 }),
			item({ changeOrderId: 9, quantity: -2, sellPrice: 100 }),
			item({ changeOrderId: 9, model: 'LX77', sellPrice: 150 }),
		],
		summary: { proposalTotal: 330, salesTax: taxOn(30, 'Parts') },
		changeOrders: [changeOrder(-50, -5)],
	});
	expect(estimate.Line).toMatchObject([
		{ Amount: 100, SalesItemLineDetail: { Qty: 1, TaxCodeRef: { value: 'TAX' } } },
		{ Amount: 150, SalesItemLineDetail: { Qty: 1, TaxCodeRef: { value: 'TAX' } } },
	]);
	expect(total).toBe(275);
	expect(create(estimate)).toMatchObject({ TotalAmt: 275 });
});

test('leaves out a line that is taken back as a whole, first in its own area', async () => {
	const { estimate } = await prepare({
		items: [
			item({ areaName: 'Den' }),
			item({ areaName: 'Rack' }),
			item({ areaName: 'Rack', changeOrderId: 9, quantity: -1 }),
		],
		changeOrders: [changeOrder(-100, 0)],
	});
	expect(estimate.Line).toMatchObject([{ Description: 'Den: Lumenfold LX65' }]);
});

test('asks a person about a change order that takes back what was not sold at its price', async () => {
	const { action, text } = await prepare({
		items: [item({ sellPrice: 100 }), item({ changeOrderId: 9, quantity: -1, sellPrice: 90 })],
		changeOrders: [changeOrder(-90, 0)],
	});
	expect(action).toBe('message');
	expect(text).toContain('takes back more than was sold at this price: Lumenfold LX65');
});

test('has one discount line for the discounts of the proposal and its change orders', async () => {
	const discounted = changeOrder(90, 0);
	Object.assign(discounted.financialSummary, { partsDiscount: 10 });
	const { estimate } = await prepare({
		items: [item({}), item({ changeOrderId: 9 })],
		summary: { proposalTotal: 94.5, partsDiscount: 5.5 },
		changeOrders: [discounted],
	});
	const discounts = estimate.Line.filter(
		({ DetailType }: Json) => DetailType === 'DiscountLineDetail',
	);
	expect(discounts).toMatchObject([{ Amount: 15.5 }]);
	expect(create(estimate)).toMatchObject({ TotalAmt: 184.5 });
});

const CATALOG = [
	{ Id: '1', Name: 'Door 2', Sku: '2', Type: 'NonInventory' },
	{ Id: '2', Name: 'LX65', Type: 'NonInventory' },
	{ Id: '3', Name: 'Television', Sku: 'LX65', Type: 'NonInventory' },
	{ Id: '4', Name: 'Corvane CV-6C', Type: 'NonInventory' },
	{ Id: '5', Name: 'CV-6C', Type: 'NonInventory' },
	{ Id: '6', Name: 'Installation', Type: 'Category' },
	{ Id: '7', Name: 'installation', Type: 'Service' },
	{ Id: '8', Name: 'Two', Sku: '2 ', Type: 'NonInventory' },
	{ Id: '9', Name: 'Handset', Type: 'NonInventory' },
];

test.each([
	['the SKU, before a name', { brand: 'Lumenfold', model: 'LX65' }, '3'],
	['a SKU that two products have', { brand: 'Anybody', model: '2' }, 'several products match'],
	['no SKU at the end of a model', { brand: 'Keelbolt', model: 'Door 2X 2' }, 'no product for'],
	['no name at the end of a model', { brand: 'Keelbolt', model: 'Gate LX65' }, 'no product for'],
	['the whole name', { brand: 'Corvane', model: 'CV-6C' }, '4'],
	['the model as a name', { brand: 'Hearthline', model: 'Handset' }, '9'],
	['the name of labor', { brand: null, model: null, name: 'Installation' }, '7'],
	['no part of a name', { brand: null, model: null, name: 'Rack installation' }, 'no product for'],
])('finds products by %s', async (_, fields, expected) => {
	const { estimate, text } = await prepare({ items: [item(fields)], products: CATALOG });
	const { value } = estimate.Line[0].SalesItemLineDetail.ItemRef;
	if (/^\d/.test(expected)) expect(value).toBe(expected);
	else expect(text).toContain(expected);
});
