import type { Endpoint, Routes } from './contract.mts';
import type { OptionalFields } from './render.mts';

/** The settings of a simulator. All are optional for `startSimulator`. */
export type Settings = typeof defaults;

const MEGABYTE = 1024 * 1024;

export const defaults = {
	port: 0,
	/** Which paths exist of an operation that has several. */
	routes: 'all' as Routes,
	/** Whether a proposal can have several areas of the same name. */
	areaNames: 'unique' as 'unique' | 'any',
	/** Fields of responses beyond the required ones. */
	optionalFields: 'present' as OptionalFields,
	/** Whether contacts in a list have what is documented of a single one. */
	listedContacts: 'short' as 'short' | 'full',
	/** The dates of a contact: of its last modification, or of its creation and then of its modifications (assumed). */
	contactDates: 'modification' as 'modification' | 'creationFirst',
	/** Whether a search returns favorites also among its items, or only in a paged list of their own (assumed). */
	favorites: 'amongItems' as 'amongItems' | 'onlyTheirOwn',
	/** The response to a change: the record, its ID alone, or none (assumed). */
	changeResponses: 'record' as 'record' | 'onlyId' | 'none',
	/** The service's name of a field; of an object in a list as `Items.quantity`. */
	names: (field: string, _endpoint: Endpoint) => field.slice(field.indexOf('.') + 1),
	/** Further fields that nothing reads: `{ 'catalog.search': 'Industries?: text[]' }`. */
	moreFields: {} as Record<string, string>,
	/** Whether a login returns the same key while it is valid, or a new one (assumed). */
	userKeys: 'persistent' as 'persistent' | 'new',
	/**
	 * The reaction of an undocumented endpoint to missing fields: an error, no change, or 0, false and null
	 * as their values, which the framework gives to what a request does not contain.
	 */
	missing: 'refused' as 'refused' | 'ignored' | 'zero',
	/** The response to an unknown user key: that to a wrong signature, or words of its own (assumed). */
	unknownUserKey: 'asWrongSignature' as 'asWrongSignature' | 'inOwnWords',
	/** Whether `ModifiedAfter` also finds what was modified at that very time (assumed). */
	modifiedAfter: 'exclusive' as 'exclusive' | 'inclusive',
	/**
	 * The order of records whose values are equal in what a list is sorted by: the same in every response,
	 * but not that of their IDs; another one in each response; or that of their IDs.
	 */
	ties: 'any' as 'any' | 'changing' | 'byId',
	/** Whether `/types/typescript` describes the request types. */
	hasMetadata: false,
	aiStepSeconds: 30,
	/** In bytes. A megabyte is assumed to be 1024 x 1024 bytes. */
	uploadLimits: { single: 25 * MEGABYTE, total: 1024 * MEGABYTE, minChunk: 5 * MEGABYTE },
	/** Gets one line for every request and for what happens in the background. */
	log: (_line: string) => {},
	latencyMs: 0,
	/** How lists in pages differ from what is assumed, as those of a search engine do. */
	paging: {
		firstPage: 1,
		ignoresPageNumber: false,
		/** No page has more records, whatever is requested. */
		largestPage: Infinity,
		/** The number of records of a list that its pages show. */
		window: Infinity,
		/** A page behind the window: it has no records, it is a 400, or the count is 0 as well. */
		windowEnd: 'empty' as 'empty' | 'error' | 'uncounted',
		/** The number of records by which the count falls from page to page. */
		countDrift: 0,
	},
	/** Parts that a search of the catalog finds although only a part of their model fits. */
	similarParts: 0,
	/** Identifiers of events that can be subscribed to beside the documented ones. */
	additionalEvents: [] as readonly string[],
	/** Seconds before each retry of a delivery, from the failure before it. */
	webhookRetrySeconds: [1, 5, 30, 120, 720].map((minutes) => minutes * 60),
	/** Whether each attempt of a delivery is signed with its own time, or all with that of the event (assumed). */
	deliverySignature: 'eachAttempt' as 'eachAttempt' | 'once',
	/** The time limit for a webhook receiver's response (assumed). */
	webhookTimeoutMs: 10_000,
};
