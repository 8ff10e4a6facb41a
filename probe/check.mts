/** A check of one endpoint: the table of them is in `checks/`. */
import type { Answer, Fields, File } from './model.mts';
import type { Probe } from './probe.mts';

export interface Check {
	/** The `operationId` of the endpoint in the contract. */
	operation: string;
	/** What is sent: the query of a GET, the body of any other. A number that no other attempt has makes values new. */
	fields?: (probe: Probe, attempt: number) => Fields;
	/** A file to send with the fields, as multipart. */
	file?: () => File;
	/** Why it cannot be tried in this run; else undefined. */
	obstacle?: (probe: Probe) => string | undefined;
	/** Before each attempt: makes what the request works on. */
	prepare?: (probe: Probe) => Promise<void>;
	/**
	 * Reads back whether the accepted request took effect. Text says why that cannot be seen. Without
	 * it, success is enough, as for a plain read.
	 */
	tookEffect?: (probe: Probe, sent: Fields, answer: Answer) => Promise<boolean | string>;
	/** After an attempt that took effect, or the last one without: keeps what later checks need. */
	after?: (probe: Probe, answer: Answer) => Promise<void>;
	/** IDs in place of those of the probe, for a read. */
	ids?: (probe: Probe) => Record<string, number>;
	/** Names that the service may have instead, for requests whose body is not documented. */
	otherNames?: Record<string, readonly string[]>;
	/** Paths that the service may have instead, beside the other documented one. */
	otherPaths?: readonly string[];
	/** Only with `--ai`. */
	needsAi?: boolean;
}

/** What a check works on could not be made or read; the message says what. */
export class Unprepared extends Error {}
