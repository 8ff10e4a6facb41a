import type { Endpoint, Routes } from './contract.mts';
import type { OptionalFields } from './render.mts';

/** The settings of a simulator. All are optional for `startSimulator`. */
export interface Settings {
	port: number;
	/** Which paths exist of an operation that has several. */
	routes: Routes;
	/** Fields of responses beyond the required ones. */
	optionalFields: OptionalFields;
	/** Whether contacts in a list have what is documented of a single one. */
	listedContacts: 'short' | 'full';
	/** The service's name of a field; of an object in a list as `Items.quantity`. */
	names: (field: string, endpoint: Endpoint) => string;
	/** Further fields that nothing reads: `{ 'catalog.search': 'Industries?: text[]' }`. */
	moreFields: Record<string, string>;
	/** The reaction of an undocumented endpoint to missing fields: an error, or no change. */
	missing: 'refused' | 'ignored';
	/** Whether `/types/typescript` describes the request types. */
	hasMetadata: boolean;
	aiStepSeconds: number;
	/** In bytes. A megabyte is assumed to be 1024 x 1024 bytes. */
	uploadLimits: Record<'single' | 'total' | 'minChunk', number>;
	/** Gets one line for every request and for what happens in the background. */
	log: (line: string) => void;
	latencyMs: number;
	/** Identifiers of events that can be subscribed to beside the documented ones. */
	additionalEvents: readonly string[];
	/** Seconds before each retry of a delivery, from the failure before it. */
	webhookRetrySeconds: readonly number[];
	/** The time limit for a webhook receiver's response (assumed). */
	webhookTimeoutMs: number;
}
