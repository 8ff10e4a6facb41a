import type { SQLInputValue } from 'node:sqlite';

import type { ReceivedUpload } from './ai/upload.mts';
import type { Row } from './database.mts';
import type { Fault, Faults } from './faults.mts';
import type { Journal, RecordedRequest } from './journal.mts';
import type { Json } from './json.mts';
import { toCents } from './money.mts';
import { setProposalStatus } from './proposals.mts';
import type { ContractViolation, ServerParts } from './server.mts';
import { proposalDetail } from './views/proposal.mts';
import type { Deliveries } from './webhooks/delivery.mts';
import type { World } from './world.mts';

/** One upload, as it was received. It stays here when the content is deleted. */
export interface Upload extends Omit<ReceivedUpload, 'sourceType'> {
	contentId: number;
	proposalId: number;
	/** ISO 8601, UTC. */
	createdDate: string;
}

/** The hands on the simulator from within the same process: what tests and the demo use. */
export class Control {
	readonly #world: World;
	readonly #journal: Journal;
	readonly #faults: Faults;
	readonly #deliveries: Deliveries;
	/** Answers that broke the contract: always empty, or the simulator is wrong. */
	readonly contractViolations: ContractViolation[];

	constructor({ world, journal, faults, violations }: ServerParts, deliveries: Deliveries) {
		this.#world = world;
		this.#journal = journal;
		this.#faults = faults;
		this.#deliveries = deliveries;
		this.contractViolations = violations;
	}

	/** Every request to the API since the start or `clearRequests`, in order of arrival. */
	get requests(): readonly RecordedRequest[] {
		return this.#journal.requests;
	}

	/** Empties `requests`, and with it what `exchangeCount` counts. */
	clearRequests(): void {
		this.#journal.clear();
	}

	/** How many key exchanges were attempted since the start or `clearRequests`. */
	exchangeCount(): number {
		return this.requests.filter((one) => one.operationId === 'authentication.exchangeKey').length;
	}

	/** Makes every user key given so far invalid; gives how many there were. */
	expireUserKeys(): number {
		return this.#world.database.run('DELETE FROM user_keys').changes;
	}

	/** How long every request waits before it is looked at, in milliseconds. */
	setLatency(milliseconds: number): void {
		this.#world.settings.latencyMs = milliseconds;
	}

	/** Moves the service's clock ahead of the machine's (negative: behind), in seconds. */
	setClockOffset(seconds: number): void {
		this.#world.clock.setOffset(seconds);
	}

	/** Moves a proposal or change order to a status, as the service's own screens would; fires events. */
	setStatus(proposalId: number, status: string): void {
		this.#world.database.transaction(() => setProposalStatus(this.#world, proposalId, status));
	}

	/** The customer accepts the proposal. Shorthand for the status Accepted. */
	accept(proposalId: number): void {
		this.setStatus(proposalId, 'Accepted');
	}

	/** All webhook subscriptions of all accounts, secrets included (columns of the table). */
	subscriptions(): Row[] {
		return this.#world.database.all('SELECT * FROM subscriptions ORDER BY id');
	}

	/** Disables a subscription as if its owner had; its pending deliveries are not made. */
	disableSubscription(id: number): void {
		this.#world.database.run('UPDATE subscriptions SET is_enabled = 0 WHERE id = ?', id);
	}

	/** All webhook deliveries with state, attempts and the last status (columns of the table). */
	deliveries(): Row[] {
		return this.#world.database.all('SELECT * FROM deliveries ORDER BY id');
	}

	/** Resolves when no attempt is under way or due; retries may still lie ahead. */
	idle(): Promise<void> {
		return this.#deliveries.idle();
	}

	/** Resolves when every delivery is delivered, failed for good, or cancelled. */
	whenDelivered(): Promise<void> {
		return this.#deliveries.settled();
	}

	/** Every upload that was taken, in order: name, size, SHA-256 and file parts, without the bytes. */
	uploads(): Upload[] {
		return this.#world.database.all('SELECT * FROM ai_uploads ORDER BY id').map((row) => ({
			contentId: Number(row.content_id),
			proposalId: Number(row.proposal_id),
			name: String(row.name),
			fileName: String(row.file_name),
			bytes: Number(row.bytes),
			sha256: String(row.sha256),
			isMultiChunk: row.is_multi_chunk === 1,
			parts: JSON.parse(String(row.parts)),
			createdDate: String(row.created_date),
		}));
	}

	/** Makes the next outline that is generated end as Failed. */
	failNextOutline(): void {
		this.#world.ai.failNext('outlines');
	}

	/** Makes the next build that is started end as Failed, with nothing on the proposal. */
	failNextBuild(): void {
		this.#world.ai.failNext('builds');
	}

	/**
	 * Takes every content, outline and build to its end at once, events included. Gives the number of
	 * steps (a content that was just uploaded has two); 0: there was nothing to do.
	 */
	finishAi(): number {
		return this.#world.ai.finish();
	}

	/** A proposal or change order in full detail, as the API answers it. */
	proposal(proposalId: number): Json {
		return JSON.parse(JSON.stringify(proposalDetail(this.#world.database, proposalId)));
	}

	/** All proposals of all accounts, change orders left out (columns of the table). */
	proposals(): Row[] {
		return this.#world.database.all('SELECT * FROM proposals WHERE parent_id IS NULL ORDER BY id');
	}

	/** Sets what a catalog item costs (US dollars) at its default supplier, or by itself if it has none. */
	setCatalogCost(itemId: number, cost: number): void {
		const { database } = this.#world;
		const cents = toCents(cost);
		const offers = database.run(
			'UPDATE catalog_costs SET cost_cents = ? WHERE item_id = ? AND is_default = 1',
			cents,
			itemId,
		);
		const own = database.run('UPDATE catalog_items SET cost_cents = ? WHERE id = ?', cents, itemId);
		if (offers.changes + own.changes === 0) throw new Error(`no catalog item ${itemId}`);
	}

	/** Makes coming requests fail; see Fault for the ways. */
	failNext(fault: Fault): void {
		this.#faults.plan(fault);
	}

	/** Drops failures that are planned and not yet had. */
	clearFaults(): void {
		this.#faults.clear();
	}

	/** Keeps the whole state, so that any number of tests can begin with it; see `restoreState`. */
	keepState(): void {
		this.#world.database.keep();
	}

	/** Puts the state back as it was kept, ids that were given since included. User keys stay. */
	restoreState(): void {
		const { database } = this.#world;
		const keys = database.all('SELECT * FROM user_keys');
		database.restore();
		database.run('DELETE FROM user_keys');
		for (const key of keys) database.insert('user_keys', key);
		this.#world.ai.wake();
	}

	/** Every table but that of the user keys, with its rows. */
	state(): Record<string, Row[]> {
		const { database } = this.#world;
		const tables = database.tables().filter((name) => name !== 'user_keys');
		return Object.fromEntries(
			tables.map((name) => [name, database.all(`SELECT * FROM ${name} ORDER BY rowid`)]),
		);
	}

	/** Any SQL on the state, for what has no method here; gives the rows (none for a write). */
	sql(statement: string, ...parameters: SQLInputValue[]): Row[] {
		return this.#world.database.all(statement, ...parameters);
	}
}
