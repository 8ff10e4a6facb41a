import type { ReceivedUpload } from '../ai/upload.mts';
import type { Row } from '../database.mts';
import type { Json } from '../json.mts';
import { proposalDetail } from '../serializers/proposal.mts';
import { renderAs } from '../render.mts';
import type { Context } from '../context.mts';

/** One upload as it was received. It stays here when the content is deleted. */
export interface Upload extends Omit<ReceivedUpload, 'sourceType'> {
	contentId: number;
	proposalId: number;
}

/**
 * Reads what the service has stored, without a request. A `Row` has the columns of its table in
 * `schema.sql`; lists are in the order in which the records were created.
 */
export class Readings {
	protected readonly context: Context;

	constructor(context: Context) {
		this.context = context;
	}

	/** All proposals of all accounts, without change orders. */
	proposals(): Row[] {
		return this.context.database.all('SELECT * FROM proposals WHERE parent_id IS NULL ORDER BY id');
	}

	/** A proposal or change order in full detail, as the API returns it, but its dates say that they are UTC. */
	proposal(proposalId: number): Json {
		const detail = renderAs('Proposal', proposalDetail(this.context.database, proposalId));
		return JSON.parse(JSON.stringify(detail).replace(/(?<=\.\d{7})(?=")/g, 'Z'));
	}

	/** The items of a proposal, each with `option_status`, `area_id` and `area_name`. */
	items(proposalId: number): Row[] {
		return this.context.database.all(
			`SELECT proposal_items.*, area_options.status AS option_status, area_id,
				areas.name AS area_name
			FROM proposal_items
			JOIN area_options ON area_options.id = option_id
			JOIN areas ON areas.id = area_id
			WHERE proposal_id = ? ORDER BY proposal_items.id`,
			proposalId,
		);
	}

	/** All contacts of all accounts. */
	contacts(): Row[] {
		return this.context.database.all('SELECT * FROM people ORDER BY id');
	}

	/** The locations of a contact. */
	locations(contactId: number): Row[] {
		return this.context.database.all(
			'SELECT * FROM locations WHERE person_id = ? ORDER BY id',
			contactId,
		);
	}

	/**
	 * The catalog items that an account can use: the shared catalog and its own library. Each has
	 * `default_cost_cents`, the price of its default supplier (null without one), and the account's
	 * marks `is_favorite` and `is_company_approved`.
	 */
	catalogItems(accountId: number): Row[] {
		return this.context.database.all(
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

	/** What each supplier of a catalog item asks for it. */
	supplierCosts(catalogItemId: number): Row[] {
		return this.context.database.all(
			'SELECT * FROM catalog_costs WHERE item_id = ? ORDER BY supplier_id',
			catalogItemId,
		);
	}

	/** All webhook subscriptions of all accounts, with their secrets. */
	subscriptions(): Row[] {
		return this.context.database.all('SELECT * FROM subscriptions ORDER BY id');
	}

	/** All webhook deliveries with their state, number of attempts and last status. */
	deliveries(): Row[] {
		return this.context.database.all('SELECT * FROM deliveries ORDER BY id');
	}

	/** How many deliveries are pending; cheaper than `deliveries()` for a loop that waits. */
	pendingDeliveryCount(): number {
		const row = this.context.database.get(
			`SELECT count(*) AS count FROM deliveries WHERE state = 'pending'`,
		);
		return Number(row!.count);
	}

	/** All accepted uploads: name, size, SHA-256 and file parts, without the bytes. */
	uploads(): Upload[] {
		return this.context.database.all('SELECT * FROM ai_uploads ORDER BY id').map((row) => ({
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

	/** Every table except the user keys, with its rows. */
	state(): Record<string, Row[]> {
		const { database } = this.context;
		const tables = database.tables().filter((name) => name !== 'user_keys');
		return Object.fromEntries(
			tables.map((name) => [name, database.all(`SELECT * FROM ${name} ORDER BY rowid`)]),
		);
	}
}
