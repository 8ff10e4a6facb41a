import type { AiWork } from './ai/work.mts';
import type { Clock } from './clock.mts';
import type { Database, Row } from './database.mts';
import type { Json } from './json.mts';

/** How a simulator behaves; every setting is optional for `startSimulator`. */
export interface Settings {
	/** Port on 127.0.0.1; 0 takes a free one. */
	port: number;
	/** SQLite file, or `:memory:`. A file that has data is used as it is, an empty one is seeded. */
	database: string;
	/** Retry delays of webhooks (and other background work) are divided by this. */
	clockSpeed: number;
	/** Seconds a user key stays valid; undefined: until `control.expireUserKeys()`. */
	keyLifetimeSeconds: number | undefined;
	/** Which of two documented paths of an operation exist; operations with one path always do. */
	routes: 'both' | 'specification' | 'alternate';
	/**
	 * What the operations take whose body is in no document: forms as operations.md says, or JSON with
	 * camelCase keys. The other of the two is a 415.
	 */
	assumedBodies: 'form' | 'json';
	/** Seconds that each step of the AI Builder takes, divided by `clockSpeed` (assumed; not shown). */
	aiStepSeconds: number;
	/** Sizes of AI content in bytes: specification, *Limits*. */
	uploadLimits: UploadLimits;
	/** Gets one line for each thing worth knowing; default: nothing is said. */
	log: (line: string) => void;
	/** Each answer is held back this long. */
	latencyMs: number;
	/** A larger PageSize of the proposal list is a 400 (assumed; the bound is not shown). */
	maxPageSize: number;
	/** How far X-MSS-CUSTOM-DATE may be off either way (assumed; not shown). */
	clockSkewSeconds: number;
	/**
	 * Accept webhook URLs on loopback, http included. The only exemption from the rule that URLs are
	 * https and publicly routable; it is what lets an n8n on the same machine receive deliveries.
	 */
	allowLoopbackWebhooks: boolean;
	/** Really send deliveries to hosts other than this machine. Off: such an attempt fails unsent. */
	deliverBeyondLoopback: boolean;
	/** A receiver that has not answered by then has failed (assumed; not stated). */
	webhookTimeoutMs: number;
}

/** How large uploads may be, in bytes. What a megabyte is, no document says; 1024 x 1024 is assumed. */
export interface UploadLimits {
	/** A file that is sent whole. */
	single: number;
	/** Any file. */
	total: number;
	/** Every chunk but the last has at least this. */
	minChunk: number;
}

/** An event for the subscriptions of an account; `data` is what its envelope carries. */
export interface ServiceEvent {
	accountId: number;
	type: string;
	data: unknown;
}

/** All that the handlers share. */
export interface World {
	database: Database;
	clock: Clock;
	settings: Settings;
	/** What moves contents, outlines and builds on. */
	ai: AiWork;
	/** Queues an event for delivery; call it inside the transaction that caused it. */
	publish(event: ServiceEvent): void;
}

/** Who is asking: the rows of the user and of the account, and with which application. */
export interface Identity {
	user: Row;
	account: Row;
}

/** One request that passed every check, as a handler sees it. */
export interface Call {
	world: World;
	database: Database;
	/** X-MSS-API-APPID of the request. */
	appKey: string;
	/** Whose user key it was; 0 at the key exchange, where nobody is known yet. */
	accountId: number;
	userId: number;
	/** Path, query and body by wire name; typed as the contract says after its validation. */
	path: Record<string, number>;
	query: Record<string, Json>;
	body: Record<string, Json>;
}

/** What a handler answers. No body means an empty answer (204 by default, else 200). */
export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/** Serves one operation. Throws ServiceError to refuse; then nothing it wrote is kept. */
export type Handler = (call: Call) => Answer;
