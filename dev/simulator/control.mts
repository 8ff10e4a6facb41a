import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedUpload } from './ai/upload.mts';
import type { AiWork } from './ai/work.mts';
import type { Json } from './contract.mts';
import type { Row } from './database.mts';
import type { Fault, HoldTime } from './faults.mts';
import { nextNumber, setProposalStatus } from './proposals.mts';
import { renderAs } from './render.mts';
import { defaults } from './settings.mts';
import type { RecordedRequest } from './requestLog.mts';
import * as ids from './seedIds.mts';
import { proposalDetail } from './serializers/proposal.mts';
import type { ServerParts } from './server.mts';
import type { Deliveries } from './delivery.mts';

interface Service extends ServerParts {
	deliveries: Deliveries;
	ai: AiWork;
}

/** Accepted upload as received, which remains if the content is deleted. */
export interface Upload extends Omit<ReceivedUpload, 'sourceType'> {
	contentId: number;
	proposalId: number;
}

const POLL_MS = 20;

export type Control = ReturnType<typeof createControl>;

/**
 * Creates functions that control a simulator from within its process, without requests. A `Row` has the columns of its
 * table in `schema.sql`. Lists are in the order of creation. Unless a function's comment says otherwise, a change has
 * no side effects, such as an event or a modification date.
 */
export function createControl({ context, requests, ai, deliveries, ...service }: Service) {
	const { database, clock, settings } = context;
	const rows = (table: string, where: Row = {}, order?: string) =>
		database.rows(table, where, order);
	const setStatus = (proposalId: number, status: string) =>
		database.transaction(() => setProposalStatus(context, proposalId, status));
	return {
		/** Responses that violated the contract. Any entry is a bug in the simulator. */
		contractViolations: service.violations as readonly string[],
		/** Requests to the API since the start or `clearRequests`, in order of arrival. */
		requests: requests as readonly RecordedRequest[],
		clearRequests: () => void (requests.length = 0),
		loginCount: () =>
			requests.filter(({ operationId }) => operationId === 'authentication.exchangeKey').length,
		failNext: (fault: Fault) => service.faults.plan(fault),
		clearFaults: () => service.faults.clear(),
		/** Holds future requests to an operation before they take effect or, with `after`, before their response. */
		hold: (operationId: string, when: HoldTime = 'before') =>
			service.faults.hold(operationId, when),
		/** Sets how long every request waits before it is handled, in milliseconds. */
		setLatency: (milliseconds: number) => void (settings.latencyMs = milliseconds),
		/** Sets how paged lists differ from the assumptions. Resets all other paging settings. */
		setPaging: (changes: Partial<typeof defaults.paging>) =>
			void (settings.paging = { ...defaults.paging, ...changes }),
		/** Sets how many similar parts a catalog search finds in addition to the matches. */
		setSimilarParts: (count: number) => void (settings.similarParts = count),
		/** Invalidates all user API keys issued so far, except `except`. */
		expireUserKeys: (except = '') =>
			void database.run('DELETE FROM user_keys WHERE key <> ?', except),

		/** Returns the service's time in milliseconds since 1970. */
		now: () => clock.now(),
		/**
		 * Sets the service's clock forward by seconds (back if negative), and performs everything that is due by then.
		 */
		advance: (seconds: number) => clock.advance(seconds),
		/** Resolves when no delivery is being sent or due. Retries can still be scheduled. */
		idle: () => deliveries.idle(),
		/** Resolves when every delivery is delivered, has failed permanently, or is canceled. */
		async whenDelivered(limitMs = 60_000) {
			const end = Date.now() + limitMs;
			while (database.row('deliveries', { state: 'pending' })) {
				if (Date.now() > end) {
					const eventIds = rows('deliveries', { state: 'pending' }).map(({ event_id }) => event_id);
					throw new Error(
						`Timed out after ${limitMs / 1000} s: ${eventIds.join()} are not delivered.`,
					);
				}
				await deliveries.idle();
				await sleep(POLL_MS);
			}
		},
		failNextAi: (table: 'ai_outlines' | 'ai_builds') => ai.failNext(table),
		finishAi: () => ai.finish(),

		keepState: () => database.keep(),
		/** Restores the saved state, including the next IDs. User API keys stay valid. */
		restoreState() {
			database.restore();
			ai.wake();
		},
		state(): Record<string, Row[]> {
			const tables = rows('sqlite_schema', { type: 'table' }).map(({ name }) => String(name));
			const savedTables = tables.filter((name) => name !== 'user_keys');
			return Object.fromEntries(savedTables.map((name) => [name, rows(name, {}, 'rowid')]));
		},
		rows,
		proposals: () => rows('proposals', { parent_id: null }),
		/** Returns a full proposal or change order as in the API, but with dates marked as UTC. */
		proposal(proposalId: number): Json {
			const detail = renderAs('Proposal', proposalDetail(database, proposalId));
			return JSON.parse(JSON.stringify(detail).replace(/(?<=\.\d{7})(?=")/g, 'Z'));
		},
		/** Returns a proposal's items, each with `option_status`, `area_id`, and `area_name`. */
		items: (proposalId: number) => rows('placed_items', { proposal_id: proposalId }),
		contacts: () => rows('people'),
		subscriptions: () => rows('subscriptions'),
		deliveries: () => rows('deliveries'),
		/** Returns all accepted uploads: name, size, SHA-256, and file parts, without bytes. */
		uploads: (): Upload[] => rows('ai_uploads').map(({ upload }) => JSON.parse(String(upload))),

		/** Changes the status of a proposal or change order as the service does, with dates and an event. */
		setStatus,
		accept: (proposalId: number) => setStatus(proposalId, 'Accepted'),
		/** Adds copies of a proposal, without areas, under the next numbers. Returns their IDs. */
		addProposals(count: number, { like }: { like: number }): number[] {
			const original = database.row('proposals', { id: like })!;
			const first = nextNumber(database, original.account_id!);
			const add = (number: number) => {
				const own = { id: undefined, number, name: `Proposal ${number}` };
				return database.insert('proposals', { ...original, ...own });
			};
			return database.transaction(() =>
				Array.from({ length: count }, (_, index) => add(first + index)),
			);
		},
		addContact: (firstName: string) =>
			database.insert('people', {
				account_id: ids.accounts.dealer,
				party_type: 'Person',
				contact_type: 'Client',
				first_name: firstName,
				created_date: clock.iso(),
				last_modified_date: clock.iso(),
			}),
		/**
		 * Adds a webhook subscription to the dealer's account. `events` contains event types separated by commas.
		 * Returns the subscription's ID.
		 */
		addSubscription: (subscription: { url: string; events: string }) =>
			database.insert('subscriptions', {
				...subscription,
				account_id: ids.accounts.dealer,
				secret_key: 'secret of a subscription that a test added',
				created_date: clock.iso(),
			}),
		/** Sets fields, such as `isEnabled`, in the rows whose columns have these values. */
		update: (table: string, where: Row, fields: object) =>
			void database.updateAll(table, where, fields),
		/** Deletes the subscriptions whose columns have these values (default: all). */
		deleteSubscriptions: (where: Row = {}) => void database.delete('subscriptions', where),
	};
}
