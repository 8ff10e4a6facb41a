import { columnsOf, type Row } from '../database.mts';
import { toCents } from '../money.mts';
import { nextNumber, setProposalStatus } from '../proposals.mts';
import * as ids from '../seedIds.mts';
import { Readings } from './readings.mts';

/**
 * Changes what the service has stored, without a request. Unless a method says otherwise, nothing
 * else follows from the change: no event, no new modification date. An unknown ID is an error.
 */
export class Changes extends Readings {
	/**
	 * Moves a proposal or change order to a status as the service itself does: with its dates and the
	 * event `proposal.status_changed`.
	 */
	setStatus(proposalId: number, status: string): void {
		this.context.database.transaction(() => setProposalStatus(this.context, proposalId, status));
	}

	/** The customer accepts the proposal: short for `setStatus(proposalId, 'Accepted')`. */
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

	/** Sets fields of a proposal; every date is ISO 8601, UTC. */
	updateProposal(
		proposalId: number,
		changes: {
			name?: string;
			contactId?: number | null;
			locationId?: number | null;
			/** Of a change order: the proposal that it belongs to. */
			parentId?: number;
			isArchived?: boolean;
			lastModifiedDate?: string;
			lastSubmittedDate?: string;
		},
	): void {
		this.update('proposals', proposalId, changes);
	}

	/** Sets fields of a payment request. */
	updatePayment(paymentId: number, changes: { status: string }): void {
		this.update('payment_requests', paymentId, changes);
	}

	/**
	 * Adds persons to the contacts of the dealer's account, created now. Their last names are
	 * `No. 1`, `No. 2` and so on.
	 *
	 * @returns their IDs
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

	/** Sets fields of a contact. */
	updateContact(
		contactId: number,
		changes: { firstName?: string; lastModifiedDate?: string },
	): void {
		this.update('people', contactId, changes);
	}

	/**
	 * Sets the cost (US dollars) of a catalog item at its default supplier, or its own without one.
	 */
	setCatalogCost(itemId: number, cost: number): void {
		const { database } = this.context;
		const cents = toCents(cost);
		this.update('catalog_items', itemId, { costCents: cents });
		database.run(
			'UPDATE catalog_costs SET cost_cents = ? WHERE item_id = ? AND is_default = 1',
			cents,
			itemId,
		);
	}

	/**
	 * Adds a webhook subscription to the dealer's account. `events` are event identifiers, separated
	 * by commas; the secret is made up.
	 *
	 * @returns its ID
	 */
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
		for (const row of this.subscriptions().filter(which)) {
			this.update('subscriptions', Number(row.id), changes);
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
		this.context.database.run(
			`UPDATE deliveries SET next_attempt_at = ? WHERE state = 'pending'`,
			time,
		);
	}

	private update(table: string, id: number, changes: object): void {
		this.context.database.update(table, id, columnsOf(changes));
	}
}
