/**
 * Xero's Accounting API (2.0) with one organization, as far as the examples ask it: contacts, sales
 * invoices, repeating ones, and payments (https://developer.xero.com/documentation/api/accounting/overview).
 */
import { randomUUID } from 'node:crypto';
import { connected, Refusal, webService, type Asked, type Fields } from './system.mts';

const TOKEN = 'demo-xero-token';
const TENANT = '7f5b0b0e-2f3a-4c55-9a15-5d1c0f2b8a01';
const ACCOUNTS = { income: '2200', bank: '090' };

/** Somebody whom invoices are for. */
interface Contact extends Fields {
	ContactID: string;
	Name: string;
}

/** A sales invoice. */
interface Invoice extends Fields {
	InvoiceID: string;
	InvoiceNumber: string;
	Status: string;
	Total: number;
	AmountDue: number;
}

/** What writes an invoice every month. */
interface Repeating extends Fields {
	RepeatingInvoiceID: string;
	Status: string;
	SubTotal: number;
}

/** What of the request for an invoice is looked at. */
interface NewInvoice extends Fields {
	InvoiceNumber: string;
	Contact?: { ContactID: string };
	LineItems: { AccountCode: string; UnitAmount: number; Quantity: number }[];
	Status: string;
	DueDate?: string;
}

interface NewPayment extends Fields {
	Invoice?: { InvoiceID: string };
	Account?: { Code: string };
	Amount: number;
}

const invalid = (Message: string) =>
	new Refusal(400, { Elements: [{ ValidationErrors: [{ Message }] }] });

/** Xero. */
export function createXero() {
	const contacts: Contact[] = [];
	const invoices: Invoice[] = [];
	const payments: Fields[] = [];
	const repeating: Repeating[] = [];

	/** Adds a contact, or changes the one with this name, as Xero does. */
	const addContact = (fields: Fields): Contact => {
		const Name = String(fields.Name);
		const known = contacts.find((one) => one.Name.toLowerCase() === Name.toLowerCase());
		if (known) return Object.assign(known, fields);
		const contact = { ...fields, Name, ContactID: randomUUID() };
		contacts.push(contact);
		return contact;
	};

	/** The sum of the lines, for a contact that exists. */
	const sumOf = ({ Contact, LineItems }: NewInvoice): number => {
		if (!contacts.some(({ ContactID }) => ContactID === Contact?.ContactID)) {
			throw invalid('The Contact must be specified.');
		}
		if (LineItems.some(({ AccountCode }) => AccountCode !== ACCOUNTS.income)) {
			throw invalid('Account code is not a valid code for this document.');
		}
		const sum = LineItems.reduce((sum, line) => sum + line.UnitAmount * line.Quantity, 0);
		return Math.round(sum * 100) / 100;
	};

	const addRepeating = (fields: NewInvoice): Repeating => {
		const { Unit, StartDate } = (fields.Schedule ?? {}) as { Unit?: string; StartDate?: string };
		if (Unit !== 'MONTHLY' || !StartDate) throw invalid('The Schedule must be specified.');
		const added = { ...fields, RepeatingInvoiceID: randomUUID(), SubTotal: sumOf(fields) };
		repeating.push(added);
		return added;
	};

	const addInvoice = (fields: NewInvoice): Invoice => {
		const sum = sumOf(fields);
		if (invoices.some((one) => one.InvoiceNumber === fields.InvoiceNumber)) {
			throw invalid('Invoice not of valid status for modification');
		}
		if (!fields.DueDate) throw invalid('An authorized invoice needs a due date');
		const invoice = { ...fields, InvoiceID: randomUUID(), Total: sum, AmountDue: sum };
		invoices.push(invoice);
		return invoice;
	};

	const addPayment = (fields: NewPayment): Fields => {
		const { Invoice, Account, Amount } = fields;
		const invoice = invoices.find(({ InvoiceID }) => InvoiceID === Invoice?.InvoiceID);
		if (!invoice) throw invalid('Invoice could not be found');
		if (Account?.Code !== ACCOUNTS.bank) throw invalid('Account type is invalid for payments');
		if (Amount > invoice.AmountDue) {
			throw invalid('Payment amount exceeds the amount outstanding on this document');
		}
		invoice.AmountDue -= Amount;
		if (invoice.AmountDue === 0) invoice.Status = 'PAID';
		const payment = { ...fields, PaymentID: randomUUID() };
		payments.push(payment);
		return payment;
	};

	const service = webService({
		name: 'Xero',
		hosts: ['api.xero.com'],
		token: TOKEN,
		credential: { type: 'xeroOAuth2Api', node: 'n8n-nodes-base.xero', data: connected(TOKEN) },
		settings: {
			'Xero Income Account Code': ACCOUNTS.income,
			'Xero Bank Account Code': ACCOUNTS.bank,
		},
		records: {
			Payments: payments,
			Invoices: invoices,
			'Repeating invoices': repeating,
			Contacts: contacts,
		},
		routes: {
			'GET /connections': () => [{ tenantId: TENANT, tenantName: 'Cedar & Coil' }],
			'GET /api.xro/2.0/Invoices': (asked) => ({ Invoices: find(asked, invoices) }),
			'GET /api.xro/2.0/Contacts': (asked) => ({ Contacts: find(asked, contacts) }),
			'POST /api.xro/2.0/Contacts': (asked) => ({
				Contacts: [addContact(recordIn(asked, 'Contacts'))],
			}),
			'POST /api.xro/2.0/Invoices': (asked) => ({
				Invoices: [addInvoice(recordIn(asked, 'Invoices') as NewInvoice)],
			}),
			'GET /api.xro/2.0/RepeatingInvoices': (asked) => ({
				RepeatingInvoices: find(asked, repeating),
			}),
			'PUT /api.xro/2.0/RepeatingInvoices': (asked) => ({
				RepeatingInvoices: [addRepeating(recordIn(asked, 'RepeatingInvoices') as NewInvoice)],
			}),
			'PUT /api.xro/2.0/Payments': (asked) => ({
				Payments: [addPayment(recordIn(asked, 'Payments') as NewPayment)],
			}),
		},
	});
	return { ...service, contacts, invoices, repeating, addContact };
}

function checkTenant({ headers }: Asked): void {
	if (headers['xero-tenant-id'] !== TENANT) throw new Refusal(403, { Title: 'Forbidden' });
}

/** Understands `Field=="text"`, and several of them with `OR`. */
function find<T extends Fields>(asked: Asked, all: T[]): T[] {
	checkTenant(asked);
	const tests = (asked.query.get('where') ?? '').split(' OR ').map((one) => {
		const [, field, value] = /^(\w+)=="([^"]*)"$/.exec(one) ?? [];
		if (field === undefined) throw new Refusal(400, { Type: 'QueryParseException', Message: one });
		return (record: T) => record[field] === value;
	});
	return all.filter((record) => tests.some((test) => test(record)));
}

/** The record of a request, in a list or alone. */
function recordIn(asked: Asked, kind: string): Fields {
	checkTenant(asked);
	const { body } = asked;
	const [first = body] = (body[kind] ?? []) as Fields[];
	return first;
}
