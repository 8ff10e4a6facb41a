import type { Clock } from './clock.mts';
import type { Endpoint, Routes } from './contract.mts';
import type { OptionalFields } from './render.mts';

/** How a simulator behaves. Every setting is optional for `startSimulator`. */
export interface Settings {
	/** Port on 127.0.0.1; 0 takes a free one. */
	port: number;
	/** The service's clock, which `control.advance` moves. Default: the machine's. */
	clock: Clock;
	/**
	 * Which paths exist of an operation that has several: all, the first (`specification`), the second
	 * (`alternate`), or that of the newest pages (`newest`). Operations with one path always exist.
	 */
	routes: Routes;
	/** What responses have beyond the fields that are required. */
	optionalFields: OptionalFields;
	/**
	 * What errors have: `responseStatus` alone, as the framework writes them, or also the fields beside
	 * it that the specification names.
	 */
	errors: 'framework' | 'specification';
	/** Whether contacts in a list have what is documented of a single one. */
	listedContacts: 'short' | 'full';
	/** The service's name of a field; of an object in a list as `Items.quantity`. */
	names: (field: string, endpoint: Endpoint) => string;
	/** Further fields of operations, which nothing reads: `{ 'catalog.search': 'Industries?: text[]' }`. */
	moreFields: Record<string, string>;
	/**
	 * How an undocumented endpoint treats fields that it does not find: with an error, by changing
	 * nothing, or as their zero (an ID or list has none: nothing changes).
	 */
	missing: 'refused' | 'ignored' | 'zero';
	/** Whether `/types/typescript` describes the request types. */
	hasMetadata: boolean;
	/** Seconds that each step of the AI Builder takes. */
	aiStepSeconds: number;
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
	single: number;
	total: number;
	/** The smallest size of a chunk, except the last one. */
	minChunk: number;
}
