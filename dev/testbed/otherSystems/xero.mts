/**
 * Xero's Accounting API (2.0) with one organization, as far as the examples use it: contacts, sales
 * invoices, repeating ones, and payments (https://developer.xero.com/documentation/api/accounting/overview).
 */
import { randomUUID } from 'node:crypto';
import type { Json } from '../../simulator/contract.mts';
import { added, Refusal, webService, type Asked } from './system.mts';

const API = '/api.xro/2.0';
const TENANT = '7f5b0b0e-2f3a-4c55-9a15-5d1c0f2b8a01';
const ACCOUNTS = { income: '2200', bank: '090' };

interface Invoice extends Record<string, unknown> {
	InvoiceID: string;
	InvoiceNumber: string;
	Status: string;
	Total: number;
	AmountDue: number;
}

type Contact = Record<'ContactID' | 'Name', string> & Record<string, unknown>;
type Repeating = { Status: string; SubTotal: number } & Record<string, unknown>;

const invalid = (Message: string) =>
	new Refusal(400, { Elements: [{ ValidationErrors: [{ Message }] }] });

export function createXero() {
	const contacts: Contact[] = [];
	const invoices: Invoice[] = [];
	const payments: object[] = [];
	const repeating: Repeating[] = [];

	/** Adds a contact, or changes the one with this name, as Xero does. */
	const addContact = (fields: { Name: string; [name: string]: unknown }): Contact => {
		const name = fields.Name.toLowerCase();
		const known = contacts.find((one) => one.Name.toLowerCase() === name);
		if (known) return Object.assign(known, fields);
		return added(contacts, { ...fields, ContactID: randomUUID() });
	};

	/** The sum of the lines, for a contact that exists. */
	const sumOf = ({ Contact, LineItems }: Json): number => {
		if (!contacts.some(({ ContactID }) => ContactID === Contact?.ContactID)) {
			throw invalid('The Contact must be specified.');
		}
		if (LineItems.some(({ AccountCode }: Json) => AccountCode !== ACCOUNTS.income)) {
			throw invalid('Account code is not a valid code for this document.');
		}
		const add = (sum: number, line: Json) => sum + line.UnitAmount * line.Quantity;
		return Math.round(LineItems.reduce(add, 0) * 100) / 100;
	};

	const addRepeating = (fields: Json): Repeating => {
		const { Unit, StartDate } = fields.Schedule ?? {};
		if (Unit !== 'MONTHLY' || !StartDate) throw invalid('The Schedule must be specified.');
		const more = { RepeatingInvoiceID: randomUUID(), SubTotal: sumOf(fields) };
		return added(repeating, { ...fields, ...more });
	};

	const addInvoice = (fields: Json): Invoice => {
		const sum = sumOf(fields);
		if (invoices.some((one) => one.InvoiceNumber === fields.InvoiceNumber)) {
			throw invalid('Invoice not of valid status for modification');
		}
		if (!fields.DueDate) throw invalid('An authorized invoice needs a due date');
		const more = { InvoiceID: randomUUID(), Total: sum, AmountDue: sum };
		return added(invoices, { ...fields, ...more });
	};

	const addPayment = (fields: Json): object => {
		const invoice = invoices.find(({ InvoiceID }) => InvoiceID === fields.Invoice?.InvoiceID);
		if (!invoice) throw invalid('Invoice could not be found');
		if (fields.Account?.Code !== ACCOUNTS.bank) {
			throw invalid('Account type is invalid for payments');
		}
		if (fields.Amount > invoice.AmountDue) {
			throw invalid('Payment amount exceeds the amount outstanding on this document');
		}
		invoice.AmountDue -= fields.Amount;
		if (invoice.AmountDue === 0) invoice.Status = 'PAID';
		return added(payments, { ...fields, PaymentID: randomUUID() });
	};

	const service = webService('xero', {
		records: {
			Payments: payments,
			Invoices: invoices,
			'Repeating invoices': repeating,
			Contacts: contacts,
		},
		routes: {
			'GET /connections': () => [{ tenantId: TENANT, tenantName: 'Cedar & Coil' }],
			...finding('Contacts', contacts),
			...finding('Invoices', invoices),
			...finding('RepeatingInvoices', repeating),
			...adding('POST', 'Contacts', addContact),
			...adding('POST', 'Invoices', addInvoice),
			...adding('PUT', 'RepeatingInvoices', addRepeating),
			...adding('PUT', 'Payments', addPayment),
		},
	});
	return { ...service, contacts, invoices, repeating, addContact };
}

function checkTenant({ headers }: Asked): void {
	if (headers['xero-tenant-id'] !== TENANT) throw new Refusal(403, { Title: 'Forbidden' });
}

/** The route that finds records: it understands `Field=="text"`, and several of them with `OR`. */
const finding = (kind: string, all: Record<string, unknown>[]) => ({
	[`GET ${API}/${kind}`]: (asked: Asked) => {
		checkTenant(asked);
		const tests = (asked.query.get('where') ?? '').split(' OR ').map((one) => {
			const [, field, value] = /^(\w+)=="([^"]*)"$/.exec(one) ?? [];
			if (field !== undefined) return (record: Json) => record[field] === value;
			throw new Refusal(400, { Type: 'QueryParseException', Message: one });
		});
		return { [kind]: all.filter((record) => tests.some((test) => test(record))) };
	},
});

/** The route that adds a record, which a request has in a list or alone. */
const adding = (method: string, kind: string, add: (fields: Json) => object) => ({
	[`${method} ${API}/${kind}`]: (asked: Asked) => {
		checkTenant(asked);
		const [first = asked.body] = asked.body[kind] ?? [];
		return { [kind]: [add(first)] };
	},
});
