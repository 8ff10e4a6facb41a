/** The example *Payment to Xero*. A run by hand takes the newest payment that is paid. */
import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { linkTo, useExample } from './example.mts';

const { control, messages, run, systems } = useExample('Payment to Xero');
const xero = () => systems().xero;
const { accepted } = seed.proposals;
const proposalNumber = () => control().proposal(accepted).number;
const contact = { Name: 'Maren Holt', EmailAddress: 'maren.holt@clients.example' };
/** The deposit of the accepted proposal. */
const payment = { id: 81_001, amount: 2500 };

test('books an invoice and its payment, for a contact that it creates', async () => {
	await run('Payment Is Paid');
	const { ContactID } = xero().contacts[0]!;
	const [invoice] = xero().invoices;
	const { paymentRequests } = control().proposal(accepted);
	const { dueDate } = paymentRequests.find(({ id }: { id: number }) => id === payment.id);
	const line = { AccountCode: '2200', Quantity: '1', UnitAmount: payment.amount };
	expect(xero().writes).toMatchObject([
		{ method: 'POST', body: { Contacts: [contact] } },
		{
			method: 'POST',
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

test('books nothing twice', async () => {
	await run('Payment Is Paid');
	expect(xero().writes).toHaveLength(3);
});

test('adds the payment to an invoice that was left without it', async () => {
	const [invoice] = xero().invoices;
	Object.assign(invoice!, { Status: 'AUTHORISED', AmountDue: payment.amount });
	await run('Payment Is Paid');
	expect(xero().writes.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT', 'PUT']);
	expect(xero().invoices).toMatchObject([{ Status: 'PAID', AmountDue: 0 }]);
});

test('asks a person about an invoice that is voided', async () => {
	Object.assign(xero().invoices[0]!, { Status: 'VOIDED' });
	await run('Payment Is Paid');
	expect(messages()).toEqual([
		`The payment of ${payment.amount} for proposal ${proposalNumber()} is not booked in Xero: ` +
			`the invoice P-${proposalNumber()}-${payment.id} is voided. ` +
			`Book it by hand: ${linkTo(accepted)}`,
	]);
});

test('asks a person when several contacts match, and books nothing', async () => {
	xero().reset();
	for (const Name of ['Holt, Maren', 'M. Holt']) xero().addContact({ ...contact, Name });
	await run('Payment Is Paid');
	expect(messages().at(-1)).toBe(
		`The payment of ${payment.amount} for proposal ${proposalNumber()} is not booked in Xero: ` +
			`several contacts match Maren Holt. Book it by hand: ${linkTo(accepted)}`,
	);
	expect(xero().writes).toEqual([]);
});
