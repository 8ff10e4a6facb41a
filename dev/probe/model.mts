/** What the parts of the probe share. */

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses of a service nobody has typed
export type Json = any;

export type Format = 'form' | 'json' | 'none';

/** How a list goes into a form or a query: `A=1&A=2`, `A=1,2` or `A=[1,2]`. */
export type Lists = 'repeated' | 'commas' | 'brackets';

/** Names of the contract and what is sent under them. */
export type Fields = Record<string, unknown>;

/** A file in a multipart body. */
export interface File {
	name: string;
	content: Buffer;
}

/** A response, read to its end. The status is 0 when nothing usable came. */
export interface Answer {
	status: number;
	isSuccess: boolean;
	headers: Record<string, unknown>;
	data: Json;
	/** The service does not know this route. */
	isMissingRoute: boolean;
	/** The names in `responseStatus.errors[].fieldName`. */
	errorFields: string[];
	/** The service's code of the error; empty when it has none. */
	errorCode: string;
}

export type Verdict = 'confirmed' | 'differs' | 'no effect' | 'not tried';

/** What to send in place of what this package sends. */
export interface Correction {
	format?: Format;
	/** The service's name by the name of the contract; of list entries as `Items[].itemId`. */
	names?: Record<string, string>;
	lists?: Lists;
	path?: string;
}

export interface EndpointReport {
	/** Its `operationId` in the contract. */
	operation: string;
	method: string;
	path: string;
	verdict: Verdict;
	correction?: Correction;
	note?: string;
}

/** What the probe found out. It has no value of the account by construction. */
export interface Report {
	/** The base URL of the service. */
	service: string;
	startedAt: string;
	seconds: number;
	requests: number;
	/** Why the probe stopped before its end; absent when it did not. */
	endedEarly?: string;
	endpoints: EndpointReport[];
	/** By record type and field: how responses differ from the contract. */
	records: Record<string, Record<string, string>>;
	facts: Record<string, unknown>;
	/** What the service has now that was not there before. */
	left: string[];
}
