/**
 * QuickBooks Online (API v3) with one company, as far as the examples use it: queries, a new customer
 * and a new estimate (https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/estimate).
 */
import type { Json } from '../../simulator/contract.mts';
import { added, Refusal, webService } from './system.mts';

const COMPANY = '/v3/company/9130350000000001';

interface Entity extends Record<string, unknown> {
	Id: string;
}

const fault = (code: string, Message: string) =>
	new Refusal(400, { Fault: { Error: [{ Message, code }], type: 'ValidationFault' } });

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const cents = (amount: number) => Math.round(amount * 100);

export function createQuickBooks() {
	const customers: Entity[] = [];
	const items: Entity[] = [];
	const estimates: Entity[] = [];
	let lastId = 0;

	const add = (list: Entity[], fields: Json): Entity =>
		added(list, { ...fields, Id: String(++lastId), SyncToken: '0' });

	/** Throws for a reference to something that is not in the list. */
	const checkReference = (field: string, list: Entity[], id: string | undefined) => {
		if (!list.some(({ Id }) => Id === id)) throw fault('2500', `Invalid Reference Id : ${field}`);
	};

	/** Adds a customer, as somebody would in QuickBooks. A name is used once. */
	const addCustomer = (fields: { DisplayName: string; [name: string]: unknown }): Entity => {
		const name = fields.DisplayName;
		if (/[:\t\n]/.test(name)) throw fault('6000', 'A business validation error has occurred');
		if (customers.some((one) => isSame(String(one.DisplayName), name))) {
			throw fault('6240', 'Duplicate Name Exists Error');
		}
		return add(customers, { Active: true, ...fields });
	};

	const addEstimate = (fields: Json): Entity => {
		checkReference('CustomerRef', customers, fields.CustomerRef?.value);
		if (estimates.some(({ DocNumber }) => DocNumber === fields.DocNumber)) {
			throw fault('6140', 'Duplicate Document Number Error');
		}
		let total = cents(fields.TxnTaxDetail?.TotalTax ?? 0);
		for (const { Amount, SalesItemLineDetail: sale } of fields.Line ?? []) {
			// A line without a sale is a discount.
			total += sale ? cents(Amount) : -cents(Amount);
			if (!sale) continue;
			checkReference('ItemRef', items, sale.ItemRef.value);
			if (cents(sale.Qty * sale.UnitPrice) !== cents(Amount)) {
				throw fault('6070', 'Amount calculation incorrect in the request');
			}
		}
		return add(estimates, { ...fields, TotalAmt: total / 100 });
	};

	const kinds = { Customer: customers, Estimate: estimates, Item: items };
	/** Answers `SELECT * FROM … WHERE field = '…'`. An empty page has no list at all. */
	const select = (query: string): object => {
		const parsed =
			/^SELECT (?<what>\*|COUNT\(\*\)) FROM (?<kind>\w+)(?: WHERE (?<field>\w+) = '(?<value>.*)')?(?: MAXRESULTS (?<max>\d+))?(?: STARTPOSITION (?<start>\d+))?$/i.exec(
				query.trim(),
			)?.groups;
		if (!parsed) throw fault('4000', `Error parsing query: ${query}`);
		const { what, kind, field, value, max = '100', start = '1' } = parsed;
		const [name, list] = Object.entries(kinds).find(([one]) => isSame(one, kind!))!;
		const found = list.filter((one) => !field || one[field] === value);
		if (what !== '*') return { QueryResponse: { totalCount: found.length } };
		const page = found.slice(Number(start) - 1, Number(start) - 1 + Number(max));
		return { QueryResponse: page.length > 0 ? { [name]: page } : {} };
	};

	const service = webService('quickBooks', {
		records: { Estimates: estimates, Customers: customers, Products: items },
		routes: {
			[`GET ${COMPANY}/query`]: ({ query }) => select(query.get('query') ?? ''),
			[`POST ${COMPANY}/customer`]: ({ body }) => ({ Customer: addCustomer(body) }),
			[`POST ${COMPANY}/estimate`]: ({ body }) => ({ Estimate: addEstimate(body) }),
		},
		fill(products: Record<string, string[]>) {
			for (const [brand, names] of Object.entries(products)) {
				for (const name of names) {
					const part = { Name: `${brand} ${name}`, Sku: name, Type: 'NonInventory' };
					add(items, brand ? part : { Name: name, Type: 'Service' });
				}
			}
		},
	});
	return { ...service, customers, items, estimates, addCustomer };
}
