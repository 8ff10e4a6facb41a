import type { Endpoint, Routes } from './contract.mts';
import type { OptionalFields } from './render.mts';

/** Settings of a simulator. All are optional for `startSimulator`. */
export type Settings = typeof defaults;

const MEGABYTE = 1024 * 1024;

export const defaults = {
	port: 0,
	/** Paths that exist if an operation has several. */
	routes: 'all' as Routes,
	/** Whether several areas of a proposal can have the same name. */
	areaNames: 'unique' as 'unique' | 'any',
	/** Fields in responses in addition to the required ones. */
	optionalFields: 'present' as OptionalFields,
	/** Fields of contacts in a list: those of a proposal's contact, or the documented fields of a single contact. */
	listedContacts: 'short' as 'short' | 'full',
	/**
	 * Dates in a contact: only the last modification, or the creation and, once the contact has been modified, also the
	 * last modification (assumed).
	 */
	contactDates: 'modification' as 'modification' | 'creationFirst',
	/** Whether a search returns favorites among its items as well, or only in a separate paged list (assumed). */
	favorites: 'amongItems' as 'amongItems' | 'onlyTheirOwn',
	/** Response to a change: the record, only its ID, or nothing (assumed). */
	changeResponses: 'record' as 'record' | 'onlyId' | 'none',
	/** Returns the service's name for a field. A field of an object in a list has the form `Items.quantity`. */
	names: (field: string, _endpoint: Endpoint) => field.slice(field.indexOf('.') + 1),
	/**
	 * Additional request fields by operation, which the service ignores: `{ 'catalog.search': 'Industries?: text[]' }`.
	 */
	moreFields: {} as Record<string, string>,
	/** Whether a login returns the same key while this key is valid, or a new one (assumed). */
	userKeys: 'persistent' as 'persistent' | 'new',
	/**
	 * How an undocumented endpoint treats missing fields: it rejects the request, changes nothing, or sets 0, false,
	 * and null, as the framework does for missing values.
	 */
	missing: 'refused' as 'refused' | 'ignored' | 'zero',
	/** Response to an unknown user API key: the response to a wrong signature, or a different one (assumed). */
	unknownUserKey: 'asWrongSignature' as 'asWrongSignature' | 'inOwnWords',
	/** Whether `ModifiedAfter` also matches records modified at exactly that time (assumed). */
	modifiedAfter: 'exclusive' as 'exclusive' | 'inclusive',
	/**
	 * Order of records with equal sort values: always the same but not by ID, different in each response, or by
	 * ID.
	 */
	ties: 'any' as 'any' | 'changing' | 'byId',
	/** Whether `/types/typescript` describes the request types. */
	hasMetadata: false,
	aiStepSeconds: 30,
	/** Maximum size of an upload in bytes. A megabyte is assumed to be 1024 x 1024 bytes. */
	uploadLimits: { single: 25 * MEGABYTE, total: 1024 * MEGABYTE, minChunk: 5 * MEGABYTE },
	/** Receives a line for every request and background event. */
	log: (_line: string) => {},
	latencyMs: 0,
	/** Deviations of paged lists from the assumptions, such as those that a search engine might cause. */
	paging: {
		firstPage: 1,
		ignoresPageNumber: false,
		/** Maximum number of records in a page, even if a request asks for more. */
		largestPage: Infinity,
		/** Number of a list's records that can be read page by page. */
		window: Infinity,
		/** Response to a page past the window: no records, a 400, or no records and a count of 0. */
		windowEnd: 'empty' as 'empty' | 'error' | 'uncounted',
		/** Number by which the count decreases from page to page. */
		countDrift: 0,
	},
	/** Number of parts that a catalog search finds even though only part of their model matches. */
	similarParts: 0,
	/** Event types that can be subscribed to in addition to the documented ones. */
	additionalEvents: [] as readonly string[],
	/** Seconds from each failed attempt of a delivery to its next one. */
	webhookRetrySeconds: [1, 5, 30, 120, 720].map((minutes) => minutes * 60),
	/** Whether each attempt of a delivery is signed with its own time, or with the event's (assumed). */
	deliverySignature: 'eachAttempt' as 'eachAttempt' | 'once',
	/** Time limit for a webhook receiver's response (assumed). */
	webhookTimeoutMs: 10_000,
};
