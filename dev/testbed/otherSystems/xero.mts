/**
 * Xero's Accounting API (2.0) with one organization, as far as the examples ask it: contacts, sales
 * invoices and payments (https://developer.xero.com/documentation/api/accounting/overview).
 */
import { randomUUID } from 'node:crypto';
import {
	Refusal,
	WebService,
	type Asked,
	type Fields,
	type Records,
	type Route,
} from './system.mts';

const TOKEN = 'demo-xero-token';
const TENANT = '7f5b0b0e-2f3a-4c55-9a15-5d1c0f2b8a01';
const ACCOUNTS = { income: '2200', bank: '090' };

/** Somebody whom invoices are for. */
export interface Contact extends Fields {
	ContactID: string;
	Name: string;
	EmailAddress?: string;
}

/** A sales invoice. */
export interface Invoice extends Fields {
	InvoiceID: string;
	InvoiceNumber: string;
	Status: string;
	Total: number;
	AmountDue: number;
}

/** Xero. */
export class Xero extends WebService {
	readonly name = 'Xero';
	readonly hosts = ['api.xero.com'];
	protected readonly token = TOKEN;
	readonly credentials = [
		{
			name: 'Xero (simulated)',
			type: 'xeroOAuth2Api',
			nodes: ['n8n-nodes-base.xero'],
			data: {
				clientId: 'demo-client',
				clientSecret: 'demo-client-secret',
				oauthTokenData: { access_token: TOKEN, token_type: 'Bearer' },
			},
		},
	];
	override readonly settings = {
		'Xero Income Account Code': ACCOUNTS.income,
		'Xero Bank Account Code': ACCOUNTS.bank,
	};
	readonly contacts: Contact[] = [];
	readonly invoices: Invoice[] = [];
	readonly payments: Fields[] = [];

	protected readonly routes: Route[] = [
		['GET', /^\/connections$/, () => [{ tenantId: TENANT, tenantName: 'Cedar & Coil' }]],
		['GET', api('Invoices'), (asked) => ({ Invoices: this.#find(asked, this.invoices) })],
		['GET', api('Contacts'), (asked) => ({ Contacts: this.#find(asked, this.contacts) })],
		['POST', api('Contacts'), (asked) => ({ Contacts: [this.addContact(one(asked, 'Contacts'))] })],
		['POST', api('Invoices'), (asked) => ({ Invoices: [this.#invoice(one(asked, 'Invoices'))] })],
		['PUT', api('Payments'), (asked) => ({ Payments: [this.#payment(one(asked, 'Payments'))] })],
	];

	records(): Records {
		const { payments, invoices, contacts } = this;
		return { Payments: payments, Invoices: invoices, Contacts: contacts };
	}

	/** Adds a contact, or changes the one with this name, as Xero does. */
	addContact(fields: Fields): Contact {
		const { Name } = fields;
		if (typeof Name !== 'string' || Name === '') {
			throw invalid('The contact name must be specified when creating a new contact.');
		}
		const known = this.contacts.find((one) => one.Name.toLowerCase() === Name.toLowerCase());
		if (known) return Object.assign(known, fields);
		const contact = { ...fields, Name, ContactID: randomUUID() };
		this.contacts.push(contact);
		return contact;
	}

	protected clear(): void {
		for (const list of [this.contacts, this.invoices, this.payments]) list.length = 0;
	}

	protected readonly unauthorized = () =>
		new Refusal(401, { Title: 'Unauthorized', Status: 401, Detail: 'AuthenticationUnsuccessful' });

	protected readonly notFound = () =>
		new Refusal(404, { Message: 'The resource you are looking for cannot be found' });

	/** Understands `Field=="text"`, and several of them with `OR`. */
	#find<T extends Fields>(asked: Asked, all: T[]): T[] {
		const { query } = inTenant(asked);
		const where = query.get('where') ?? '';
		const tests = where.split(' OR ').map((one) => {
			const [, field, value] = /^(\w+)=="([^"]*)"$/.exec(one) ?? [];
			if (field === undefined)
				throw new Refusal(400, { Type: 'QueryParseException', Message: one });
			return (record: T) => record[field] === value;
		});
		return all.filter((record) => tests.some((test) => test(record)));
	}

	#invoice(fields: Fields): Invoice {
		const { InvoiceNumber, Contact, LineItems, Status, DueDate } = fields;
		const id = (Contact as Fields | undefined)?.ContactID;
		if (fields.Type !== 'ACCREC') throw invalid('A Type must be specified.');
		if (!this.contacts.some(({ ContactID }) => ContactID === id)) {
			throw invalid('The Contact must be specified.');
		}
		if (this.invoices.some((one) => one.InvoiceNumber === InvoiceNumber)) {
			throw invalid('Invoice not of valid status for modification');
		}
		if (Status !== 'AUTHORISED' || !DueDate)
			throw invalid('An authorized invoice needs a due date');
		const lines = LineItems as { AccountCode: string; UnitAmount: number; Quantity: number }[];
		if (lines.some(({ AccountCode }) => AccountCode !== ACCOUNTS.income)) {
			throw invalid('Account code is not a valid code for this document.');
		}
		const sum = lines.reduce((sum, { UnitAmount, Quantity }) => sum + UnitAmount * Quantity, 0);
		const invoice = {
			...fields,
			InvoiceID: randomUUID(),
			InvoiceNumber: String(InvoiceNumber),
			Status,
			Total: sum,
			AmountDue: sum,
		};
		this.invoices.push(invoice);
		return invoice;
	}

	#payment(fields: Fields): Fields {
		const { Invoice, Account, Amount } = fields as Record<string, Fields> & { Amount: number };
		const invoice = this.invoices.find(({ InvoiceID }) => InvoiceID === Invoice?.InvoiceID);
		if (!invoice) throw invalid('Invoice could not be found');
		if (Account?.Code !== ACCOUNTS.bank) throw invalid('Account type is invalid for payments');
		if (Amount > invoice.AmountDue) {
			throw invalid('Payment amount exceeds the amount outstanding on this document');
		}
		invoice.AmountDue -= Amount;
		if (invoice.AmountDue === 0) invoice.Status = 'PAID';
		const payment = { ...fields, PaymentID: randomUUID() };
		this.payments.push(payment);
		return payment;
	}
}

function api(kind: string): RegExp {
	return new RegExp(`^/api\\.xro/2\\.0/${kind}$`);
}

function inTenant(asked: Asked): Asked {
	if (asked.headers['xero-tenant-id'] === TENANT) return asked;
	throw new Refusal(403, { Title: 'Forbidden', Status: 403, Detail: 'AuthenticationUnsuccessful' });
}

/** The record of a request, in a list or alone. */
function one(asked: Asked, kind: string): Fields {
	const { body } = inTenant(asked);
	const [first = body] = (body[kind] ?? []) as Fields[];
	return first;
}

const invalid = (Message: string) =>
	new Refusal(400, {
		ErrorNumber: 10,
		Type: 'ValidationException',
		Elements: [{ ValidationErrors: [{ Message }] }],
	});
