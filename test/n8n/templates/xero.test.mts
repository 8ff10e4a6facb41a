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

test('books nothing twice, and adds the payment to an invoice that was left without it', async () => {
	await run('Payment Is Paid');
	expect(xero().writes).toHaveLength(3);
	const [invoice] = xero().invoices;
	Object.assign(invoice!, { Status: 'AUTHORISED', AmountDue: payment.amount });
	await run('Payment Is Paid');
	expect(xero().writes.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT', 'PUT']);
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
