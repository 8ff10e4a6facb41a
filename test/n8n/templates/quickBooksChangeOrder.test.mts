/** Runs the example *Accepted change order to QuickBooks*. The simulated QuickBooks rejects wrong sums. */
import { beforeEach, expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { coloradoTax, linkTo, money, useExample } from './example.mts';

const { control, environment, messages, pin, run, systems } = useExample(
	'Accepted change order to QuickBooks',
);
const books = () => systems().quickBooks;
const { accepted, draft } = seed.changeOrders;
const CLIENT = 'Maren Holt';

beforeEach(() => {
	books().reset();
	systems().slack.reset();
	books().addCustomer({ DisplayName: CLIENT });
});

/** Returns an accepted change order as the trigger reports it. */
const event = (changeOrderId: number, clientName: string | null = CLIENT) => {
	const { number, name } = control().proposal(changeOrderId);
	return { changeOrderId, proposalId: seed.proposals.accepted, number, name, clientName };
};
const start = async (...events: object[]) => {
	await pin('Change Order Is Accepted', events);
	await run('Change Order Is Accepted');
};
const about = (changeOrderId: number, sentence: string) => {
	const { number, name } = control().proposal(changeOrderId);
	return `Change order ${number} (${name}) is accepted. ${sentence} ${linkTo(seed.proposals.accepted)}`;
};
const created = (changeOrderId: number, total: number) =>
	about(
		changeOrderId,
		`The estimate CO-${changeOrderId} was created in QuickBooks for $${money(total)}.`,
	);
const problem = (changeOrderId: number, reason: string) =>
	about(changeOrderId, `No estimate was created in QuickBooks: ${reason}`);
const product = (name: string) => books().items.find(({ Name }) => Name === name)!.Id;
const numbers = () => books().estimates.map(({ DocNumber }) => DocNumber);
const rows = async () =>
	(await environment().n8n.dataTableRows('portal_quickbooks_change_orders')).map(
		({ changeOrderId }) => changeOrderId,
	);
const change = (changeOrderId: number, model: string | null, fields: object) => {
	const { id } = control()
		.items(changeOrderId)
		.find((item) => item.model === model)!;
	control().update('proposal_items', { id: id! }, fields);
};
/** Adds an accepted change order, and moves the areas of the change order `from` to it. */
const addChangeOrder = (from: number): number => {
	const [id] = control().addProposals(1, { like: accepted });
	control().update('areas', { proposal_id: from }, { proposalId: id });
	return id!;
};
/** Change order that adds a handset. */
let newest: number = accepted;
/** Price, including tax, of the handset that the accepted change order adds. */
const handset = 420 + coloradoTax(42_000) / 100;

it('writes an estimate with negative lines for removed items', async () => {
	change(draft, 'Depth 12', { quantity: 25_000, sellPriceCents: 199_999 });
	change(draft, null, { quantity: -12_500 });
	control().update('proposals', { id: draft }, { discountType: 'Fixed', discountValue: 1000 });
	control().accept(draft);
	await start(event(draft));
	const line = (text: string, id: unknown, Qty: number, UnitPrice: number, Amount: number) => ({
		DetailType: 'SalesItemLineDetail',
		Amount,
		Description: `Family room: ${text}`,
		SalesItemLineDetail: {
			ItemRef: { value: id },
			Qty,
			UnitPrice,
			TaxCodeRef: { value: 'TAX' },
		},
	});
	// 2.5 × 1999.99 is 4999.975, which is rounded to 4999.98. A discount of 10.00 lowers the taxable amount of the
	// parts.
	const parts = 499_998 - 1000;
	const labor = -15_625;
	const tax = coloradoTax(parts) + coloradoTax(labor);
	expect(books().writes.map(({ body }) => body)).toEqual([
		{
			DocNumber: `CO-${draft}`,
			CustomerRef: { value: books().customers[0]!.Id },
			TxnStatus: 'Accepted',
			Line: [
				line('Corvane Depth 12', product('Corvane Depth 12'), 2.5, 1999.99, 4999.98),
				line('Installation', product('Installation'), -1.25, 125, -156.25),
				{
					DetailType: 'DiscountLineDetail',
					Amount: 10,
					DiscountLineDetail: { PercentBased: false },
				},
			],
			ApplyTaxAfterDiscount: true,
			TxnTaxDetail: { TotalTax: tax / 100 },
		},
	]);
	const total = (parts + labor + tax) / 100;
	expect(books().estimates).toMatchObject([{ TotalAmt: total }]);
	expect(messages()).toEqual([created(draft, total)]);
});

it('books the other change orders if some cannot be booked', async () => {
	const [empty] = control().addProposals(1, { like: accepted });
	const gone = { ...event(accepted), changeOrderId: 999_999 };
	const others = [event(empty!), event(accepted, null), event(accepted, '<!channel>')];
	await start(gone, ...others, event(accepted));
	expect(numbers()).toEqual([`CO-${accepted}`]);
	expect(messages()).toEqual([
		problem(accepted, 'a step failed, so create it by hand. Error: No record found with this ID'),
		problem(empty!, 'the change order has no accepted items.'),
		problem(accepted, 'the change order has no client.'),
		problem(accepted, 'no customer there is named &lt;!channel&gt;.'),
		created(accepted, handset),
	]);
	expect(await rows()).toEqual([draft, accepted]);
});

it('creates the estimate in the next run if QuickBooks rejects the first attempt', async () => {
	newest = addChangeOrder(newest);
	// Make the total negative, which QuickBooks rejects.
	books().preferences.automaticTaxRate = -200;
	await start(event(newest));
	expect(numbers()).toEqual([]);
	expect(messages()).toEqual([
		expect.stringMatching(
			/a step failed, so create it by hand\. Error: .*Transaction amount must be 0 or greater/,
		),
	]);
	expect(await rows()).not.toContain(newest);
	books().preferences.automaticTaxRate = 10;
	await start(event(newest));
	expect(numbers()).toEqual([`CO-${newest}`]);
	const sentence = `The estimate CO-${newest} was created in QuickBooks for $462.00. The accepted total is $${money(handset)}. Compare the two.`;
	expect(messages().at(-1)).toBe(about(newest, sentence));
});

it('creates only one estimate for two events, even if a response is lost', async () => {
	newest = addChangeOrder(newest);
	books().loseNextResponse('/estimate');
	await pin('Change Order Is Accepted', [event(newest)]);
	await Promise.all([run('Change Order Is Accepted'), run('Change Order Is Accepted')]);
	await start(event(newest));
	expect(numbers()).toEqual([`CO-${newest}`]);
	const reason = `an earlier run recorded it. Check whether QuickBooks has CO-${newest}.`;
	expect(messages().at(-1)).toBe(problem(newest, reason));
});

it('requires exactly one product per item, and a total and discount of at least 0', async () => {
	newest = addChangeOrder(newest);
	const { items } = books();
	const reason =
		'exactly one product must fit each item with a price. Check Family room: Hearthline Handset.';
	items.push({ Id: '903', Name: 'Handset (2025)', Sku: 'Handset', Type: 'NonInventory' });
	await start(event(newest));
	items.splice(0, items.length, ...items.filter(({ Sku }) => Sku !== 'Handset'));
	await start(event(newest));
	books().items.push({ Id: '904', Name: 'Remote', Sku: 'Handset', Type: 'NonInventory' });
	change(newest, 'Handset', { quantity: -10_000 });
	await start(event(newest));
	// Labor makes the total positive, but the discount on the removed part is negative.
	const discounted = addChangeOrder(draft);
	change(discounted, 'Depth 12', { quantity: -10_000, sellPriceCents: 10_000 });
	change(discounted, null, { quantity: 10_000 });
	const discount = { discountType: 'Percentage', discountValue: 1000 };
	control().update('proposals', { id: discounted }, discount);
	await start(event(discounted));
	const negative = 'its total is missing or below 0, or its discount is below 0.';
	expect(messages()).toEqual([
		problem(newest, reason),
		problem(newest, reason),
		problem(newest, negative),
		problem(discounted, negative),
	]);
	expect(books().writes).toEqual([]);
});
