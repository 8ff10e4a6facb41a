/** The IDs of the seed, named by their purpose. The records stand in seed.yaml. */

export const accounts = { dealer: 11, lapsed: 12, otherDealer: 13 };

/** IDs of users, for SalesPersonId. `inactive` is not listed and cannot be assigned. */
export const users = {
	dealer: 301,
	salesJordan: 302,
	salesPriya: 303,
	restricted: 304,
	unverified: 305,
	inactive: 306,
	lapsed: 321,
	otherDealer: 331,
};

export const contacts = {
	/**
	 * One complete primary location: assigning the contact assigns the location too, and there is
	 * tax.
	 */
	withPrimary: 5101,
	/** A company with three locations, one primary, another for billing. */
	company: 5102,
	withoutLocation: 5104,
	/** A primary location outside the country. */
	abroad: 5105,
};

/** IDs of locations, named by their contacts. */
export const locations = { withPrimary: 6101, companyThird: 6104 };

/** IDs of proposals, named by their purpose. */
export const proposals = {
	/** Draft, small, complete (client, location, tax, labor, fee, care plan), costs out of date. */
	staleTheater: 48201,
	/**
	 * Draft, large: three areas, options, nested and combined items, 10 % discount; costs out of
	 * date.
	 */
	staleWholeHome: 48202,
	/** Draft, client without primary location but one assigned; costs out of date. */
	staleSecurity: 48203,
	/** Draft, client without any location; costs out of date, some up and some down. */
	staleAudio: 48204,
	/** Draft, no client; costs out of date. */
	staleOffice: 48205,
	/** Draft, costs are those of the catalog: a refresh changes no margin. */
	freshLighting: 48206,
	/** Like freshLighting; fixed discount, a tax-exempt item. */
	freshNetwork: 48207,
	/** Draft, no client, no areas. */
	empty: 48208,
	/** Submitted: the customer can open, accept or decline them. */
	submitted: 48210,
	submittedToo: 48211,
	/** ViewedByClient: the customer can accept or decline it. */
	viewed: 48212,
	/** Accepted, with two change orders, a payment schedule and payment requests. */
	accepted: 48213,
	completed: 48214,
	declined: 48215,
	expired: 48216,
	delayed: 48217,
	emailFailed: 48218,
	/** Draft and archived: listed only with IsArchive=true. */
	archived: 48219,
	/** Of the other dealer: a 404 for all other users. */
	otherDraft: 49001,
};

/** IDs of change orders, both of the accepted proposal. */
export const changeOrders = { draft: 48301, accepted: 48302 };

/** IDs of some catalog items of each type. All items are below. */
export const catalogItems = {
	/** Parts. The television and the mount have two suppliers each. */
	television: 9001,
	mount: 9006,
	speaker: 9010,
	switch: 9036,
	discontinued: 9039,
	/** Labor of the dealer's library. */
	installation: 8001,
	programming: 8002,
	delivery: 8201,
};
