/** One item: catalog ID, quantity, and what differs from the catalog. */
export interface SeedItem {
	ref: number;
	quantity: number;
	/** Cost when it was added, if it differs from the current catalog cost. */
	cost?: number;
	price?: number;
	isCombined?: boolean;
	isTaxExempt?: boolean;
	clientNote?: string;
	nested?: SeedItem[];
}

/** An area: its name and its options with their items. */
export type SeedArea = [name: string, ...options: { status?: string; items: SeedItem[] }[]];

/** A proposal to insert. Columns that are not given follow from its status. */
export interface SeedProposal {
	id: number;
	name: string;
	status: string;
	/** How many days ago: created, last change by a user, last change at all. At least one. */
	daysAgo: [created: number, byUser: number, modified: number];
	/** How many days ago it was submitted last, if not with its last change. */
	submittedDaysAgo?: number;
	contact?: number;
	location?: number;
	salesPerson?: number;
	other?: Record<string, string | number>;
	areas: SeedArea[];
}

/** A shorthand for an item. */
export const one = (ref: number, quantity: number, rest: Partial<SeedItem> = {}): SeedItem => ({
	ref,
	quantity,
	...rest,
});
