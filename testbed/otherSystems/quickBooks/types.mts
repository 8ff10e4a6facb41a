/** What QuickBooks Online keeps. */

/** Anything that it keeps. */
export interface Entity {
	Id: string;
	SyncToken: string;
	[field: string]: unknown;
}

/** A reference to something else. */
export interface Reference {
	value: string;
	name?: string;
}

/** A line of an estimate or an invoice. */
export interface Line {
	Id?: string;
	LineNum?: number;
	Description?: string;
	Amount?: number;
	DetailType: string;
	SalesItemLineDetail?: {
		ItemRef?: Reference;
		Qty?: number;
		UnitPrice?: number;
		TaxCodeRef?: Partial<Reference>;
	};
	[field: string]: unknown;
}

/** A customer. */
export interface Customer extends Entity {
	DisplayName: string;
	Active: boolean;
}

/** A product or service. */
export interface Item extends Entity {
	Name: string;
	Sku?: string;
	Type: string;
	Active: boolean;
}

/** An estimate or an invoice. */
export interface Document extends Entity {
	DocNumber: string;
	CustomerRef: Reference;
	Line: Line[];
	TotalAmt: number;
	TxnStatus?: string;
}
