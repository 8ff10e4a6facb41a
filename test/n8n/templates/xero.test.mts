/** The example *Payment to Xero*. A run by hand takes the newest payment that is paid. */
import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { linkTo, useExample } from './example.mts';

const { control, enter, environment, messages, pin, retry, run, runToFailure, systems, workflow } =
	useExample('Payment to Xero');
const xero = () => systems().xero;
const { accepted } = seed.proposals;
const proposalNumber = () => control().proposal(accepted).number;
const contact = { Name: 'Maren Holt', EmailAddress: 'maren.holt@clients.example' };
/** The deposit of the accepted proposal. */
const payment = { id: 81_001, amount: 2500 };
/** Payments as the trigger reports them, each of another client. */
const paid = (...ids: number[]) =>
	ids.map((id) => ({
		paymentId: id,
		amount: 100 + id / 100,
		dueDate: '2026-12-24T00:00:00Z',
		proposalId: accepted,
		proposalNumber: proposalNumber(),
		proposalName: 'Holt den',
		clientName: `Client ${id}`,
		clientEmail: `client-${id}@clients.example`,
	}));

test('books an invoice and its payment, for a contact that it creates', async () => {
	await run('Payment Is Paid');
	const { ContactID } = xero().contacts[0]!;
	const [invoice] = xero().invoices;
	const { paymentRequests } = control().proposal(accepted);
	const { dueDate } = paymentRequests.find(({ id }: { id: number }) => id === payment.id);
	const line = { AccountCode: '2200', Quantity: 1, UnitAmount: payment.amount };
	expect(xero().writes).toMatchObject([
		{ method: 'POST', body: { Contacts: [contact] } },
		{
			method: 'PUT',
			body: {
				Type: 'ACCREC',
				InvoiceNumber: `P-${proposalNumber()}-${payment.id}`,
				Contact: { ContactID },
				DueDate: dueDate.slice(0, 10),
				Status: 'AUTHORISED',
				LineAmountTypes: 'NoTax',
				LineItems: [line],
			},
		},
		{
			method: 'PUT',
			body: {
				Invoice: { InvoiceID: invoice!.InvoiceID },
				Account: { Code: '090' },
				Amount: payment.amount,
				Reference: `Portal.io payment ${payment.id}`,
			},
		},
	]);
	expect(invoice).toMatchObject({ Status: 'PAID', AmountDue: 0 });
});

test('books nothing twice, and adds the missing amount to an invoice that is partly paid', async () => {
	await run('Payment Is Paid');
	expect(xero().writes).toHaveLength(3);
	const [invoice] = xero().invoices;
	Object.assign(invoice!, { Status: 'AUTHORISED', AmountDue: 1500.5 });
	await run('Payment Is Paid');
	expect(xero().payments).toMatchObject([{ Amount: payment.amount }, { Amount: 1500.5 }]);
	expect(xero().invoices).toMatchObject([{ Status: 'PAID', AmountDue: 0 }]);
});

test('asks a person about an invoice that is voided, and about several contacts', async () => {
	Object.assign(xero().invoices[0]!, { Status: 'VOIDED' });
	await run('Payment Is Paid');
	const about = (reason: string) =>
		`The payment of ${payment.amount} for proposal ${proposalNumber()} was not booked in Xero: ` +
		`${reason}. Book it by hand: ${linkTo(accepted)}`;
	expect(messages()).toEqual([about(`the invoice P-${proposalNumber()}-${payment.id} is voided`)]);

	xero().reset();
	for (const Name of ['Holt, Maren', 'M. Holt']) xero().addContact({ ...contact, Name });
	await run('Payment Is Paid');
	expect(messages().at(-1)).toBe(about('several contacts match Maren Holt'));
	expect(xero().writes).toEqual([]);
});

test('continues with account codes that were corrected since', async () => {
	xero().reset();
	await enter('Xero Income Account Code', '1');
	await enter('Xero Bank Account Code', '999');
	await pin('Payment Is Paid', paid(1));
	let failed = await runToFailure('Payment Is Paid', 'Create Invoice');
	await enter('Xero Income Account Code', '2200');
	failed = await retry(failed);
	expect(failed.error?.message).toContain('Bad request');
	expect(xero().invoices).toMatchObject([{ Status: 'AUTHORISED' }]);
	await enter('Xero Bank Account Code', '090');
	expect((await retry(failed)).status).toBe('success');
	expect(xero().invoices).toMatchObject([{ Status: 'PAID', AmountDue: 0 }]);
});

test('names the organizations if there are several, and books to the one that was entered', async () => {
	xero().reset();
	xero().organizations.unshift({ tenantId: 'another', tenantName: 'Cedar Holdings' });
	const failed = await runToFailure('Payment Is Paid', 'Choose Organization');
	expect(failed.error!.message).toContain('Cedar Holdings, Cedar & Coil. Enter the name of one');
	expect(xero().writes).toEqual([]);
	await enter('Xero Organization', 'Cedar & Coil');
	await retry(failed);
	expect(xero().invoices).toMatchObject([{ Status: 'PAID' }]);
	await enter('Xero Organization', '');
});

test('books a payment once if a response is lost and the step is retried', async () => {
	xero().reset();
	xero().loseNextResponse('/Invoices');
	await retry(await runToFailure('Payment Is Paid', 'Create Invoice'));
	xero().loseNextResponse('/Payments');
	await pin('Payment Is Paid', paid(2));
	await retry(await runToFailure('Payment Is Paid', 'Create Payment'));
	expect(xero().invoices).toMatchObject([{ Status: 'PAID' }, { Status: 'PAID' }]);
	expect(xero().payments).toHaveLength(2);
});

test('books the 25 payments of a poll although Xero accepts 60 calls a minute', async () => {
	xero().reset();
	// A second stands for the minute, here and in the example.
	xero().limits.minute = 1000;
	await pin('Payment Is Paid', paid(...Array.from({ length: 25 }, (_, index) => index + 1)));
	const { nodes } = structuredClone(workflow());
	nodes.find(({ name }) => name === 'Wait a Minute')!.parameters.amount = 1;
	await environment().n8n.updateWorkflow(workflow(), { nodes });
	await run('Payment Is Paid');
	expect(xero().payments).toHaveLength(25);
	xero().limits.minute = 60_000;
});
