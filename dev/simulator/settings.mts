import type { Clock } from './clock.mts';
import type { Routes } from './contract.mts';
import type { OptionalFields } from './reducedResponses.mts';

/** How a simulator behaves. Every setting is optional for `startSimulator`. */
export interface Settings {
	/** Port on 127.0.0.1; 0 takes a free one. */
	port: number;
	/** SQLite file, or `:memory:`. A file with data is used as it is, an empty one is seeded. */
	database: string;
	/**
	 * The day from which the dates of the seed are counted back, as `YYYY-MM-DD`; undefined: the
	 * date of the clock (UTC). A test that expects certain dates sets it. The clock does not follow it.
	 */
	today: string | undefined;
	/** The service's clock, which `control.advance` moves. Default: the machine's. */
	clock: Clock;
	/** Whether a key exchange ends the earlier keys of the same user. */
	singleUserKey: boolean;
	/**
	 * Which paths exist of an operation that has several: all, the first (`specification`), the second
	 * (`alternate`), or that of the newest pages (`newest`). Operations with one path always exist.
	 */
	routes: Routes;
	/**
	 * What operations take whose body is not documented: forms, or JSON with camelCase keys. The
	 * other of the two is a 415.
	 */
	assumedBodies: 'form' | 'json';
	/** What responses have beyond the fields that are required. */
	optionalFields: OptionalFields;
	/** How a wrong signature is refused: as the documentation shows it, or as all other errors are. */
	signatureError: 'text' | 'object';
	/** Whether the query of a request is signed, as one edition of the documentation says. */
	signsQuery: boolean;
	/** The content type that a DELETE has to send and sign; undefined: whichever it sends, or none. */
	deleteContentType: string | undefined;
	/** Whether contacts in a list have what is documented of a single one. */
	listedContacts: 'short' | 'full';
	/**
	 * What becomes of a field under its assumed name, where no body is documented: it is read (`known`),
	 * it is ignored and nothing is changed, it counts as its default value, or it is refused with the
	 * name that the service has.
	 */
	assumedNames: 'known' | 'ignored' | 'reset' | 'refused';
	/** Seconds that each step of the AI Builder takes. */
	aiStepSeconds: number;
	/** Size limits of AI content. */
	uploadLimits: UploadLimits;
	/** Gets one line for every request and for what happens in the background. Default: no log. */
	log: (line: string) => void;
	/** How long each request waits before it is handled. */
	latencyMs: number;
	/** Identifiers of events that can be subscribed to beside the documented ones. */
	additionalEvents: readonly string[];
	/** Seconds before each retry of a delivery, from the failure before it. */
	webhookRetrySeconds: readonly number[];
	/** How long a webhook receiver has to respond (assumed). */
	webhookTimeoutMs: number;
}

/** How large uploads may be, in bytes. A megabyte is assumed to be 1024 x 1024 bytes. */
export interface UploadLimits {
	/** A file that is sent in one part. */
	single: number;
	/** Any file. */
	total: number;
	/** The smallest size of a chunk, except the last one. */
	minChunk: number;
}
