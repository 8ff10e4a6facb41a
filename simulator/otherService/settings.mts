/** What a field is called: the contract's name, and this service's name for it. */
export type Names = Record<string, string>;

/** A format of request bodies. */
export type Format = 'form' | 'json';

/** A way to send several values: `A=1&A=2`, `A=1,2` or `A=[1,2]`. A list in JSON is always read. */
export type ListForm = 'repeated' | 'commas' | 'brackets';

/** A choice for all operations, or by operation; `*` is for those that are not named. */
export type ByOperation<Choice> = readonly Choice[] | Record<string, readonly Choice[]>;

/** A page on which the service describes itself. */
export type DiscoveryPage =
	'/metadata' | '/types/typescript' | '/types/metadata' | '/openapi' | '/swagger.json';

/**
 * How responses of an operation differ. Fields are paths with dots through objects and lists alike
 * (`areas.options.items.quantity`, or `partyType` in every entry of a bare list).
 */
export interface AnswerChanges {
	/** The new name of a field, by path. */
	rename?: Names;
	/** Fields that are absent. */
	remove?: readonly string[];
	/** Additional fields, by path, with their value. */
	add?: Record<string, unknown>;
	/** Fields of another type. `list` puts the value into a list of one. */
	types?: Record<string, 'text' | 'number' | 'boolean' | 'list' | 'null'>;
}

/**
 * How a service differs from the contract. Operations are named as in the contract
 * (`item.updateQuantity`); what is said of one is true of its second path too. Without any part it
 * is a service that reads requests as ServiceStack does: names in any case, unknown names ignored,
 * forms and JSON alike, lists in every form, values also from path and query.
 */
export interface OtherService {
	/**
	 * Field names by operation, also in the entries of a list: `Items[].itemId`. What is not named
	 * keeps its name. The contract's own name is then unknown, and therefore ignored.
	 */
	names?: Record<string, Names>;
	/** The formats in which a body is read. Default: both. */
	formats?: ByOperation<Format>;
	/** A body in another format is not read (so required fields are missing), or refused with 415. */
	otherFormat?: 'unread' | 'refused';
	/** How lists are read. Default: in every form. In another one, only the last field counts. */
	lists?: ByOperation<ListForm>;
	/**
	 * Another path by operation, parameters in braces, instead of all paths of the contract. An
	 * operation ID with `.alternate` sets the second path. Parameters can be any fields of the
	 * operation; those that the path lacks are fields of query or body.
	 */
	paths?: Record<string, string>;
	/** Other values of a field, in requests and responses: `{ PartyType: { Person: 'Individual' } }`. */
	values?: Record<string, Record<string, string>>;
	/** Whether the signed URL includes the query string. */
	signedQuery?: boolean;
	/** Status of a success by operation, such as 201 for creations. */
	statuses?: Record<string, number>;
	/** Whether reads and updates of subscriptions return the secret key. */
	secretKeyInLists?: boolean;
	events?: {
		/**
		 * The identifiers of this service, by documented identifier. Documented events that are not
		 * named do not exist; the setting `additionalEvents` has further ones.
		 */
		names?: Names;
		/** The only way to subscribe to several. Default: repeated and with commas. */
		several?: 'repeated' | 'commas' | 'one';
	};
	/**
	 * The response to a request with missing or wrong fields: `fields` (default) names each of them,
	 * `plain` is a 400 without names. `none` changes nothing and returns the unchanged proposal;
	 * where the response is no proposal, it is as `plain`.
	 */
	validation?: 'fields' | 'plain' | 'none';
	/** The pages that exist. Default: none; they are unknown routes. */
	discovery?: {
		pages: readonly DiscoveryPage[];
		/** Whether they need a signed request. */
		isSigned?: boolean;
		/** How `/types/typescript` and `/openapi` write properties. Default: camelCase. */
		casing?: 'camelCase' | 'PascalCase';
	};
	/** Changed responses by operation; `*` is for every response that has the field. */
	answers?: Record<string, AnswerChanges>;
}
