/**
 * Simulates QuickBooks Online (API v3) with one company in the USA, limited to what the examples use: queries,
 * new customers, and estimates
 * (https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/estimate).
 */
import type { Json } from '../../simulator/contract.mts';
import { addRecord, centsOf, Refusal, webService, type SystemRequest } from './system.mts';

const COMPANY = '9130350000000001';

interface Entity extends Record<string, unknown> {
	Id: string;
	SyncToken?: string;
}

const fault = (code: string, Message: string) =>
	new Refusal(400, { Fault: { Error: [{ Message, code }], type: 'ValidationFault' } });

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const cents = (amount: number) => Math.round(amount * 100);

export function createQuickBooks() {
	const customers: Entity[] = [];
	const estimates: Entity[] = [];
	const items: Entity[] = [];
	/** Responses to previous requests, by `requestid`. */
	const responses = new Map<string, object>();
	const preferences = {
		/** Sales tax rate in percent that QuickBooks itself applies, if any. */
		automaticTaxRate: undefined as number | undefined,
	};
	let lastId = 0;

	const add = (list: Entity[], fields: Json): Entity =>
		addRecord(list, { ...fields, Id: String(++lastId), SyncToken: '0' });

	/** Throws if a reference isn't in the list. */
	const checkReference = (field: string, list: Entity[], id: string | undefined) => {
		if (!list.some(({ Id }) => Id === id)) throw fault('2500', `Invalid Reference Id : ${field}`);
	};

	/** Adds a customer as a person would in QuickBooks. Rejects a name that is already used. */
	const addCustomer = (fields: { DisplayName: string; [name: string]: unknown }): Entity => {
		const name = fields.DisplayName;
		if (/[:\t\n]/.test(name)) throw fault('6000', 'A business validation error has occurred');
		if (customers.some((one) => isSame(String(one.DisplayName), name))) {
			throw fault('6240', 'Duplicate Name Exists Error');
		}
		return add(customers, { Active: true, ...fields });
	};

	/** Checks a line with a product. Returns its amount in cents. */
	const checkLine = (amount: number, detail: Json): number => {
		checkReference('ItemRef', items, detail.ItemRef.value);
		if (centsOf(detail.Qty, detail.UnitPrice) !== cents(amount)) {
			throw fault('6070', 'Amount is not equal to UnitPrice * Qty');
		}
		const { value: code = 'NON' } = detail.TaxCodeRef ?? {};
		if (code !== 'TAX' && code !== 'NON') {
			throw fault('6100', 'Valid Line TaxCodes for US should be TAX or NON');
		}
		return cents(amount);
	};

	const addEstimate = (fields: Json): Entity => {
		checkReference('CustomerRef', customers, fields.CustomerRef?.value);
		let total = 0;
		let taxable = 0;
		for (const { Amount, SalesItemLineDetail: sale } of fields.Line ?? []) {
			// A line without a sale is a discount.
			const amount = sale ? checkLine(Amount, sale) : -cents(Amount);
			total += amount;
			if (sale?.TaxCodeRef.value === 'TAX') taxable += amount;
		}
		const { automaticTaxRate: rate } = preferences;
		total +=
			rate === undefined
				? cents(fields.TxnTaxDetail?.TotalTax ?? 0)
				: centsOf(taxable / 100, rate / 100);
		if (total < 0) throw fault('6000', 'Transaction amount must be 0 or greater');
		return add(estimates, { ...fields, TotalAmt: total / 100 });
	};

	const kinds = {
		Customer: customers,
		Estimate: estimates,
		Item: items,
	};
	/** Responds to `SELECT * FROM … WHERE field = '…'`, where `\'` is an apostrophe. An empty page omits the list. */
	const select = (query: string): object => {
		const parsed =
			/^SELECT (?<what>\*|COUNT\(\*\)) FROM (?<kind>\w+)(?: WHERE (?<field>\w+) = '(?<value>(?:[^'\\]|\\.)*)')?(?: MAXRESULTS (?<max>\d+))?(?: STARTPOSITION (?<start>\d+))?$/i.exec(
				query.trim(),
			)?.groups;
		if (!parsed) throw fault('4000', `Error parsing query: ${query}`);
		const { what, kind, field, value = '', max = '100', start = '1' } = parsed;
		const [name, list] = Object.entries(kinds).find(([one]) => isSame(one, kind!))!;
		const sought = value.replaceAll("\\'", "'");
		const found = list.filter((one) => !field || one[field] === sought);
		if (what !== '*') return { QueryResponse: { totalCount: found.length } };
		const page = found.slice(Number(start) - 1, Number(start) - 1 + Number(max));
		return { QueryResponse: page.length > 0 ? { [name]: page } : {} };
	};

	/**
	 * Creates a handler that repeats its response if a request with the same `requestid` has already been processed.
	 */
	const once =
		(name: string, write: (fields: Json) => Entity) =>
		({ path, query, body }: SystemRequest): object => {
			checkCompany(path);
			const id = query.get('requestid');
			const previous = id === null ? undefined : responses.get(id);
			if (previous) return previous;
			if (id !== null && id.length > 50) throw fault('2050', 'requestid: Invalid string length');
			const response = structuredClone({ [name]: write(body) });
			if (id !== null) responses.set(id, response);
			return response;
		};

	const company = '/v3/company/:company';
	const service = webService('quickBooks', {
		records: {
			Estimates: estimates,
			Customers: customers,
			Products: items,
		},
		routes: {
			[`GET ${company}/query`]: ({ path, query }) => {
				checkCompany(path);
				return select(query.get('query') ?? '');
			},
			[`POST ${company}/customer`]: once('Customer', (fields) =>
				addCustomer(fields as Parameters<typeof addCustomer>[0]),
			),
			[`POST ${company}/estimate`]: once('Estimate', addEstimate),
		},
		fill(start: { products: Record<string, string[]> }) {
			responses.clear();
			preferences.automaticTaxRate = undefined;
			for (const [brand, names] of Object.entries(start.products)) {
				for (const name of names) {
					const part = { Name: `${brand} ${name}`, Sku: name, Type: 'NonInventory' };
					add(items, brand ? part : { Name: name, Type: 'Service' });
				}
			}
		},
	});
	return {
		...service,
		customers,
		items,
		estimates,
		preferences,
		addCustomer,
	};
}

/** Rejects a URL whose company differs from that of the credential's token. */
function checkCompany(path: string): void {
	if (path.split('/')[3] === COMPANY) return;
	const Message = 'message=ApplicationAuthorizationFailed; errorCode=003100; statusCode=403';
	throw new Refusal(403, { Fault: { Error: [{ Message, code: '3100' }], type: 'SERVICE' } });
}
