/**
 * Xero's Accounting API (2.0) with one organization: contacts, sales invoices and payments, the list
 * of connections, and the renewal of access tokens. Strict where the service is strict.
 */
import { randomUUID } from 'node:crypto';
import express, {
	type ErrorRequestHandler,
	type Express,
	type Request,
	type RequestHandler,
} from 'express';
import { AccessTokens } from './accessTokens.mts';
import { OtherSystem, type Records } from './system.mts';
import { badJson, notFound, unauthorized, XeroError } from './xero/errors.mts';
import {
	CONTACT_FIELDS,
	saveContact,
	saveInvoice,
	savePayment,
	type Account,
	type Contact,
	type Invoice,
	type Payment,
} from './xero/records.mts';
import { parseWhere } from './xero/where.mts';

export type { Contact, Invoice, Payment } from './xero/records.mts';

const REFRESH_TOKEN = 'demo-xero-refresh-token';
const TENANT = '7f5b0b0e-2f3a-4c55-9a15-5d1c0f2b8a01';
/** What a request without `page` returns is *assumed* to be unpaged, as Xero's page says. */
const PAGE_SIZE = 100;
const MAX_KEY = 128;

const ACCOUNTS: readonly Account[] = [
	{ Code: '090', Name: 'Business Bank Account', Type: 'BANK' },
	{ Code: '400', Name: 'Sales', Type: 'REVENUE' },
	{ Code: '2200', Name: 'Customer Deposits', Type: 'CURRLIAB' },
];

const dollars = (cents: number) => cents / 100;

/** Xero. */
export class Xero extends OtherSystem {
	readonly name = 'Xero';
	readonly hosts = ['api.xero.com', 'identity.xero.com'];
	readonly tokens = new AccessTokens({
		first: 'demo-xero-token',
		refreshToken: REFRESH_TOKEN,
		tokenType: 'Bearer',
		lifetime: 1800,
		wrongClientStatus: 400,
		more: { refresh_token: REFRESH_TOKEN },
	});
	readonly credentials = [
		{
			name: 'Xero (simulated)',
			type: 'xeroOAuth2Api',
			nodes: ['n8n-nodes-base.xero'],
			data: this.tokens.credential,
		},
	];
	override readonly settings = {
		'Xero Income Account Code': '2200',
		'Xero Bank Account Code': '090',
	};
	readonly contacts: Contact[] = [];
	readonly invoices: Invoice[] = [];
	readonly payments: Payment[] = [];
	readonly accounts = ACCOUNTS;
	/** The answers of earlier writes by their Idempotency-Key. */
	readonly #answers = new Map<string, { body: string; answer: object }>();

	protected clear(): void {
		for (const list of [this.contacts, this.invoices, this.payments]) list.length = 0;
		this.tokens.reset();
		this.forgetKeys();
	}

	/** Forgets the idempotency keys, which Xero keeps for minutes only (*assumed*: six). */
	forgetKeys(): void {
		this.#answers.clear();
	}

	/** Adds a contact, as somebody would in Xero. */
	addContact(fields: Partial<Contact> & { Name: string }): Contact {
		return saveContact(this.contacts, fields);
	}

	/** Adds a draft of an invoice, as somebody would in Xero. */
	addInvoice(fields: { InvoiceNumber: string; Contact: { ContactID: string } }): Invoice {
		return saveInvoice(this.#all, { Type: 'ACCREC', ...fields });
	}

	records(): Records {
		return {
			Payments: this.payments.map(shownPayment),
			Invoices: this.invoices.map(shownInvoice),
			Contacts: this.contacts,
		};
	}

	protected addRoutes(application: Express): void {
		application.post('/connect/token', express.urlencoded({ extended: false }), this.tokens.renew);
		application.use(this.#authenticate, express.json());
		application.get('/connections', (_request, response) => {
			response.json([
				{
					id: randomUUID(),
					tenantId: TENANT,
					tenantType: 'ORGANISATION',
					tenantName: 'Cedar & Coil',
				},
			]);
		});
		const api = '/api.xro/2.0';
		application.use(api, this.#checkTenant);
		application.get(`${api}/Accounts`, (_request, response) => {
			response.json({ Accounts: this.accounts });
		});
		application.get(`${api}/:kind`, (request, response) => {
			response.json(this.#list(String(request.params.kind), request.query));
		});
		application.get(`${api}/:kind/:id`, ({ params: { kind, id } }, response) => {
			const { [kind]: all = [] } = this.#list(kind, {});
			const found = all.filter((one) => Object.values(one).includes(id));
			if (found.length === 0) throw notFound();
			response.json({ [kind]: found });
		});
		for (const verb of ['post', 'put'] as const) {
			application[verb](`${api}/:kind`, (request, response) => {
				response.json(this.#writeOnce(request));
			});
		}
		application.use(() => {
			throw notFound();
		}, this.#answerError);
	}

	readonly #authenticate: RequestHandler = ({ headers }, _response, next) => {
		if (this.tokens.accepts(headers.authorization)) return next();
		throw unauthorized(401, 'AuthenticationUnsuccessful');
	};

	readonly #checkTenant: RequestHandler = ({ headers }, _response, next) => {
		if (headers['xero-tenant-id'] !== TENANT) {
			throw unauthorized(403, 'AuthenticationUnsuccessful');
		}
		// Xero answers in XML unless it is asked for JSON.
		if (!headers.accept?.includes('application/json')) throw badJson('Accept must be JSON here');
		next();
	};

	readonly #answerError: ErrorRequestHandler = (error, _request, response, next) => {
		if (error instanceof XeroError) response.status(error.status).json(error.body);
		else next(error);
	};

	get #all() {
		const { contacts, invoices, payments, accounts } = this;
		return { contacts, invoices, payments, accounts: [...accounts] };
	}

	#list(kind: string, { where, page, includeArchived }: Request['query']) {
		const all = this.#shown(kind, includeArchived === 'true');
		const fields =
			kind === 'Contacts' ? CONTACT_FIELDS : ['InvoiceNumber', 'Reference', 'Status', 'Type'];
		const found = where === undefined ? all : all.filter(parseWhere(String(where), fields));
		const first = (Number(page) - 1) * PAGE_SIZE;
		return { [kind]: page === undefined ? found : found.slice(first, first + PAGE_SIZE) };
	}

	#shown(kind: string, withArchived: boolean): Record<string, unknown>[] {
		if (kind === 'Invoices') return this.invoices.map(shownInvoice);
		if (kind === 'Payments') return this.payments.map(shownPayment);
		if (kind !== 'Contacts') throw notFound();
		const shown = this.contacts.filter((one) => withArchived || one.ContactStatus === 'ACTIVE');
		return shown.map((one) => ({ ...one }));
	}

	/** A write that is sent again with its key is not made again. */
	#writeOnce({ params, body, headers }: Request): object {
		const key = headers['idempotency-key'];
		const sent = JSON.stringify(body);
		if (typeof key !== 'string') return this.#write(String(params.kind), body);
		if (key.length > MAX_KEY) throw badJson('Idempotency-Key is too long');
		const earlier = this.#answers.get(key);
		if (earlier && earlier.body !== sent)
			throw badJson('Idempotency-Key was used for another request');
		const answer = earlier?.answer ?? this.#write(String(params.kind), body);
		this.#answers.set(key, { body: sent, answer });
		return answer;
	}

	#write(kind: string, body: Record<string, unknown> = {}): object {
		const list = (body[kind] as Record<string, unknown>[] | undefined) ?? [body];
		if (kind === 'Contacts') {
			return { Contacts: list.map((one) => saveContact(this.contacts, one)) };
		}
		if (kind === 'Invoices') {
			return { Invoices: list.map((one) => shownInvoice(saveInvoice(this.#all, one))) };
		}
		if (kind !== 'Payments') throw notFound();
		return { Payments: list.map((one) => shownPayment(savePayment(this.#all, one))) };
	}
}

function shownInvoice({ total, paid, ...invoice }: Invoice) {
	const [Total, AmountPaid, AmountDue] = [total, paid, total - paid].map(dollars);
	return { ...invoice, SubTotal: Total, TotalTax: 0, Total, AmountPaid, AmountDue };
}

const shownPayment = ({ cents, ...payment }: Payment) => ({ ...payment, Amount: dollars(cents) });
