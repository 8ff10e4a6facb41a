import type { Row } from '../database.mts';
import { toCents } from '../money.mts';
import { setProposalStatus } from '../proposals.mts';
import { insertAreas, type SeedArea } from '../seed.mts';
import { accountIds } from '../seedIds.mts';
import { Readings } from './readings.mts';

/** What `updateProposal` can set. */
export interface ProposalChanges {
	name?: string;
	contactId?: number | null;
	locationId?: number | null;
	isArchived?: boolean;
	/** ISO 8601, UTC; the same for every date here. */
	lastModifiedDate?: string;
	lastSubmittedDate?: string;
}

/** What a webhook subscription can be given. */
export interface SubscriptionChanges {
	url?: string;
	isEnabled?: boolean;
	/** Event identifiers, separated by commas. */
	events?: string;
}

/** What a payment request can be given. */
export interface PaymentChanges {
	/** `Submitted`, `Verifying`, `Paid`, `Refunded` and so on. */
	status?: string;
	paymentMethod?: string;
}

/** Property names as column names: `contactId` is `contact_id`. What is undefined is left out. */
const columnsOf = (changes: object): Record<string, string | number | null> =>
	Object.fromEntries(
		Object.entries(changes)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [
				name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
				typeof value === 'boolean' ? Number(value) : value,
			]),
	);

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
		const original = this.#find('proposals', options.like);
		const first = options.number ?? this.#nextNumber(original);
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

	/**
	 * Adds a change order to a proposal, in Draft and with its customer and location. Items may have
	 * negative quantities, which take items back. `setStatus` and its ID submit or accept it.
	 *
	 * @returns its ID
	 */
	addChangeOrder(proposalId: number, { name, areas }: { name: string; areas: SeedArea[] }): number {
		const { database, clock } = this.context;
		const parent = this.#find('proposals', proposalId);
		if (parent.parent_id !== null) throw new Error(`${proposalId} is a change order itself`);
		const now = clock.iso();
		return database.transaction(() => {
			const id = database.insert('proposals', {
				account_id: parent.account_id!,
				parent_id: proposalId,
				number: this.#nextNumber(parent),
				name,
				sales_person_id: parent.sales_person_id!,
				contact_id: parent.contact_id!,
				location_id: parent.location_id!,
				created_date: now,
				last_modified_date: now,
				last_modified_by_user_date: now,
				last_modified_user_id: parent.last_modified_user_id!,
			});
			insertAreas(database, id, areas, { created: now, byUser: now });
			return id;
		});
	}

	/** Sets fields of a proposal. */
	updateProposal(proposalId: number, changes: ProposalChanges): void {
		this.#update('proposals', proposalId, changes);
	}

	/** Sets the status of an area option: `Draft`, `Accepted` or `Declined`. */
	setOptionStatus(optionId: number, status: string): void {
		this.#update('area_options', optionId, { status });
	}

	/** Adds a payment request (amount in US dollars) to a proposal. */
	addPayment(
		proposalId: number,
		payment: { status: string; amount: number; dueDate: string; description?: string },
	): number {
		const { amount, ...rest } = payment;
		return this.context.database.insert('payment_requests', {
			...columnsOf(rest),
			proposal_id: proposalId,
			amount_cents: toCents(amount),
		});
	}

	/** Sets fields of a payment request. */
	updatePayment(paymentId: number, changes: PaymentChanges): void {
		this.#update('payment_requests', paymentId, changes);
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
					account_id: accountIds.dealer,
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
		this.#update('people', contactId, changes);
	}

	/**
	 * Sets the cost (US dollars) of a catalog item at its default supplier, or its own without one.
	 */
	setCatalogCost(itemId: number, cost: number): void {
		const { database } = this.context;
		const cents = toCents(cost);
		this.#update('catalog_items', itemId, { costCents: cents });
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
			account_id: accountIds.dealer,
			secret_key: 'secret of a subscription that a test added',
			created_date: clock.iso(),
		});
	}

	/** Sets fields of the subscriptions that `which` picks by their row (default: of all). */
	updateSubscriptions(
		changes: SubscriptionChanges,
		which: (subscription: Row) => boolean = () => true,
	): void {
		for (const row of this.subscriptions().filter(which)) {
			this.#update('subscriptions', Number(row.id), changes);
		}
	}

	/** Disables a subscription as if its owner had; its pending deliveries are not sent. */
	disableSubscription(id: number): void {
		this.#update('subscriptions', id, { isEnabled: false });
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

	/** The next number of proposals and change orders in an account. */
	#nextNumber({ account_id: accountId }: Row): number {
		const last = this.context.database.get(
			'SELECT max(number) AS number FROM proposals WHERE account_id = ?',
			accountId!,
		);
		return Number(last!.number) + 1;
	}

	#find(table: string, id: number): Row {
		const row = this.context.database.get(`SELECT * FROM ${table} WHERE id = ?`, id);
		if (!row) throw new Error(`no record ${id} in ${table}`);
		return row;
	}

	#update(table: string, id: number, changes: object): void {
		const columns = columnsOf(changes);
		const { changes: count } = this.context.database.run(
			`UPDATE ${table} SET ${Object.keys(columns)
				.map((name) => `${name} = ?`)
				.join(', ')} WHERE id = ?`,
			...Object.values(columns),
			id,
		);
		if (count === 0) throw new Error(`no record ${id} in ${table}`);
	}
}
