/**
 * QuickBooks Online (API v3) with one company, as far as the examples ask it: queries, a new customer
 * and a new estimate (https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/estimate).
 */
import { Refusal, WebService, type Fields, type Records, type Route } from './system.mts';

const TOKEN = 'demo-quickbooks-token';
const REALM = '9130350000000001';
const MAX_NUMBER_LENGTH = 21;

/** A line of an estimate. */
interface Line {
	DetailType: string;
	Amount: number;
	Description?: string;
	SalesItemLineDetail?: { ItemRef: { value: string }; Qty: number; UnitPrice: number };
}

/** A customer, a product or an estimate. */
export interface Entity extends Fields {
	Id: string;
}

/** The products of the company: parts by model, services by name. One part of the catalog is missing. */
const PRODUCTS: Record<string, string[]> = {
	Lumenfold: ['LX65', 'LX77', 'LX85-P', 'Beam 4'],
	Stillgrip: ['SG-T80', 'SG-A90'],
	Corvane: ['CV-6C', 'CV-8C', 'CV-W5', 'Depth 12', 'Garden 4'],
	Hearthline: ['Core 3', 'Core 5', 'Handset', 'Glass 7'],
	'': ['Installation', 'Programming', 'Project management', 'Delivery', 'Permit'],
};

/** QuickBooks Online. */
export class QuickBooks extends WebService {
	readonly name = 'QuickBooks Online';
	readonly hosts = ['quickbooks.api.intuit.com'];
	protected readonly token = TOKEN;
	readonly credentials = [
		{
			name: 'QuickBooks Online (simulated)',
			type: 'quickBooksOAuth2Api',
			nodes: ['n8n-nodes-base.quickbooks'],
			data: {
				environment: 'production',
				clientId: 'demo-client',
				clientSecret: 'demo-client-secret',
				oauthTokenData: {
					access_token: TOKEN,
					token_type: 'bearer',
					callbackQueryString: { realmId: REALM },
				},
			},
		},
	];
	override readonly settings = { 'Company ID': REALM };
	readonly customers: Entity[] = [];
	readonly items: Entity[] = [];
	readonly estimates: Entity[] = [];
	#lastId = 0;

	protected readonly routes: Route[] = [
		['GET', /^\/v3\/company\/\d+\/query$/, ({ query }) => this.#query(query.get('query') ?? '')],
		[
			'POST',
			/^\/v3\/company\/\d+\/customer$/,
			({ body }) => ({ Customer: this.addCustomer(body) }),
		],
		['POST', /^\/v3\/company\/\d+\/estimate$/, ({ body }) => ({ Estimate: this.#estimate(body) })],
	];

	constructor() {
		super();
		this.clear();
	}

	records(): Records {
		const { estimates, customers, items } = this;
		return { Estimates: estimates, Customers: customers, Products: items };
	}

	/** Adds a customer, as somebody would in QuickBooks. A name is used once. */
	addCustomer(fields: Fields): Entity {
		const name = fields.DisplayName;
		if (typeof name !== 'string' || name === '') throw missing('DisplayName');
		if (/[:\t\n]/.test(name)) throw fault('6000', 'A business validation error has occurred', name);
		const same = this.customers.find(
			(one) => String(one.DisplayName).toLowerCase() === name.toLowerCase(),
		);
		if (same) {
			throw fault(
				'6240',
				'Duplicate Name Exists Error',
				`The name already exists. : Id=${same.Id}`,
			);
		}
		return this.#add(this.customers, { Active: true, ...fields });
	}

	protected clear(): void {
		for (const list of [this.customers, this.items, this.estimates]) list.length = 0;
		this.#lastId = 0;
		for (const [brand, names] of Object.entries(PRODUCTS)) {
			for (const name of names) {
				const part = { Name: `${brand} ${name}`, Sku: name, Type: 'NonInventory' };
				this.#add(this.items, brand ? part : { Name: name, Type: 'Service' });
			}
		}
	}

	protected readonly unauthorized = () =>
		new Refusal(401, {
			fault: { error: [{ message: 'AuthenticationFailed', code: '3200' }], type: 'AUTHENTICATION' },
		});

	protected readonly notFound = () => fault('610', 'Object Not Found', 'Object Not Found');

	#add(list: Entity[], fields: Fields): Entity {
		this.#lastId += 1;
		const entity = { ...fields, Id: String(this.#lastId), SyncToken: '0' };
		list.push(entity);
		return entity;
	}

	/** Answers `SELECT * FROM … WHERE field = '…'`. An empty page has no list at all. */
	#query(query: string): object {
		const parsed =
			/^SELECT (?<what>\*|COUNT\(\*\)) FROM (?<kind>\w+)(?: WHERE (?<field>\w+) = '(?<value>.*)')?(?: MAXRESULTS (?<max>\d+))?(?: STARTPOSITION (?<start>\d+))?$/i.exec(
				query.trim(),
			)?.groups;
		const lists: Record<string, Entity[]> = {
			customer: this.customers,
			estimate: this.estimates,
			item: this.items,
		};
		const kind = parsed?.kind?.toLowerCase() ?? '';
		const list = lists[kind];
		if (!parsed || !list) throw fault('4000', 'Error parsing query', `QueryParserError: ${query}`);
		const { what, field, value, max = '100', start = '1' } = parsed;
		const found = list.filter((one) => !field || one[field] === value);
		if (what !== '*') return { QueryResponse: { totalCount: found.length } };
		const page = found.slice(Number(start) - 1, Number(start) - 1 + Number(max));
		const name = kind[0]!.toUpperCase() + kind.slice(1);
		return { QueryResponse: page.length > 0 ? { [name]: page } : {} };
	}

	#estimate(fields: Fields): Entity {
		const { DocNumber: number, CustomerRef, Line: lines, TxnTaxDetail } = fields;
		const customer = (CustomerRef as { value?: string } | undefined)?.value;
		if (!this.customers.some(({ Id }) => Id === customer))
			throw badReference('CustomerRef', customer);
		if (!Array.isArray(lines) || lines.length === 0) throw missing('Line');
		if (String(number).length > MAX_NUMBER_LENGTH)
			throw fault('2050', 'String length', 'DocNumber');
		if (this.estimates.some((one) => one.DocNumber === number)) {
			throw fault('6140', 'Duplicate Document Number Error', `DocNumber=${String(number)}`);
		}
		for (const line of lines as Line[]) this.#checkLine(line);
		const { TotalTax = 0 } = (TxnTaxDetail ?? {}) as { TotalTax?: number };
		const sum = (lines as Line[]).reduce(
			(total, { Amount, DetailType }) =>
				total + (DetailType === 'DiscountLineDetail' ? -cents(Amount) : cents(Amount)),
			cents(TotalTax),
		);
		return this.#add(this.estimates, { ...fields, TotalAmt: sum / 100 });
	}

	#checkLine({ DetailType, Amount, SalesItemLineDetail: detail }: Line): void {
		if (typeof Amount !== 'number') throw missing('Line.Amount');
		if (DetailType === 'DiscountLineDetail') return;
		if (DetailType !== 'SalesItemLineDetail' || !detail) throw missing('Line.DetailType');
		const product = detail.ItemRef.value;
		if (!this.items.some(({ Id }) => Id === product)) throw badReference('ItemRef', product);
		if (cents(detail.Qty * detail.UnitPrice) !== cents(Amount)) {
			throw fault('6070', 'Amount calculation incorrect in the request', String(Amount));
		}
	}
}

const cents = (amount: number) => Math.round(amount * 100);

const fault = (code: string, Message: string, Detail: string) =>
	new Refusal(400, { Fault: { Error: [{ Message, Detail, code }], type: 'ValidationFault' } });

const missing = (field: string) =>
	fault('2020', 'Required param missing', `Required parameter ${field} is missing in the request`);

const badReference = (field: string, id: unknown) =>
	fault('2500', 'Invalid Reference Id', `Invalid Reference Id : ${field} ${String(id)}`);
