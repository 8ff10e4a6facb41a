/** Runs the example *Accepted proposal to QuickBooks*. The simulated QuickBooks rejects wrong sums. */
import { expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { byId } from '../../../dev/testbed/workflowBuilder.mts';
import { coloradoTax, linkTo, money, useExample } from './example.mts';

const { control, edit, messages, run, systems } = useExample('Accepted proposal to QuickBooks');
const books = () => systems().quickBooks;
const { expired, submitted, submittedToo, viewed } = seed.proposals;

const clientOf = (proposalId: number) => {
	const { customer = {} } = control().proposal(proposalId);
	return customer.companyName ?? `${customer.firstName} ${customer.lastName}`;
};
const start = (proposalId: number, clientName: string | null = clientOf(proposalId)) =>
	run('Proposal Is Accepted', {
		proposalId,
		clientName,
		clientEmail: control().proposal(proposalId).customer?.contactEmail,
	});
const accept = async (proposalId: number) => {
	control().accept(proposalId);
	await start(proposalId);
};
const about = (proposalId: number, sentence: string) => {
	const { number, name } = control().proposal(proposalId);
	return `Proposal ${number} (${name}) is accepted. ${sentence} ${linkTo(proposalId)}`;
};
const product = (name: string) => books().items.find(({ Name }) => Name === name)!.Id;

it('writes an estimate with a line per accepted item for a new customer', async () => {
	// Add entries that must not match: a category, because it is not a product, and a product with the item's model as
	// its name, because the product whose SKU matches takes precedence.
	books().items.unshift({ Id: '901', Name: 'Installation', Type: 'Category' });
	books().items.unshift({ Id: '902', Name: 'LX65', Sku: 'another', Type: 'NonInventory' });
	const [area] = control().proposal(submitted).areas;
	const [television] = area.options[0].items;
	control().setStatus(submitted, 'Draft');
	await edit('item', 'update', submitted, {
		itemId: byId(television.id),
		updateFields: { quantity: 2.5, sellPrice: 19.99 },
	});
	control().update('proposals', { id: submitted }, { discountType: 'Fixed', discountValue: 1000 });
	await accept(submitted);
	const { number, financialSummary } = control().proposal(submitted);
	const line = (text: string, id: unknown, Qty: number, UnitPrice: number, Amount: number) => ({
		DetailType: 'SalesItemLineDetail',
		Amount,
		Description: text,
		SalesItemLineDetail: {
			ItemRef: { value: id },
			Qty,
			UnitPrice,
			TaxCodeRef: { value: 'TAX' },
		},
	});
	const television65 = product('Lumenfold LX65');
	const installation = books().items.find(({ Type }) => Type === 'Service')!.Id;
	// 2.5 × 19.99 is 49.975, which is rounded to 49.98. A discount of 10.00 lowers the taxable amount of the parts.
	const parts = 4998 + 38_900 + 165_000 + 14_995 - 1000;
	const tax = coloradoTax(parts) + coloradoTax(550 * 125);
	expect(books().customers).toMatchObject([
		{ DisplayName: 'Maren Holt', PrimaryEmailAddr: { Address: 'maren.holt@clients.example' } },
	]);
	expect(books().writes.at(-1)!.body).toEqual({
		DocNumber: `P-${number}`,
		CustomerRef: { value: books().customers[0]!.Id },
		TxnStatus: 'Accepted',
		Line: [
			line('Main bedroom: Lumenfold LX65', television65, 2.5, 19.99, 49.98),
			line('Main bedroom: Stillgrip SG-A90', product('Stillgrip SG-A90'), 1, 389, 389),
			line('Main bedroom: Installation', installation, 3, 125, 375),
			line('Guest room: Lumenfold LX65', television65, 1, 1650, 1650),
			line('Guest room: Stillgrip SG-T80', product('Stillgrip SG-T80'), 1, 149.95, 149.95),
			line('Guest room: Installation', installation, 2.5, 125, 312.5),
			{
				DetailType: 'DiscountLineDetail',
				Amount: 10,
				DiscountLineDetail: { PercentBased: false },
			},
		],
		ApplyTaxAfterDiscount: true,
		TxnTaxDetail: { TotalTax: tax / 100 },
	});
	const total = (parts + 550 * 125 + tax) / 100;
	expect(books().estimates).toMatchObject([{ TotalAmt: total }]);
	expect(financialSummary.proposalTotal).toBe(total);
	const created = `The estimate P-${number} was created in QuickBooks for $${money(total)}.`;
	expect(messages()).toEqual([about(submitted, created)]);
});

it('creates only one estimate for two events, even if one of the responses is lost', async () => {
	books().reset();
	const client = "Nell O'Hara";
	books().addCustomer({ DisplayName: client });
	books().loseNextResponse('/estimate');
	await Promise.all([start(submitted, client), start(submitted, client)]);
	expect([books().customers.length, books().estimates.length]).toEqual([1, 1]);
});

it('asks a person to compare the estimate with the proposal if it already exists or its total differs', async () => {
	const { number, financialSummary } = control().proposal(submitted);
	await start(submitted);
	const problem = `No estimate was created in QuickBooks: it has P-${number} already. Compare the two.`;
	expect(messages().at(-1)).toBe(about(submitted, problem));
	books().reset();
	books().preferences.automaticTaxRate = 10;
	await start(submitted);
	const total = Number(books().estimates[0]!.TotalAmt);
	const differs = `The estimate P-${number} was created in QuickBooks for $${money(total)}. The accepted total is $${money(financialSummary.proposalTotal)}. Compare the two.`;
	expect(messages().at(-1)).toBe(about(submitted, differs));
});

it('requires a client, accepted items, and exactly one product per item', async () => {
	books().reset();
	await start(submitted, null);
	const problem = 'No estimate was created in QuickBooks: ';
	expect(messages().at(-1)).toBe(about(submitted, `${problem}the proposal has no client.`));
	await start(viewed);
	expect(messages().at(-1)).toBe(about(viewed, `${problem}the proposal has no accepted items.`));
	await accept(expired);
	expect(messages().at(-1)).toMatch(
		/exactly one product must fit each item with a price\. Check .*: Sentrava Gate LPR, .*: Keelbolt Door 2\. https/,
	);
	books().items.push({ Id: '903', Name: 'LX77 (2025)', Sku: 'LX77', Type: 'NonInventory' });
	await accept(submittedToo);
	expect(messages().at(-1)).toContain('exactly one product must fit each item');
	expect(books().writes).toEqual([]);
});
