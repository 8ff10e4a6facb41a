import type { ReceivedUpload } from './ai/upload.mts';
import type { Values } from './binder.mts';
import type { Clock } from './clock.mts';
import type { Database, Row } from './database.mts';
import type { Settings } from './settings.mts';

/** Event for an account's subscriptions. `data` is the field `data` in its envelope. */
export interface ServiceEvent {
	accountId: number;
	type: string;
	data: unknown;
}

/** State of a simulator. */
export interface State {
	database: Database;
	clock: Clock;
	settings: Settings;
}

export interface Context extends State {
	/** Inserts a row into a table of the AI Builder, and starts its background work. Returns the row's ID. */
	beginAi(table: string, row: Row): number;
	/** Queues an event for delivery. Call it in the transaction that causes the event. */
	publish(event: ServiceEvent): void;
}

/** Request that passed every check. */
export interface Call {
	context: Context;
	database: Database;
	appKey: string;
	/** Owner of the user API key; 0 for a login, which has no key yet. */
	accountId: number;
	userId: number;
	/** Bound values of the path, query, and body, by the contract's names. */
	values: Values;
	upload?: ReceivedUpload;
	/**
	 * Time at which the request is handled, in the format of responses. Every date that the request sets has this time.
	 */
	now: string;
}

/** Response of a handler. The status is 204 if there is no body. */
export interface HandlerResponse {
	headers?: Record<string, string>;
	body?: unknown;
}

/** Handles an operation. Throws a ServiceError to reject it, which rolls back its changes. */
export type Handler = (call: Call) => HandlerResponse;
