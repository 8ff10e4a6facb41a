/** What QuickBooks Online checks and calculates in an estimate or an invoice. */
import { badReference, Fault, missing, unknownField } from './fault.mts';
import type { Document, Line, Reference } from './types.mts';

const LINE_FIELDS = new Set(
	'Id LineNum Description Amount DetailType SalesItemLineDetail DiscountLineDetail'.split(' '),
);
const DETAIL_FIELDS = new Set('ItemRef Qty UnitPrice TaxCodeRef ServiceDate'.split(' '));
const DOCUMENT_FIELDS = new Set(
	(
		'Id SyncToken sparse CustomerRef Line DocNumber TxnDate TxnStatus TxnTaxDetail TotalAmt BillAddr ' +
		'ShipAddr BillEmail CustomerMemo PrivateNote CustomField EmailStatus PrintStatus DueDate ' +
		'ExpirationDate AcceptedBy AcceptedDate ApplyTaxAfterDiscount domain MetaData CurrencyRef'
	).split(' '),
);
const STATUSES = ['Pending', 'Accepted', 'Closed', 'Rejected'];
const MAX_NUMBER_LENGTH = 21;
const MAX_DESCRIPTION_LENGTH = 4000;

/** Whether something is referred to that is there and active. */
export type Knows = (kind: 'customer' | 'item', id: string) => boolean;

const cents = (amount: number) => Math.round(amount * 100);

/** Refuses what QuickBooks would refuse in the fields of a document. */
export function checkDocument(document: Record<string, unknown>, knows: Knows): void {
	for (const field of Object.keys(document)) {
		if (!DOCUMENT_FIELDS.has(field)) throw unknownField(field);
	}
	const { CustomerRef, Line: lines, DocNumber, TxnStatus } = document as Partial<Document>;
	if (!CustomerRef?.value) throw missing('CustomerRef');
	if (!knows('customer', CustomerRef.value)) throw badReference('CustomerRef', CustomerRef.value);
	if (!Array.isArray(lines) || lines.length === 0) throw missing('Line');
	for (const line of lines) checkLine(line, knows);
	if (DocNumber !== undefined && DocNumber.length > MAX_NUMBER_LENGTH) {
		throw new Fault(
			'2050',
			'String length is either shorter or longer than supported',
			'DocNumber',
		);
	}
	if (TxnStatus !== undefined && !STATUSES.includes(TxnStatus)) {
		throw new Fault('2030', 'Invalid ID', `TxnStatus ${TxnStatus}`);
	}
	if (cents(totalOf(document as Partial<Document>)) < 0) {
		throw new Fault(
			'6000',
			'A business validation error has occurred while processing your request',
			'Business Validation Error: Transaction amount must be 0 or greater.',
		);
	}
}

function checkLine(line: Line, knows: Knows): void {
	for (const field of Object.keys(line)) if (!LINE_FIELDS.has(field)) throw unknownField(field);
	if ((line.Description?.length ?? 0) > MAX_DESCRIPTION_LENGTH) {
		throw new Fault(
			'2050',
			'String length is either shorter or longer than supported',
			'Description',
		);
	}
	if (line.DetailType === 'DescriptionOnly') {
		// Assumed: an amount on such a line is refused, unless it is nothing.
		if (line.Amount) throw new Fault('2090', 'Invalid Number', 'Line.Amount');
		return;
	}
	// Assumed: without an account, QuickBooks books the discount on its own.
	if (line.DetailType === 'DiscountLineDetail') {
		if (typeof line.Amount !== 'number' || line.Amount < 0) throw missing('Line.Amount');
		return;
	}
	if (line.DetailType !== 'SalesItemLineDetail') throw missing('Line.DetailType');
	checkSalesLine(line, knows);
}

function checkSalesLine(line: Line, knows: Knows): void {
	const detail = line.SalesItemLineDetail;
	if (!detail) throw missing('Line.SalesItemLineDetail');
	if (typeof line.Amount !== 'number') throw missing('Line.Amount');
	for (const field of Object.keys(detail)) {
		if (!DETAIL_FIELDS.has(field)) throw unknownField(field);
	}
	const { ItemRef, Qty, UnitPrice, TaxCodeRef } = detail;
	// Assumed: without a product QuickBooks takes one of its own, which nobody wants.
	if (!ItemRef?.value) throw missing('Line.SalesItemLineDetail.ItemRef');
	if (!knows('item', ItemRef.value)) throw badReference('ItemRef', ItemRef.value);
	if (TaxCodeRef?.value !== undefined && !['TAX', 'NON'].includes(TaxCodeRef.value)) {
		throw badReference('TaxCodeRef', TaxCodeRef.value);
	}
	if (
		Qty !== undefined &&
		UnitPrice !== undefined &&
		cents(Qty * UnitPrice) !== cents(line.Amount)
	) {
		throw new Fault(
			'6070',
			'Amount calculation incorrect in the request',
			`Amount calculation incorrect in the request : Amount is not equal to UnitPrice * Qty. Supplied value:${line.Amount}`,
		);
	}
}

/** What the lines and the tax add up to. */
function totalOf({ Line: lines = [], TxnTaxDetail }: Partial<Document>): number {
	const { TotalTax = 0 } = (TxnTaxDetail ?? {}) as { TotalTax?: number };
	const signed = ({ Amount = 0, DetailType }: Line) =>
		DetailType === 'DiscountLineDetail' ? -cents(Amount) : cents(Amount);
	const sum = lines.reduce((total, line) => total + signed(line), 0);
	return (sum + cents(TotalTax)) / 100;
}

/** A document with what QuickBooks adds to it: the IDs of the lines, names and the total. */
export function complete(
	document: Record<string, unknown>,
	nameOf: (kind: 'customer' | 'item', id: string) => string,
): Omit<Document, 'Id' | 'SyncToken'> {
	const { CustomerRef, Line: lines, DocNumber } = document as unknown as Document;
	const named = (kind: 'customer' | 'item', { value }: Reference) => ({
		value,
		name: nameOf(kind, value),
	});
	return {
		...document,
		DocNumber,
		CustomerRef: named('customer', CustomerRef),
		Line: lines.map((line, index) => withNames({ ...line, Id: String(index + 1) }, named)),
		TotalAmt: totalOf(document as Partial<Document>),
	};
}

function withNames(line: Line, named: (kind: 'item', reference: Reference) => Reference): Line {
	const detail = line.SalesItemLineDetail;
	if (!detail?.ItemRef) return line;
	return { ...line, SalesItemLineDetail: { ...detail, ItemRef: named('item', detail.ItemRef) } };
}
