import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { coloradoTax, money, useExample } from './example.mts';

const { about, control, enter, messages, retry, run, runToFailure, systems } = useExample(
	'Accepted proposal to QuickBooks',
);
const books = () => systems().quickBooks;

async function accept(proposalId: number) {
	control().accept(proposalId);
	await run('Accepted or Declined', { proposalId });
}

test('writes an estimate with a line for each accepted item, and a new customer', async () => {
	const { submitted } = seed.proposals;
	// Both are passed over: a category cannot be on a line, and a SKU comes before a name.
	books().items.unshift({ Id: '901', Name: 'Installation', Type: 'Category' });
	books().items.unshift({ Id: '902', Name: 'LX65', Type: 'NonInventory' });
	await accept(submitted);
	const { number } = control().proposal(submitted);
	const product = (name: string) =>
		books().items.find(({ Name, Type }) => Name === name && Type !== 'Category')!.Id;
	const line = (text: string, name: string, Qty: number, UnitPrice: number) => ({
		DetailType: 'SalesItemLineDetail',
		Amount: Qty * UnitPrice,
		Description: text,
		SalesItemLineDetail: {
			ItemRef: { value: product(name) },
			Qty,
			UnitPrice,
			TaxCodeRef: { value: 'TAX' },
		},
	});
	const tax = coloradoTax(179_900 + 38_900 + 165_000 + 14_995) + coloradoTax(550 * 125);
	const [customer, estimate] = books().writes;
	expect(customer).toMatchObject({
		path: expect.stringMatching(/customer$/),
		body: {
			DisplayName: 'Maren Holt',
			GivenName: 'Maren',
			FamilyName: 'Holt',
			PrimaryEmailAddr: { Address: 'maren.holt@clients.example' },
		},
	});
	expect(estimate!.body).toEqual({
		DocNumber: `P-${number}`,
		CustomerRef: { value: books().customers[0]!.Id },
		TxnStatus: 'Accepted',
		Line: [
			line('Main bedroom: Lumenfold LX65', 'Lumenfold LX65', 1, 1799),
			line('Main bedroom: Stillgrip SG-A90', 'Stillgrip SG-A90', 1, 389),
			line('Main bedroom: Installation', 'Installation', 3, 125),
			line('Guest room: Lumenfold LX65', 'Lumenfold LX65', 1, 1650),
			line('Guest room: Stillgrip SG-T80', 'Stillgrip SG-T80', 1, 149.95),
			line('Guest room: Installation', 'Installation', 2.5, 125),
		],
		ApplyTaxAfterDiscount: true,
		TxnTaxDetail: { TotalTax: tax / 100 },
	});
	expect(books().writes).toHaveLength(2);
	const { proposalTotal: TotalAmt } = control().proposal(submitted).financialSummary;
	expect(books().estimates).toMatchObject([{ TotalAmt }]);
	expect(messages()).toEqual([]);
});

test('asks a person about an unknown product, several products, and several customers', async () => {
	const { expired, submittedToo } = seed.proposals;
	const notCreated = (proposalId: number, reason: string) =>
		about(proposalId, `No estimate was created in QuickBooks: ${reason}. Enter it by hand.`);
	books().writes.length = 0;
	await accept(expired);
	expect(messages().at(-1)).toBe(
		notCreated(expired, 'QuickBooks has no product for Sentrava Gate LPR, Keelbolt Door 2'),
	);
	books().items.push({ Id: '903', Name: 'LX77 (2025)', Sku: 'LX77', Type: 'NonInventory' });
	await accept(submittedToo);
	expect(messages().at(-1)).toBe(notCreated(submittedToo, 'several products match Lumenfold LX77'));
	books().items.pop();
	const PrimaryEmailAddr = { Address: 'Theo@quarrystreet.example' };
	books().addCustomer({ DisplayName: 'Quarry Street', PrimaryEmailAddr });
	books().addCustomer({ DisplayName: 'Theo Vance', PrimaryEmailAddr });
	await run('Accepted or Declined', { proposalId: submittedToo });
	expect(messages().at(-1)).toMatch(
		/several customers match Quarry Street Hospitality \(IDs \d+, \d+\)/,
	);
	expect(books().writes).toEqual([]);
});

test('creates one estimate and one customer although both responses are lost', async () => {
	const { submitted } = seed.proposals;
	for (const path of ['/customer', '/estimate']) {
		books().reset();
		books().loseNextResponse(path);
		await run('Accepted or Declined', { proposalId: submitted });
		expect([books().customers.length, books().estimates.length]).toEqual([1, 1]);
	}
});

test('continues with the Company ID that was corrected since', async () => {
	const { submitted } = seed.proposals;
	books().reset();
	await enter('Company ID', '1111');
	const input = { proposalId: submitted };
	const failed = await runToFailure('Accepted or Declined', 'Create Customer', input);
	expect(books().writes).toEqual([]);
	await enter('Company ID', '9130350000000001');
	const { status } = await retry(failed);
	expect([status, books().customers.length, books().estimates.length]).toEqual(['success', 1, 1]);
});

test('tells a person that the total in QuickBooks differs', async () => {
	const { submitted } = seed.proposals;
	const { number, financialSummary } = control().proposal(submitted);
	books().reset();
	books().preferences.automaticTaxRate = 10;
	await run('Accepted or Declined', { proposalId: submitted });
	const TotalAmt = Number(books().estimates[0]!.TotalAmt);
	expect(messages().at(-1)).toBe(
		about(
			submitted,
			`the new estimate P-${number} in QuickBooks is for $${money(TotalAmt)}, and the accepted total is ` +
				`$${money(financialSummary.proposalTotal)}. Compare the two.`,
		),
	);
});
