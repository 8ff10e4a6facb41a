/**
 * QuickBooks Online (API v3) with one company: customers, items, estimates and invoices, and the
 * renewal of its access tokens. Strict where the service is strict.
 */
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { AccessTokens } from './accessTokens.mts';
import { checkCustomer } from './quickBooks/customer.mts';
import { checkDocument, complete } from './quickBooks/document.mts';
import { badReference, Fault, missing, notFound } from './quickBooks/fault.mts';
import { items, type NewItem } from './quickBooks/items.mts';
import { answerQuery } from './quickBooks/query.mts';
import type { Customer, Document, Entity, Item } from './quickBooks/types.mts';
import { OtherSystem, type Records } from './system.mts';

export type { Customer, Document, Item } from './quickBooks/types.mts';

const REFRESH_TOKEN = 'demo-quickbooks-refresh-token';
const REALM = '9130350000000001';
type Kind = 'customer' | 'item' | 'estimate' | 'invoice' | 'taxcode';
const NAMES: Record<Kind, string> = {
	customer: 'Customer',
	item: 'Item',
	estimate: 'Estimate',
	invoice: 'Invoice',
	taxcode: 'TaxCode',
};
const isKind = (kind: string): kind is Kind => kind in NAMES;

/** QuickBooks Online. */
export class QuickBooks extends OtherSystem {
	readonly name = 'QuickBooks Online';
	readonly hosts = [
		'quickbooks.api.intuit.com',
		'sandbox-quickbooks.api.intuit.com',
		'oauth.platform.intuit.com',
	];
	readonly tokens = new AccessTokens({
		first: 'demo-quickbooks-token',
		refreshToken: REFRESH_TOKEN,
		tokenType: 'bearer',
		lifetime: 3600,
		wrongClientStatus: 401,
		more: { refresh_token: REFRESH_TOKEN, x_refresh_token_expires_in: 8_640_000 },
	});
	readonly credentials = [
		{
			name: 'QuickBooks Online (simulated)',
			type: 'quickBooksOAuth2Api',
			nodes: ['n8n-nodes-base.quickbooks'],
			data: {
				environment: 'production',
				...this.tokens.credential,
				oauthTokenData: {
					...this.tokens.credential.oauthTokenData,
					callbackQueryString: { realmId: REALM },
				},
			},
		},
	];
	override readonly settings = { 'Company ID': REALM };
	readonly customers: Customer[] = [];
	readonly items: Item[] = [];
	readonly estimates: Document[] = [];
	readonly invoices: Document[] = [];
	readonly #taxCodes: Entity[] = ['TAX', 'NON'].map((Id) => ({ Id, SyncToken: '0', Name: Id }));
	#lastId = 0;

	constructor() {
		super();
		this.clear();
	}

	protected clear(): void {
		for (const list of [this.customers, this.items, this.estimates, this.invoices]) list.length = 0;
		this.tokens.reset();
		this.#lastId = 0;
		for (const item of items) this.addItem(item);
	}

	records(): Records {
		const { estimates, invoices, customers, items } = this;
		return { Estimates: estimates, Invoices: invoices, Customers: customers, Products: items };
	}

	/** Adds a product, as somebody would in QuickBooks. */
	addItem(fields: NewItem): Item {
		const item = { ...this.#identity(), Active: true, ...fields };
		this.items.push(item);
		return item;
	}

	/** Adds a customer, as somebody would in QuickBooks. */
	addCustomer(fields: { DisplayName: string; [field: string]: unknown }): Customer {
		checkCustomer(this.customers, fields);
		const customer: Customer = { Active: true, ...fields, ...this.#identity() };
		this.customers.push(customer);
		return customer;
	}

	protected addRoutes(application: Express): void {
		application.post(
			'/oauth2/v1/tokens/bearer',
			express.urlencoded({ extended: false }),
			this.tokens.renew,
		);
		const company = `/v3/company/${REALM}`;
		application.use(company, this.#authenticate, express.json());
		application.get(`${company}/query`, ({ query }, response) => {
			const list = (kind: string) => this.#named(kind.toLowerCase());
			response.json(answered({ QueryResponse: answerQuery(String(query.query), list) }));
		});
		application.get(`${company}/:kind/:id`, ({ params }, response) => {
			const found = this.#find(params.kind, params.id);
			response.json(answered({ [NAMES[params.kind as Kind]]: found }));
		});
		application.post(`${company}/:kind`, ({ params: { kind }, body }, response) => {
			response.json(answered({ [NAMES[kind as Kind]]: this.#write(kind, body) }));
		});
		application.use(this.#noSuchAddress, this.#answerFault);
	}

	readonly #authenticate: RequestHandler = ({ headers }, response, next) => {
		if (this.tokens.accepts(headers.authorization)) return next();
		response.status(401).json({
			fault: {
				error: [
					{
						message: 'message=AuthenticationFailed; errorCode=003200; statusCode=401',
						detail: 'Malformed bearer token or token expired',
						code: '3200',
					},
				],
				type: 'AUTHENTICATION',
			},
		});
	};

	readonly #noSuchAddress: RequestHandler = () => {
		throw notFound();
	};

	readonly #answerFault: ErrorRequestHandler = (error, _request, response, next) => {
		if (error instanceof Fault) response.status(error.status).json(error.body);
		else next(error);
	};

	#listOf(kind: Kind): Entity[] {
		const { customers, items, estimates, invoices } = this;
		const lists: Record<Kind, Entity[]> = {
			customer: customers,
			item: items,
			estimate: estimates,
			invoice: invoices,
			taxcode: this.#taxCodes,
		};
		return lists[kind];
	}

	#named(kind: string) {
		return isKind(kind) ? { name: NAMES[kind], list: this.#listOf(kind) } : undefined;
	}

	#find(kind: string, id: string): Entity {
		const found = isKind(kind) && this.#listOf(kind).find(({ Id }) => Id === id);
		if (!found) throw notFound();
		return found;
	}

	#write(kind: string, body: Record<string, unknown> | undefined): Entity {
		const fields = body ?? {};
		if (kind === 'customer') {
			return this.#save(this.customers, fields, (all, id) =>
				checkCustomer(this.customers, all, id),
			);
		}
		if (kind !== 'estimate' && kind !== 'invoice') throw notFound();
		const list = kind === 'estimate' ? this.estimates : this.invoices;
		return this.#save(list, fields, (all, id) => this.#checkDocument(list, all, id));
	}

	/**
	 * Creates without an ID; with one it updates, and only what was not changed since it was read. What
	 * a sparse update does not name stays. Assumed: the lines it names replace all lines.
	 */
	#save<T extends Entity>(
		list: T[],
		fields: Record<string, unknown>,
		check: (all: Record<string, unknown>, id?: string) => Record<string, unknown>,
	): T {
		const { sparse, Id, SyncToken, ...rest } = fields;
		if (Id === undefined) {
			const created = { ...check(rest), ...this.#identity() } as unknown as T;
			list.push(created);
			return created;
		}
		const index = list.findIndex((one) => one.Id === Id);
		const current = list[index];
		if (!current) throw notFound();
		if (SyncToken === undefined) throw missing('SyncToken');
		if (SyncToken !== current.SyncToken) {
			throw new Fault(
				'5010',
				'Stale Object Error',
				`Stale Object Error : You and somebody else were working on this at the same time. Somebody else finished before you did, so your work was not saved.`,
			);
		}
		const { Id: id, SyncToken: token, MetaData, ...before } = current;
		const checked = check(sparse ? { ...before, ...rest } : rest, id);
		const next = { Id: id, SyncToken: String(Number(token) + 1), MetaData };
		const saved = { ...checked, ...next } as unknown as T;
		list[index] = saved;
		return saved;
	}

	#identity() {
		const now = new Date().toISOString();
		this.#lastId += 1;
		return {
			Id: String(this.#lastId),
			SyncToken: '0',
			domain: 'QBO',
			MetaData: { CreateTime: now, LastUpdatedTime: now },
		};
	}

	#checkDocument(list: Document[], fields: Record<string, unknown>, id?: string) {
		const entity = (kind: 'customer' | 'item', wanted: string) =>
			(kind === 'customer' ? this.customers : this.items).find(({ Id }) => Id === wanted);
		checkDocument(fields, (kind, wanted) => entity(kind, wanted)?.Active === true);
		const { DocNumber: number } = fields;
		const other = list.find((one) => one.Id !== id && one.DocNumber === number);
		if (number !== undefined && other) {
			throw new Fault(
				'6140',
				'Duplicate Document Number Error',
				`Duplicate Document Number Error : You must specify a different number. This number has already been used. DocNumber=${String(number)} is assigned to TxnType=Estimate with TxnId=${other.Id}`,
			);
		}
		const completed = complete(fields, (kind, wanted) => {
			const found = entity(kind, wanted);
			if (!found) throw badReference(kind, wanted);
			return String(found.DisplayName ?? found.Name);
		});
		return list === this.estimates ? { TxnStatus: 'Pending', ...completed } : completed;
	}
}

const answered = (body: object) => ({ ...body, time: new Date().toISOString() });
