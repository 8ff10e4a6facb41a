/** Lists the IDs in the seed by purpose. `seed.yaml` contains the records. */

export const accounts = { dealer: 11, lapsed: 12, otherDealer: 13 };

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
	withPrimary: 5101, // one complete primary location, which is assigned with the contact; taxed
	company: 5102, // three locations: one primary, another one for billing
	abroad: 5105, // a primary location outside the country
};

/** IDs of locations, by contact. */
export const locations = { withPrimary: 6101, companyThird: 6104 };

/** IDs of proposals. The costs in the proposals named `stale…` are outdated. */
export const proposals = {
	staleTheater: 48201, // Draft, small, complete: client, location, tax, labor, fee, care plan
	staleWholeHome: 48202, // Draft, three areas, options, nested and combined items, discount of 10%
	staleSecurity: 48203, // Draft, client without a primary location but with an assigned location
	staleAudio: 48204, // Draft, client without a location; some costs have risen and some fallen
	staleOffice: 48205, // Draft, no client
	freshLighting: 48206, // Draft, costs match the catalog, so refreshing them changes no margin
	freshNetwork: 48207, // like freshLighting, with a fixed discount and a tax-exempt item
	empty: 48208, // Draft, no client, no areas
	submitted: 48210,
	submittedToo: 48211,
	viewed: 48212, // ViewedByClient
	accepted: 48213, // with two change orders, a payment schedule, and payment requests
	completed: 48214,
	declined: 48215,
	expired: 48216,
	delayed: 48217,
	emailFailed: 48218,
	archived: 48219, // Draft, listed only with IsArchive=true
};

/** IDs of change orders, both in the accepted proposal. */
export const changeOrders = { draft: 48301, accepted: 48302 };

/** IDs of some catalog items. The television and the mount have two suppliers each. */
export const catalogItems = {
	television: 9001,
	mount: 9006,
	discontinued: 9039,
	installation: 8001,
	programming: 8002,
};
