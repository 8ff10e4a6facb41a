/** IDs of proposals, named by their purpose. */
export const proposalIds = {
	/** Draft, small, complete (client, location, tax, labor, fee, care plan), costs out of date. */
	staleTheatre: 48201,
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
	otherSubmitted: 49002,
};

/** IDs of change orders, both of the accepted proposal. */
export const changeOrderIds = { draft: 48301, accepted: 48302 };
