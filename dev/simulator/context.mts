import type { ReceivedUpload } from './ai/upload.mts';
import type { Values } from './binder.mts';
import type { Clock } from './clock.mts';
import type { Database, Row } from './database.mts';
import type { Settings } from './settings.mts';

/** An event for the subscriptions of an account; `data` is what its envelope carries. */
export interface ServiceEvent {
	accountId: number;
	type: string;
	data: unknown;
}

/** What a simulator keeps. */
export interface State {
	database: Database;
	clock: Clock;
	settings: Settings;
}

export interface Context extends State {
	/** Begins background work of the AI Builder: a row of one of its tables; returns its ID. */
	beginAi(table: string, row: Row): number;
	/** Queues an event for delivery; call it inside the transaction that caused it. */
	publish(event: ServiceEvent): void;
}

/** A request that passed every check, as a handler gets it. */
export interface Call {
	context: Context;
	database: Database;
	appKey: string;
	/** The owner of the user key; 0 for the key exchange, which has none yet. */
	accountId: number;
	userId: number;
	/** The bound values of path, query and body, by the names of the contract. */
	values: Values;
	upload?: ReceivedUpload;
	/** When it is handled, as in responses: every date that it sets. */
	now: string;
}

/** The response of a handler; without a body a 204. */
export interface Answer {
	headers?: Record<string, string>;
	body?: unknown;
}

/** Handles one operation. Throws a ServiceError to refuse; its changes are rolled back then. */
export type Handler = (call: Call) => Answer;
