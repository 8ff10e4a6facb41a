/**
 * QuickBooks Online (API v3) with one company, as far as the examples ask it: queries, a new customer
 * and a new estimate (https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/estimate).
 */
import { connected, Refusal, webService, type Fields } from './system.mts';

const TOKEN = 'demo-quickbooks-token';
const REALM = '9130350000000001';

/** A line of an estimate. */
interface Line {
	Amount: number;
	SalesItemLineDetail?: { ItemRef: { value: string }; Qty: number; UnitPrice: number };
}

/** What of the request for an estimate is looked at. */
interface NewEstimate extends Fields {
	DocNumber?: string;
	CustomerRef?: { value?: string };
	Line?: Line[];
	TxnTaxDetail?: { TotalTax: number };
}

/** A customer, a product or an estimate. */
interface Entity extends Fields {
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

const fault = (code: string, Message: string) =>
	new Refusal(400, { Fault: { Error: [{ Message, code }], type: 'ValidationFault' } });

const badReference = (field: string) => fault('2500', `Invalid Reference Id : ${field}`);

const cents = (amount: number) => Math.round(amount * 100);

/** QuickBooks Online. */
export function createQuickBooks() {
	const customers: Entity[] = [];
	const items: Entity[] = [];
	const estimates: Entity[] = [];
	let lastId = 0;

	const add = (list: Entity[], fields: Fields): Entity => {
		lastId += 1;
		const entity = { ...fields, Id: String(lastId), SyncToken: '0' };
		list.push(entity);
		return entity;
	};

	/** Adds a customer, as somebody would in QuickBooks. A name is used once. */
	const addCustomer = (fields: Fields): Entity => {
		const name = String(fields.DisplayName);
		if (/[:\t\n]/.test(name)) throw fault('6000', 'A business validation error has occurred');
		const isTaken = customers.some(
			(one) => String(one.DisplayName).toLowerCase() === name.toLowerCase(),
		);
		if (isTaken) throw fault('6240', 'Duplicate Name Exists Error');
		return add(customers, { Active: true, ...fields });
	};

	const addEstimate = (fields: NewEstimate): Entity => {
		const { DocNumber: number, CustomerRef, Line: lines = [], TxnTaxDetail } = fields;
		if (!customers.some(({ Id }) => Id === CustomerRef?.value)) {
			throw badReference('CustomerRef');
		}
		if (estimates.some((one) => one.DocNumber === number)) {
			throw fault('6140', 'Duplicate Document Number Error');
		}
		let total = cents(TxnTaxDetail?.TotalTax ?? 0);
		for (const { Amount, SalesItemLineDetail: sale } of lines) {
			// What is no sale is a discount.
			total += sale ? cents(Amount) : -cents(Amount);
			if (!sale) continue;
			if (!items.some(({ Id }) => Id === sale.ItemRef.value)) throw badReference('ItemRef');
			if (cents(sale.Qty * sale.UnitPrice) !== cents(Amount)) {
				throw fault('6070', 'Amount calculation incorrect in the request');
			}
		}
		return add(estimates, { ...fields, TotalAmt: total / 100 });
	};

	/** Answers `SELECT * FROM … WHERE field = '…'`. An empty page has no list at all. */
	const select = (query: string): object => {
		const parsed =
			/^SELECT (?<what>\*|COUNT\(\*\)) FROM (?<kind>\w+)(?: WHERE (?<field>\w+) = '(?<value>.*)')?(?: MAXRESULTS (?<max>\d+))?(?: STARTPOSITION (?<start>\d+))?$/i.exec(
				query.trim(),
			)?.groups;
		if (!parsed) throw fault('4000', `Error parsing query: ${query}`);
		const { what, kind, field, value, max = '100', start = '1' } = parsed;
		const kinds: Record<string, [name: string, list: Entity[]]> = {
			customer: ['Customer', customers],
			estimate: ['Estimate', estimates],
			item: ['Item', items],
		};
		const [name, list] = kinds[kind!.toLowerCase()]!;
		const found = list.filter((one) => !field || one[field] === value);
		if (what !== '*') return { QueryResponse: { totalCount: found.length } };
		const page = found.slice(Number(start) - 1, Number(start) - 1 + Number(max));
		return { QueryResponse: page.length > 0 ? { [name]: page } : {} };
	};

	const service = webService({
		name: 'QuickBooks Online',
		hosts: ['quickbooks.api.intuit.com'],
		token: TOKEN,
		credential: {
			type: 'quickBooksOAuth2Api',
			node: 'n8n-nodes-base.quickbooks',
			data: {
				environment: 'production',
				...connected(TOKEN, { callbackQueryString: { realmId: REALM } }),
			},
		},
		settings: { 'Company ID': REALM },
		records: { Estimates: estimates, Customers: customers, Products: items },
		routes: {
			[`GET /v3/company/${REALM}/query`]: ({ query }) => select(query.get('query') ?? ''),
			[`POST /v3/company/${REALM}/customer`]: ({ body }) => ({ Customer: addCustomer(body) }),
			[`POST /v3/company/${REALM}/estimate`]: ({ body }) => ({ Estimate: addEstimate(body) }),
		},
		fill() {
			for (const [brand, names] of Object.entries(PRODUCTS)) {
				for (const name of names) {
					const part = { Name: `${brand} ${name}`, Sku: name, Type: 'NonInventory' };
					add(items, brand ? part : { Name: name, Type: 'Service' });
				}
			}
		},
	});
	return { ...service, customers, items, estimates, addCustomer };
}
