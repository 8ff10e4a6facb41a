/**
 * Simulates Xero's Accounting API (2.0) with one or two connected organizations, limited to what the examples
 * use: contacts, sales invoices, repeating invoices, and payments
 * (https://developer.xero.com/documentation/api/accounting/overview).
 */
import { randomUUID } from 'node:crypto';
import type { Json } from '../../simulator/contract.mts';
import { addRecord, centsOf, Refusal, webService, type SystemRequest } from './system.mts';

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
	const organizations: { tenantId: string; tenantName: string }[] = [];
	/** Responses to previous requests, by `Idempotency-Key`. */
	const responses = new Map<string, { request: string; response: object }>();

	/** Adds a contact or, as Xero does, changes an existing contact with the same name. */
	const addContact = (fields: { Name: string; [name: string]: unknown }): Contact => {
		const name = fields.Name.toLowerCase();
		const existing = contacts.find((one) => one.Name.toLowerCase() === name);
		if (existing) return Object.assign(existing, fields);
		return addRecord(contacts, { ...fields, ContactID: randomUUID() });
	};

	/** Calculates the sum of the lines, with unit amounts rounded to `decimals`. Requires an existing contact. */
	const addLines = ({ Contact, LineItems }: Json, decimals: number): number => {
		if (!contacts.some(({ ContactID }) => ContactID === Contact?.ContactID)) {
			throw invalid('The Contact must be specified.');
		}
		if (LineItems.some(({ AccountCode }: Json) => AccountCode !== ACCOUNTS.income)) {
			throw invalid('Account code is not a valid code for this document.');
		}
		const add = (sum: number, { Quantity, UnitAmount }: Json) =>
			sum + centsOf(Number(Quantity), Number(Number(UnitAmount).toFixed(decimals)));
		return LineItems.reduce(add, 0) / 100;
	};

	const addRepeating = (fields: Json, decimals: number): Repeating => {
		const { Unit, StartDate } = fields.Schedule ?? {};
		if (Unit !== 'MONTHLY' || !StartDate) throw invalid('The Schedule must be specified.');
		const more = { RepeatingInvoiceID: randomUUID(), SubTotal: addLines(fields, decimals) };
		return addRecord(repeating, { ...fields, ...more });
	};

	const addInvoice = (fields: Json, decimals: number): Invoice => {
		const sum = addLines(fields, decimals);
		if (invoices.some((one) => one.InvoiceNumber === fields.InvoiceNumber)) {
			throw invalid('Invoice not of valid status for modification');
		}
		if (!fields.DueDate) throw invalid('An authorized invoice needs a due date');
		const more = { InvoiceID: randomUUID(), Total: sum, AmountDue: sum };
		return addRecord(invoices, { ...fields, ...more });
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
		invoice.AmountDue =
			(Math.round(invoice.AmountDue * 100) - Math.round(fields.Amount * 100)) / 100;
		if (invoice.AmountDue === 0) invoice.Status = 'PAID';
		return addRecord(payments, { ...fields, PaymentID: randomUUID() });
	};

	const checkTenant = ({ headers }: SystemRequest): void => {
		const id = headers['xero-tenant-id'];
		if (id !== TENANT && organizations.some(({ tenantId }) => tenantId === id)) {
			throw new Refusal(400, { Message: 'The second organization has no accounts yet.' });
		}
		if (id !== TENANT) throw new Refusal(403, { Title: 'Forbidden' });
	};

	/**
	 * Creates a route for searches. The route supports the condition `Field=="text"`, and several conditions joined
	 * with `OR`.
	 */
	const finding = (kind: string, all: Record<string, unknown>[]) => ({
		[`GET ${API}/${kind}`]: (asked: SystemRequest) => {
			checkTenant(asked);
			const tests = (asked.query.get('where') ?? '').split(' OR ').map((one) => {
				const [, field, value] = /^(\w+)=="([^"]*)"$/.exec(one) ?? [];
				if (field !== undefined) return (record: Json) => record[field] === value;
				throw new Refusal(400, { Type: 'QueryParseException', Message: one });
			});
			return { [kind]: all.filter((record) => tests.some((test) => test(record))) };
		},
	});

	/**
	 * Creates a route for new records, which a request contains alone or in a list. If an idempotency key is repeated,
	 * the route repeats its response, or rejects the request if the body differs.
	 */
	const adding = (
		method: string,
		kind: string,
		add: (fields: Json, decimals: number) => object,
	) => ({
		[`${method} ${API}/${kind}`]: (asked: SystemRequest) => {
			checkTenant(asked);
			const key = asked.headers['idempotency-key'];
			const request = JSON.stringify(asked.body);
			const previous = typeof key === 'string' ? responses.get(key) : undefined;
			if (previous && previous.request !== request) {
				throw invalid('Idempotency key has already been used with a different request');
			}
			if (previous) return previous.response;
			const [first = asked.body] = asked.body[kind] ?? [];
			const decimals = asked.query.get('unitdp') === '4' ? 4 : 2;
			const response = structuredClone({ [kind]: [add(first, decimals)] });
			if (typeof key === 'string') responses.set(key, { request, response });
			return response;
		},
	});

	const service = webService('xero', {
		callsPerMinute: 60,
		records: {
			Payments: payments,
			Invoices: invoices,
			'Repeating invoices': repeating,
			Contacts: contacts,
		},
		routes: {
			'GET /connections': () => organizations,
			...finding('RepeatingInvoices', repeating),
			...adding('POST', 'Contacts', (fields) =>
				addContact(fields as Parameters<typeof addContact>[0]),
			),
			...adding('PUT', 'Invoices', addInvoice),
			...adding('PUT', 'RepeatingInvoices', addRepeating),
			...adding('PUT', 'Payments', addPayment),
		},
		fill() {
			responses.clear();
			organizations.splice(0, Infinity, { tenantId: TENANT, tenantName: 'Cedar & Coil' });
		},
	});
	return { ...service, contacts, invoices, organizations, payments, repeating, addContact };
}
