import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedUpload } from './context.mts';
import type { AiWork } from './ai/work.mts';
import type { Json } from './contract.mts';
import { columnsOf, type Row } from './database.mts';
import type { Fault, Gate, HoldTime } from './faults.mts';
import { nextNumber, setProposalStatus } from './proposals.mts';
import { renderAs } from './render.mts';
import type { RecordedRequest } from './requestLog.mts';
import * as ids from './seedIds.mts';
import { proposalDetail } from './serializers/proposal.mts';
import type { ServerParts } from './server.mts';
import type { Deliveries } from './delivery.mts';

interface Service extends ServerParts {
	deliveries: Deliveries;
	ai: AiWork;
}

/** One upload as it was received. It stays here when the content is deleted. */
export interface Upload extends Omit<ReceivedUpload, 'sourceType'> {
	contentId: number;
	proposalId: number;
}

const POLL_MS = 20;

/**
 * Controls a simulator from within its process, without requests. A `Row` has the columns of its table
 * in `schema.sql`; lists are in the order of creation. Unless a method says otherwise, a change has no
 * further effect: no event, no new modification date.
 */
export class Control {
	private readonly service: Service;

	constructor(service: Service) {
		this.service = service;
	}

	private get context() {
		return this.service.context;
	}

	private get database() {
		return this.context.database;
	}

	/** Responses that broke the contract: a defect of the simulator unless it is empty. */
	get contractViolations(): readonly string[] {
		return this.service.violations;
	}

	/** Every request to the API since the start or `clearRequests`, in order of arrival. */
	get requests(): readonly RecordedRequest[] {
		return this.service.requestLog.requests;
	}

	clearRequests(): void {
		this.service.requestLog.requests = [];
	}

	exchangeCount(): number {
		return this.requests.filter((one) => one.operationId === 'authentication.exchangeKey').length;
	}

	failNext(fault: Fault): void {
		this.service.faults.plan(fault);
	}

	clearFaults(): void {
		this.service.faults.clear();
	}

	/** Holds the coming requests to an operation before their effect, or `after` it. */
	hold(operationId: string, when: HoldTime = 'before'): Gate {
		return this.service.gates.hold(operationId, when);
	}

	/** Sets how long every request waits before it is handled, in milliseconds. */
	setLatency(milliseconds: number): void {
		this.context.settings.latencyMs = milliseconds;
	}

	/** Ends every user key issued so far, except the one in `except`. */
	expireUserKeys(except = ''): void {
		this.database.run('DELETE FROM user_keys WHERE key <> ?', except);
	}

	/** The service's time in milliseconds since 1970. */
	now(): number {
		return this.context.clock.now();
	}

	/** Moves the service's clock by seconds (negative: back), and does what is due on the way. */
	async advance(seconds: number): Promise<void> {
		await this.context.clock.advance(seconds);
	}

	/** Resolves when no delivery is being sent or due; retries may still be scheduled. */
	idle(): Promise<void> {
		return this.service.deliveries.idle();
	}

	/** Resolves when every delivery is delivered, has failed for good, or is canceled. */
	async whenDelivered(): Promise<void> {
		while (this.database.row('deliveries', { state: 'pending' })) {
			await this.idle();
			await sleep(POLL_MS);
		}
	}

	failNextAi(table: 'ai_outlines' | 'ai_builds'): void {
		this.service.ai.failNext(table);
	}

	finishAi(): void {
		this.service.ai.finish();
	}

	keepState(): void {
		this.database.keep();
	}

	/** Restores the saved state, the next IDs included. User keys stay valid. */
	restoreState(): void {
		const keys = this.database.rows('user_keys');
		this.database.restore();
		this.database.delete('user_keys');
		for (const key of keys) this.database.insert('user_keys', key);
		this.service.ai.wake();
	}

	state(): Record<string, Row[]> {
		const tables = this.database.tables().filter((name) => name !== 'user_keys');
		return Object.fromEntries(tables.map((name) => [name, this.rows(name, {}, 'rowid')]));
	}

	rows(table: string, where: Row = {}, order?: string): Row[] {
		return this.database.rows(table, where, order);
	}

	proposals(): Row[] {
		return this.rows('proposals', { parent_id: null });
	}

	/** A proposal or change order in full, as the API returns it, but its dates say that they are UTC. */
	proposal(proposalId: number): Json {
		const detail = renderAs('Proposal', proposalDetail(this.database, proposalId));
		return JSON.parse(JSON.stringify(detail).replace(/(?<=\.\d{7})(?=")/g, 'Z'));
	}

	/** The items of a proposal, each with `option_status`, `area_id` and `area_name`. */
	items(proposalId: number): Row[] {
		return this.rows('placed_items', { proposal_id: proposalId });
	}

	contacts(): Row[] {
		return this.rows('people');
	}

	subscriptions(): Row[] {
		return this.rows('subscriptions');
	}

	deliveries(): Row[] {
		return this.rows('deliveries');
	}

	/** All accepted uploads: name, size, SHA-256 and file parts, without the bytes. */
	uploads(): Upload[] {
		return this.rows('ai_uploads').map(({ upload }) => JSON.parse(String(upload)));
	}

	/** Moves a proposal or change order to a status as the service does: with dates and event. */
	setStatus(proposalId: number, status: string): void {
		this.database.transaction(() => setProposalStatus(this.context, proposalId, status));
	}

	accept(proposalId: number): void {
		this.setStatus(proposalId, 'Accepted');
	}

	/** Adds proposals like another one, without areas, under the next numbers; returns their IDs. */
	addProposals(
		count: number,
		{ like, status, createdDate }: { like: number; status?: string; createdDate?: string },
	): number[] {
		const { database } = this;
		const original = database.row('proposals', { id: like })!;
		const first = nextNumber(database, original.account_id!);
		const dates = createdDate && {
			created_date: createdDate,
			last_modified_date: createdDate,
			last_modified_by_user_date: createdDate,
		};
		return database.transaction(() =>
			Array.from({ length: count }, (_, index) =>
				database.insert('proposals', {
					...{ ...original, ...dates, status: status ?? original.status, id: undefined },
					number: first + index,
					name: `Proposal ${first + index}`,
				}),
			),
		);
	}

	addContact(firstName: string): number {
		const now = this.context.clock.iso();
		return this.database.insert('people', {
			account_id: ids.accounts.dealer,
			party_type: 'Person',
			contact_type: 'Client',
			first_name: firstName,
			created_date: now,
			last_modified_date: now,
		});
	}

	/** Adds a webhook subscription to the dealer's account and returns its ID; `events` has commas. */
	addSubscription(subscription: { url: string; events: string }): number {
		return this.database.insert('subscriptions', {
			...subscription,
			account_id: ids.accounts.dealer,
			secret_key: 'secret of a subscription that a test added',
			created_date: this.context.clock.iso(),
		});
	}

	/** Sets fields, as `isEnabled`, of the rows whose columns have these values. */
	update(table: string, where: Row, fields: object): void {
		this.database.updateAll(table, where, columnsOf(fields));
	}

	/** Deletes the subscriptions whose columns have these values (default: all). */
	deleteSubscriptions(where: Row = {}): void {
		this.database.delete('subscriptions', where);
	}
}
