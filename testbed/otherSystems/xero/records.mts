/** What a Xero organization holds, and what Xero checks before it saves something. */
import { randomUUID } from 'node:crypto';
import { badJson, invalidRecord, notFound } from './errors.mts';

/** Somebody whom invoices are for. */
export interface Contact {
	ContactID: string;
	ContactStatus: 'ACTIVE' | 'ARCHIVED';
	Name: string;
	FirstName?: string;
	LastName?: string;
	EmailAddress?: string;
	AccountNumber?: string;
}

/** A line of an invoice. */
export interface LineItem {
	Description: string;
	Quantity: number;
	UnitAmount: number;
	LineAmount: number;
	AccountCode?: string;
	TaxType?: string;
}

/** A sales invoice. Amounts are in whole cents here; Xero shows them with two decimals. */
export interface Invoice {
	InvoiceID: string;
	InvoiceNumber: string;
	Type: 'ACCREC';
	Status: 'DRAFT' | 'SUBMITTED' | 'AUTHORISED' | 'PAID' | 'VOIDED' | 'DELETED';
	Contact: { ContactID: string; Name: string };
	Date: string;
	DueDate: string;
	Reference?: string;
	LineAmountTypes: string;
	CurrencyCode: string;
	LineItems: LineItem[];
	total: number;
	paid: number;
}

/** A payment of an invoice. */
export interface Payment {
	PaymentID: string;
	Invoice: { InvoiceID: string; InvoiceNumber: string };
	Account: { Code: string };
	Date: string;
	Reference?: string;
	Status: 'AUTHORISED' | 'DELETED';
	cents: number;
}

/** An account of the chart. */
export interface Account {
	Code: string;
	Name: string;
	Type: string;
	EnablePaymentsToAccount?: boolean;
}

type Fields = Record<string, unknown>;

const texts = (fields: Fields, names: readonly string[]) =>
	Object.fromEntries(names.filter((name) => fields[name]).map((name) => [name, fields[name]]));

/** The fields of a contact that are kept. */
export const CONTACT_FIELDS = [
	'Name',
	'FirstName',
	'LastName',
	'EmailAddress',
	'AccountNumber',
	'ContactNumber',
] as const;

/** Reads a decimal as Xero does: an empty text is none. */
function decimal(fields: Fields, name: string, path: string): number | undefined {
	const value = fields[name];
	if (value === undefined || value === null) return undefined;
	const number = value === '' ? Number.NaN : Number(value);
	if (Number.isFinite(number)) return number;
	throw badJson(`Could not convert string to decimal: ${String(value)}. Path '${path}.${name}'`);
}

/** Creates a contact, or changes the one with the same ID or name. */
export function saveContact(contacts: Contact[], fields: Fields): Contact {
	const name = String(fields.Name ?? '').trim();
	const byId = contacts.find(({ ContactID }) => ContactID === fields.ContactID);
	if (fields.ContactID !== undefined && !byId) throw notFound();
	if (!byId && name === '') {
		throw invalidRecord(fields, [
			'The contact name must be specified when creating a new contact.',
		]);
	}
	const isSame = (one: Contact) =>
		one.ContactStatus === 'ACTIVE' && one.Name.toLowerCase() === name.toLowerCase();
	// POST creates or updates; a name belongs to one active contact.
	const known = byId ?? contacts.find(isSame);
	const changes = texts(fields, CONTACT_FIELDS);
	if (known) return Object.assign(known, changes);
	const contact: Contact = {
		ContactID: randomUUID(),
		ContactStatus: 'ACTIVE',
		Name: name,
		...changes,
	};
	contacts.push(contact);
	return contact;
}

/** Creates a sales invoice, or changes the one with the same ID or number. */
export function saveInvoice(
	{
		invoices,
		contacts,
		accounts,
	}: { invoices: Invoice[]; contacts: Contact[]; accounts: Account[] },
	fields: Fields,
): Invoice {
	const number = String(fields.InvoiceNumber ?? `INV-${1000 + invoices.length}`);
	const known = invoices.find(
		({ InvoiceID, InvoiceNumber }) => InvoiceID === fields.InvoiceID || InvoiceNumber === number,
	);
	const contact = contacts.find(
		({ ContactID }) => ContactID === (fields.Contact as Fields | undefined)?.ContactID,
	);
	const status = String(fields.Status ?? 'DRAFT');
	const lines = ((fields.LineItems ?? []) as Fields[]).map(lineOf);
	const errors = [
		known && known.Status !== 'DRAFT' && 'Invoice not of valid status for modification',
		fields.Type !== 'ACCREC' && 'A Type must be specified.',
		!contact && 'The Contact must be specified.',
		number.length > 255 && 'Invoice # is too long.',
		...(status === 'AUTHORISED' ? authorizationErrors(fields, lines, accounts) : []),
	].filter((error) => typeof error === 'string');
	if (errors.length > 0) throw invalidRecord(fields, errors);
	const saved: Invoice = {
		InvoiceID: known?.InvoiceID ?? randomUUID(),
		InvoiceNumber: number,
		Type: 'ACCREC',
		Status: status as Invoice['Status'],
		Contact: { ContactID: contact!.ContactID, Name: contact!.Name },
		Date: day(fields.Date),
		DueDate: day(fields.DueDate),
		LineAmountTypes: String(fields.LineAmountTypes ?? 'Exclusive'),
		CurrencyCode: String(fields.CurrencyCode ?? 'USD'),
		...texts(fields, ['Reference']),
		LineItems: lines,
		total: lines.reduce((sum, { LineAmount }) => sum + Math.round(LineAmount * 100), 0),
		paid: 0,
	};
	if (known) return Object.assign(known, saved);
	invoices.push(saved);
	return saved;
}

const day = (date: unknown) => String(date ?? new Date().toISOString()).slice(0, 10);

function lineOf(fields: Fields, index: number): LineItem {
	const path = `LineItems[${index}]`;
	for (const name of ['TaxAmount', 'DiscountRate']) decimal(fields, name, path);
	const Quantity = decimal(fields, 'Quantity', path) ?? 1;
	const UnitAmount = decimal(fields, 'UnitAmount', path) ?? 0;
	const amount = Math.round(Quantity * UnitAmount * 100) / 100;
	const LineAmount = decimal(fields, 'LineAmount', path) ?? amount;
	if (LineAmount !== amount) {
		throw invalidRecord(fields, ['The line total does not match the expected line total']);
	}
	return {
		Description: String(fields.Description ?? ''),
		Quantity,
		UnitAmount,
		LineAmount,
		...texts(fields, ['AccountCode', 'TaxType']),
	};
}

function authorizationErrors(fields: Fields, lines: LineItem[], accounts: Account[]): string[] {
	const codes = accounts.filter(({ Type }) => Type !== 'BANK').map(({ Code }) => Code);
	return [
		fields.DueDate ? '' : 'DueDate cannot be empty.',
		lines.length > 0 ? '' : 'One or more line items must be specified',
		...lines.flatMap(({ AccountCode, Description }) => [
			Description === '' ? 'Description cannot be empty.' : '',
			codes.includes(AccountCode ?? '')
				? ''
				: `Account code '${AccountCode ?? ''}' is not a valid code for this document.`,
		]),
	].filter((error) => error !== '');
}

/** Pays an invoice. */
export function savePayment(
	{
		invoices,
		payments,
		accounts,
	}: { invoices: Invoice[]; payments: Payment[]; accounts: Account[] },
	fields: Fields,
): Payment {
	const to = (fields.Invoice ?? {}) as Fields;
	const code = (fields.Account as Fields | undefined)?.Code;
	const invoice = invoices.find(
		({ InvoiceID, InvoiceNumber }) =>
			InvoiceID === to.InvoiceID || InvoiceNumber === to.InvoiceNumber,
	);
	const account = accounts.find(({ Code }) => Code === code);
	const cents = Math.round((decimal(fields, 'Amount', 'Payments[0]') ?? 0) * 100);
	const errors = [
		!invoice && 'Invoice could not be found',
		invoice &&
			!['AUTHORISED', 'PAID'].includes(invoice.Status) &&
			'Payments can only be made against Authorised documents',
		(!account || (account.Type !== 'BANK' && !account.EnablePaymentsToAccount)) &&
			'Account could not be found',
		cents <= 0 && 'Payment amount must be greater than zero',
		invoice &&
			cents > invoice.total - invoice.paid &&
			'Payment amount exceeds the amount outstanding on this document',
	].filter((error) => typeof error === 'string');
	if (errors.length > 0) throw invalidRecord(fields, errors);
	const payment: Payment = {
		PaymentID: randomUUID(),
		Invoice: { InvoiceID: invoice!.InvoiceID, InvoiceNumber: invoice!.InvoiceNumber },
		Account: { Code: account!.Code },
		Date: day(fields.Date),
		...texts(fields, ['Reference']),
		Status: 'AUTHORISED',
		cents,
	};
	payments.push(payment);
	invoice!.paid += cents;
	if (invoice!.paid === invoice!.total) invoice!.Status = 'PAID';
	return payment;
}
