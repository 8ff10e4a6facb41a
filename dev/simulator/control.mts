import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedUpload } from './ai/upload.mts';
import type { AiWork } from './ai/work.mts';
import type { Json } from './contract.mts';
import { columnsOf, type Row } from './database.mts';
import type { Fault, Gate, HoldTime } from './faults.mts';
import { toCents } from './money.mts';
import { nextNumber, setProposalStatus } from './proposals.mts';
import { renderAs } from './render.mts';
import type { RecordedRequest } from './requestLog.mts';
import * as ids from './seedIds.mts';
import { proposalDetail } from './serializers/proposal.mts';
import type { ServerParts } from './server.mts';
import type { Deliveries } from './webhooks/delivery.mts';

interface Service extends ServerParts {
	deliveries: Deliveries;
	ai: AiWork;
}

/** One upload as it was received. It stays here when the content is deleted. */
export interface Upload extends Omit<ReceivedUpload, 'sourceType'> {
	contentId: number;
	proposalId: number;
}

/** Interval for checking whether waiting deliveries have ended. */
const POLL_MS = 20;

/**
 * Controls a simulator from within its process, without requests. A `Row` has the columns of its table
 * in `schema.sql`; lists are in the order of creation. Unless a method says otherwise, a change has no
 * further effect: no event, no new modification date. An unknown ID is an error.
 */
export class Control {
	private readonly service: Service;

	constructor(service: Service) {
		this.service = service;
	}

	private get context() {
		return this.service.context;
	}

	private all(sql: string, ...parameters: (string | number)[]): Row[] {
		return this.context.database.all(sql, ...parameters);
	}

	private update(table: string, id: number, changes: object): void {
		this.context.database.update(table, id, columnsOf(changes));
	}

	// ------------------------------------------------------------------ requests

	/** Responses that broke the contract: a defect of the simulator unless it is empty. */
	get contractViolations(): readonly string[] {
		return this.service.violations;
	}

	/** Every request to the API since the start or `clearRequests`, in order of arrival. */
	get requests(): readonly RecordedRequest[] {
		return this.service.requestLog.requests;
	}

	/** Empties `requests`, and with it what `exchangeCount` counts. */
	clearRequests(): void {
		this.service.requestLog.requests = [];
	}

	/** Number of key exchanges since the start or `clearRequests`. */
	exchangeCount(): number {
		return this.requests.filter((one) => one.operationId === 'authentication.exchangeKey').length;
	}

	/** Makes coming requests fail; see `Fault` for the ways. */
	failNext(fault: Fault): void {
		this.service.faults.plan(fault);
	}

	clearFaults(): void {
		this.service.faults.clear();
	}

	/**
	 * Holds the coming requests to an operation: before they have an effect, or `after`, when only
	 * the response is missing.
	 */
	hold(operationId: string, when: HoldTime = 'before'): Gate {
		return this.service.gates.hold(operationId, when);
	}

	/** Sets how long every request waits before it is handled, in milliseconds. */
	setLatency(milliseconds: number): void {
		this.context.settings.latencyMs = milliseconds;
	}

	/** Ends every user key issued so far, except the one in `except`; returns how many there were. */
	expireUserKeys(except = ''): number {
		return this.context.database.run('DELETE FROM user_keys WHERE key <> ?', except).changes;
	}

	// ------------------------------------------------------------------ time and background work

	/** The service's time in milliseconds since 1970. */
	now(): number {
		return this.context.clock.now();
	}

	/**
	 * Moves the service's clock by a number of seconds (negative: back). AI work and retries of
	 * deliveries that become due happen at their time; resolves when they are done.
	 */
	async advance(seconds: number): Promise<void> {
		await this.context.clock.advance(seconds);
	}

	/** Resolves when no delivery is being sent or due; retries may still be scheduled. */
	idle(): Promise<void> {
		return this.service.deliveries.idle();
	}

	/** Resolves when every delivery is delivered, has failed for good, or is canceled. */
	async whenDelivered(): Promise<void> {
		while (this.pendingDeliveryCount() > 0) {
			await this.idle();
			await sleep(POLL_MS);
		}
	}

	/** Makes the next outline that is generated end as Failed. */
	failNextOutline(): void {
		this.service.ai.failNext('ai_outlines');
	}

	/** Makes the next build that is started end as Failed and leave the proposal as it is. */
	failNextBuild(): void {
		this.service.ai.failNext('ai_builds');
	}

	/** Completes all AI work at once, events included; returns the number of steps. */
	finishAi(): number {
		return this.service.ai.finish();
	}

	// ------------------------------------------------------------------ what is stored

	/** Saves the whole state, so that many tests can start from it; see `restoreState`. */
	keepState(): void {
		this.context.database.keep();
	}

	/** Restores the saved state, the next IDs included. User keys stay valid. */
	restoreState(): void {
		const { database } = this.context;
		const keys = database.all('SELECT * FROM user_keys');
		database.restore();
		database.run('DELETE FROM user_keys');
		for (const key of keys) database.insert('user_keys', key);
		this.service.ai.wake();
	}

	/** Every table except the user keys, with its rows. */
	state(): Record<string, Row[]> {
		const tables = this.context.database.tables().filter((name) => name !== 'user_keys');
		return Object.fromEntries(
			tables.map((name) => [name, this.all(`SELECT * FROM ${name} ORDER BY rowid`)]),
		);
	}

	/** All proposals of all accounts, without change orders. */
	proposals(): Row[] {
		return this.all('SELECT * FROM proposals WHERE parent_id IS NULL ORDER BY id');
	}

	/** A proposal or change order in full, as the API returns it, but its dates say that they are UTC. */
	proposal(proposalId: number): Json {
		const detail = renderAs('Proposal', proposalDetail(this.context.database, proposalId));
		return JSON.parse(JSON.stringify(detail).replace(/(?<=\.\d{7})(?=")/g, 'Z'));
	}

	/** The items of a proposal, each with `option_status`, `area_id` and `area_name`. */
	items(proposalId: number): Row[] {
		return this.all('SELECT * FROM placed_items WHERE proposal_id = ? ORDER BY id', proposalId);
	}

	contacts(): Row[] {
		return this.all('SELECT * FROM people ORDER BY id');
	}

	locations(contactId: number): Row[] {
		return this.all('SELECT * FROM locations WHERE person_id = ? ORDER BY id', contactId);
	}

	/**
	 * The shared catalog and the library of an account. Each item has `default_cost_cents` (null without
	 * a supplier), and the account's marks `is_favorite` and `is_company_approved`.
	 */
	catalogItems(accountId: number): Row[] {
		return this.all(
			`SELECT catalog_items.*, catalog_costs.cost_cents AS default_cost_cents,
				coalesce(is_favorite, 0) AS is_favorite,
				coalesce(is_company_approved, 0) AS is_company_approved
			FROM catalog_items
			LEFT JOIN catalog_costs ON catalog_costs.item_id = id AND is_default = 1
			LEFT JOIN catalog_marks ON catalog_marks.item_id = id AND catalog_marks.account_id = ?
			WHERE catalog_items.account_id IS NULL OR catalog_items.account_id = ? ORDER BY id`,
			accountId,
			accountId,
		);
	}

	/** The cost of a catalog item at each supplier. */
	supplierCosts(catalogItemId: number): Row[] {
		return this.all(
			'SELECT * FROM catalog_costs WHERE item_id = ? ORDER BY supplier_id',
			catalogItemId,
		);
	}

	/** All webhook subscriptions of all accounts, with their secrets. */
	subscriptions(): Row[] {
		return this.all('SELECT * FROM subscriptions ORDER BY id');
	}

	/** All webhook deliveries with their state, number of attempts and last status. */
	deliveries(): Row[] {
		return this.all('SELECT * FROM deliveries ORDER BY id');
	}

	/** Number of pending deliveries; cheaper than `deliveries()` for a loop that waits. */
	pendingDeliveryCount(): number {
		const [row] = this.all(`SELECT count(*) AS count FROM deliveries WHERE state = 'pending'`);
		return Number(row!.count);
	}

	/** All accepted uploads: name, size, SHA-256 and file parts, without the bytes. */
	uploads(): Upload[] {
		return this.all('SELECT * FROM ai_uploads ORDER BY id').map((row) => ({
			contentId: Number(row.content_id),
			proposalId: Number(row.proposal_id),
			name: String(row.name),
			fileName: String(row.file_name),
			bytes: Number(row.bytes),
			sha256: String(row.sha256),
			isMultiChunk: row.is_multi_chunk === 1,
			parts: JSON.parse(String(row.parts)),
		}));
	}

	// ------------------------------------------------------------------ changes

	/**
	 * Moves a proposal or change order to a status as the service itself does: with its dates and the
	 * event `proposal.status_changed`.
	 */
	setStatus(proposalId: number, status: string): void {
		this.context.database.transaction(() => setProposalStatus(this.context, proposalId, status));
	}

	accept(proposalId: number): void {
		this.setStatus(proposalId, 'Accepted');
	}

	/**
	 * Adds proposals with the account, customer, status and dates of the one in `like`, without
	 * areas. They are numbered from `number` (default: the next one free) and named `Proposal
	 * <number>` unless `name` is given. `status` replaces the status, and `createdDate` the dates of
	 * creation and modification.
	 *
	 * @returns their IDs
	 */
	addProposals(
		count: number,
		options: {
			like: number;
			number?: number;
			name?: string;
			status?: string;
			createdDate?: string;
		},
	): number[] {
		const { database } = this.context;
		const original = database.get('SELECT * FROM proposals WHERE id = ?', options.like)!;
		const first = options.number ?? nextNumber(database, original.account_id!);
		const { createdDate: date } = options;
		const dates = date && {
			created_date: date,
			last_modified_date: date,
			last_modified_by_user_date: date,
		};
		return database.transaction(() =>
			Array.from({ length: count }, (_, index) =>
				database.insert('proposals', {
					...original,
					...dates,
					status: options.status ?? original.status,
					id: undefined,
					number: first + index,
					name: options.name ?? `Proposal ${first + index}`,
				}),
			),
		);
	}

	/** Sets fields of a proposal; every date is ISO 8601, UTC. `parentId` makes it a change order. */
	updateProposal(
		proposalId: number,
		changes: {
			name?: string;
			contactId?: number | null;
			locationId?: number | null;
			parentId?: number;
			isArchived?: boolean;
			lastModifiedDate?: string;
			lastSubmittedDate?: string;
		},
	): void {
		this.update('proposals', proposalId, changes);
	}

	updatePayment(paymentId: number, changes: { status: string }): void {
		this.update('payment_requests', paymentId, changes);
	}

	/**
	 * Adds persons to the contacts of the dealer's account, created now, with the last names `No. 1`,
	 * `No. 2` and so on; returns their IDs.
	 */
	addContacts(count: number, firstName: string): number[] {
		const { database, clock } = this.context;
		const now = clock.iso();
		return database.transaction(() =>
			Array.from({ length: count }, (_, index) =>
				database.insert('people', {
					account_id: ids.accounts.dealer,
					party_type: 'Person',
					contact_type: 'Client',
					first_name: firstName,
					last_name: `No. ${index + 1}`,
					created_date: now,
					last_modified_date: now,
				}),
			),
		);
	}

	updateContact(
		contactId: number,
		changes: { firstName?: string; lastModifiedDate?: string },
	): void {
		this.update('people', contactId, changes);
	}

	/** Sets the cost (US dollars) of a catalog item at its default supplier, or its own without one. */
	setCatalogCost(itemId: number, cost: number): void {
		const cents = toCents(cost);
		this.update('catalog_items', itemId, { costCents: cents });
		this.context.database.run(
			'UPDATE catalog_costs SET cost_cents = ? WHERE item_id = ? AND is_default = 1',
			cents,
			itemId,
		);
	}

	/** Adds a webhook subscription to the dealer's account and returns its ID; `events` has commas. */
	addSubscription(subscription: { url: string; events: string }): number {
		const { database, clock } = this.context;
		return database.insert('subscriptions', {
			...subscription,
			account_id: ids.accounts.dealer,
			secret_key: 'secret of a subscription that a test added',
			created_date: clock.iso(),
		});
	}

	/** Sets fields of the subscriptions that `which` picks by their row (default: of all). */
	updateSubscriptions(
		changes: { url?: string; isEnabled?: boolean; events?: string },
		which: (subscription: Row) => boolean = () => true,
	): void {
		for (const { id } of this.subscriptions().filter(which)) {
			this.update('subscriptions', Number(id), changes);
		}
	}

	/** Disables a subscription as if its owner had; its pending deliveries are not sent. */
	disableSubscription(id: number): void {
		this.update('subscriptions', id, { isEnabled: false });
	}

	/** Deletes the subscriptions that `which` picks by their row (default: all). */
	deleteSubscriptions(which: (subscription: Row) => boolean = () => true): void {
		for (const { id } of this.subscriptions().filter(which)) {
			this.context.database.run('DELETE FROM subscriptions WHERE id = ?', id!);
		}
	}

	/** Sets when every pending delivery is attempted next: milliseconds since 1970. */
	rescheduleDeliveries(time: number): void {
		const sql = `UPDATE deliveries SET next_attempt_at = ? WHERE state = 'pending'`;
		this.context.database.run(sql, time);
	}
}
