/** What the probe asks, and what it reports (docs/probe.md). */

/** How the fields of a body are sent. */
export type Format = 'form' | 'json';

/** How a list of plain values is sent in a form: a field for each, one text, or a JSON list as text. */
export type Lists = 'repeated' | 'commas' | 'brackets';

/** A body under the names that go over the wire. */
export interface Body {
	format: Format;
	values: Record<string, unknown>;
	/** Repeated when left out. A JSON body has its lists as lists, unless this says otherwise. */
	lists?: Lists;
}

/** A file in a multipart form. */
export interface FileBody {
	format: 'multipart';
	fields: Record<string, string>;
	/** Also the name of its field, as the service reads the type from there. */
	fileName: string;
	content: Buffer;
}

/** One request. */
export interface ProbeRequest {
	method: string;
	/** With the IDs in it. */
	path: string;
	query?: Record<string, unknown>;
	body?: Body | FileBody;
	/** Whether it goes out without the signature and the keys. */
	isUnsigned?: boolean;
	/** How far the date of the request is off, in milliseconds. */
	dateOffsetMs?: number;
	/** A user API key in place of the current one. */
	userApiKey?: string;
	/** Headers in addition to the signed ones, or in their place; one that is undefined is left out. */
	headers?: Record<string, string | undefined>;
}

/** One response. */
export interface Answer {
	status: number;
	/** By lower-case name. */
	headers: Record<string, unknown>;
	/** Parsed JSON, text, or '' for an empty body. */
	data: unknown;
	/** Whether the service has no such route, in distinction to no such record. */
	isMissingRoute: boolean;
	/** What the service says is wrong, by its names of the fields. */
	fieldErrors: { fieldName: string; message: string }[];
	/** What it says in words, as it came: for `publicWords` alone. */
	message: string;
}

/**
 * What became of an endpoint: it does what this package expects; it wants something else; the
 * service does not have it; it refused; the probe had no way to try it.
 */
export type Verdict = 'confirmed' | 'differs' | 'missing' | 'refused' | 'not tried';

/** What to send in place of what the package sends. */
export interface Correction {
	format: Format;
	/** The service's name by the package's; fields of list entries as `Items[].itemId`. */
	names: Record<string, string>;
	lists?: Lists;
	/** The path with its parameters in braces, where it is another one. */
	path?: string;
	/** Values of enumerations, the service's by the package's, by the package's field name. */
	values?: Record<string, Record<string, string>>;
}

/** How a response differs from the contract: paths of fields, such as `areas[].options[].id`. */
export interface Differences {
	/** Fields that the contract does not have. */
	added: string[];
	/** Fields that the contract requires and the response does not have. */
	absent: string[];
	/** Fields of another type or outside of the contract's values, with what was found. */
	types: string[];
}

/** What was learned of one endpoint. */
export interface EndpointReport {
	method: string;
	path: string;
	/** Its `operationId` in the contract. */
	operation: string;
	verdict: Verdict;
	/** What was sent, by names and types. */
	request?: { format: Format | 'multipart' | 'none'; fields: Record<string, string> };
	correction?: Correction;
	response?: Differences & { status: number };
	/** Parameters of its query that change nothing. */
	ignored?: string[];
	/** In words, without any value of the account. */
	note?: string;
}

/** What the probe found out. */
export interface Report {
	/** The base URL of the service. */
	service: string;
	/** ISO 8601, UTC. */
	startedAt: string;
	seconds: number;
	requests: number;
	/** Why the probe ended before its end; absent when it did not. */
	endedEarly?: string;
	endpoints: EndpointReport[];
	facts: Record<string, unknown>;
	/** What the service has now and no endpoint can delete. */
	left: string[];
	/** What to change in this package, each naming a file. */
	changes: string[];
}
