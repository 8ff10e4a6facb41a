/** Runs the example *Payment to Xero*. A manual run uses the newest paid payment request. */
import { beforeAll, expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { linkTo, useExample } from './example.mts';

const { control, enter, environment, messages, pin, run, systems, workflow } =
	useExample('Payment to Xero');
const xero = () => systems().xero;
const { accepted } = seed.proposals;
const proposalNumber = () => control().proposal(accepted).number;
/** Deposit of the accepted proposal. */
const payment = { id: 81_001, amount: 2500 };
/** Creates payments as the trigger reports them, each from a different client. */
const createPayments = (...ids: number[]) =>
	ids.map((paymentId) => ({
		paymentId,
		amount: 100 + paymentId / 100,
		dueDate: '2026-12-24T00:00:00Z',
		proposalId: accepted,
		proposalNumber: proposalNumber(),
		proposalName: 'Holt den',
		clientName: `Client ${paymentId}`,
		clientEmail: `client-${paymentId}@clients.example`,
	}));

beforeAll(async () => {
	// Skip the pauses that keep the workflow within Xero's limit of 60 requests per minute.
	const { nodes } = structuredClone(workflow());
	for (const { parameters } of nodes) {
		const { batching } = (parameters.options ?? {}) as { batching?: { batch: object } };
		if (batching) Object.assign(batching.batch, { batchInterval: 0 });
	}
	await environment().n8n.updateWorkflow(workflow(), { nodes });
});

it('books an invoice and its payment only once for a new contact', async () => {
	await run('Payment Is Paid');
	await run('Payment Is Paid');
	const [contact] = xero().contacts;
	expect(contact).toMatchObject({ Name: 'Maren Holt', EmailAddress: 'maren.holt@clients.example' });
	const { paymentRequests } = control().proposal(accepted);
	const { dueDate } = paymentRequests.find(({ id }: { id: number }) => id === payment.id);
	expect(xero().invoices).toMatchObject([
		{
			Type: 'ACCREC',
			InvoiceNumber: `P-${proposalNumber()}-${payment.id}`,
			Contact: { ContactID: contact!.ContactID },
			DueDate: dueDate.slice(0, 10),
			LineAmountTypes: 'NoTax',
			LineItems: [{ AccountCode: '2200', Quantity: 1, UnitAmount: payment.amount }],
			Status: 'PAID',
			AmountDue: 0,
		},
	]);
	expect(xero().payments).toMatchObject([
		{
			Account: { Code: '090' },
			Amount: payment.amount,
			Reference: `Portal.io payment ${payment.id}`,
		},
	]);
	expect(messages()).toEqual([]);
});

it('books the other payments if one is rejected', async () => {
	const [first, second, third] = createPayments(1, 2, 3);
	// Omit the second client's name, so Xero rejects the payment.
	await pin('Payment Is Paid', [first!, { ...second!, clientName: null as never }, third!]);
	await run('Payment Is Paid');
	expect(xero().payments.slice(1)).toMatchObject([{ Amount: 100.01 }, { Amount: 100.03 }]);
	expect(messages()).toEqual([
		expect.stringContaining(
			`The payment of 100.02 for proposal ${proposalNumber()} was not booked in Xero, or only its invoice. Book it by hand: ${linkTo(accepted)}`,
		),
	]);
});

it('requires an organization if there are several', async () => {
	xero().organizations.unshift({ tenantId: 'another', tenantName: 'Cedar Holdings' });
	await pin('Payment Is Paid', createPayments(4));
	const failed = await environment().n8n.runManually(workflow(), 'Payment Is Paid');
	expect(failed.error!.message).toContain('connected to: Cedar Holdings, Cedar & Coil');
	const { length } = xero().payments;
	await enter('Xero Organization', 'Cedar & Coil');
	await run('Payment Is Paid');
	expect(xero().payments).toHaveLength(length + 1);
});
