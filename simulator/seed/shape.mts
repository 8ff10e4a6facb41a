/** One item: catalog id, quantity, and what differs from the catalog. */
export interface SeedItem {
	ref: number;
	quantity: number;
	/** Cost when it was added, where it is not today's catalog cost. */
	cost?: number;
	price?: number;
	isCombined?: boolean;
	isTaxExempt?: boolean;
	clientNote?: string;
	nested?: SeedItem[];
}

/** An option is its items; an area is a name and its options. */
export type SeedArea = [name: string, ...options: { status?: string; items: SeedItem[] }[]];

/** A proposal to plant; columns that are not given take what their state implies. */
export interface SeedProposal {
	id: number;
	name: string;
	status: string;
	/** Days: created, last change by a user, last change at all. */
	days: [created: string, byUser: string, modified: string];
	contact?: number;
	location?: number;
	salesPerson?: number;
	other?: Record<string, string | number>;
	areas: SeedArea[];
}

/** Short for an item. */
export const one = (ref: number, quantity: number, rest: Partial<SeedItem> = {}): SeedItem => ({
	ref,
	quantity,
	...rest,
});
