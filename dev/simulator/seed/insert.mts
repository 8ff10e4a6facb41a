import type { Database } from '../database.mts';
import { catalogColumns } from '../items.mts';
import { toCents, toQuantity } from '../money.mts';
import { accountIds, userIds } from './accounts.mts';
import { changeOrders, otherProposals } from './otherProposals.mts';
import type { DaysAgo } from './daysAgo.mts';
import { proposalIds } from './proposalIds.mts';
import { dealerProposals } from './proposals.mts';
import type { SeedArea, SeedItem, SeedProposal } from './shape.mts';

/** The dates that a status implies; each is that of the last modification. */
const stateDates: Record<string, string[]> = {
	Submitted: ['last_submitted_date'],
	ViewedByClient: ['last_submitted_date', 'client_last_opened_date'],
	Accepted: ['last_submitted_date', 'client_last_opened_date', 'client_last_decision_date'],
	Declined: ['last_submitted_date', 'client_last_opened_date', 'client_last_decision_date'],
	Completed: ['last_submitted_date', 'client_last_decision_date', 'last_completed_date'],
	Expired: ['last_submitted_date'],
	Delayed: ['last_submitted_date'],
	EmailFailed: ['last_submitted_date'],
};

function insertItem(
	database: Database,
	optionId: number,
	item: SeedItem,
	day: string,
	parentId: number | null,
): void {
	const source = database.get('SELECT * FROM catalog_items WHERE id = ?', item.ref);
	if (!source) throw new Error(`no catalog item ${item.ref}`);
	const columns = catalogColumns(database, source, day);
	const id = database.insert('proposal_items', {
		...columns,
		option_id: optionId,
		parent_id: parentId,
		client_note: item.clientNote,
		sell_price_cents: item.price === undefined ? columns.sell_price_cents : toCents(item.price),
		cost_cents: item.cost === undefined ? columns.cost_cents : toCents(item.cost),
		quantity: toQuantity(item.quantity),
		is_combined_price: item.isCombined ?? false,
		is_tax_exempt: item.isTaxExempt ?? false,
		created_date: day,
	});
	for (const nested of item.nested ?? []) insertItem(database, optionId, nested, day, id);
}

function insertProposal(
	database: Database,
	daysAgo: DaysAgo,
	accountId: number,
	owner: number,
	one: SeedProposal,
): void {
	const [created, byUser, modified] = one.daysAgo.map((days) => daysAgo(days));
	const last = database.get(
		'SELECT max(number) AS n FROM proposals WHERE account_id = ?',
		accountId,
	);
	database.insert('proposals', {
		id: one.id,
		account_id: accountId,
		number: Number(last!.n ?? 1000) + 1,
		name: one.name,
		status: one.status,
		sales_person_id: one.salesPerson ?? owner,
		contact_id: one.contact,
		location_id: one.location,
		created_date: created,
		last_modified_date: modified,
		last_modified_by_user_date: byUser,
		last_modified_user_id: one.salesPerson ?? owner,
		...Object.fromEntries((stateDates[one.status] ?? []).map((column) => [column, modified])),
		...(one.submittedDaysAgo && { last_submitted_date: daysAgo(one.submittedDaysAgo) }),
		...one.other,
	});
	insertAreas(database, one.id, one.areas, { created: created!, byUser: byUser! });
}

/** Inserts the areas of a proposal or change order, with their options and items. */
export function insertAreas(
	database: Database,
	proposalId: number,
	areas: SeedArea[],
	{ created, byUser }: { created: string; byUser: string },
): void {
	for (const [name, ...options] of areas) {
		const areaId = database.insert('areas', { proposal_id: proposalId, name });
		for (const { status, items } of options) {
			const optionId = database.insert('area_options', {
				area_id: areaId,
				status: status ?? 'Draft',
				last_modified_date: byUser,
			});
			for (const item of items) insertItem(database, optionId, item, created, null);
		}
	}
}

/** Inserts all proposals, change orders, payment schedules and payment requests. */
export function insertProposals(database: Database, daysAgo: DaysAgo): void {
	// IDs of areas, options and items start far apart, so that a mix-up shows
	for (const [table, start] of [
		['areas', 12_000],
		['area_options', 23_000],
		['proposal_items', 700_000],
		['subscriptions', 400],
	] as const) {
		database.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, start);
	}
	for (const one of [...dealerProposals, ...changeOrders]) {
		insertProposal(database, daysAgo, accountIds.dealer, userIds.dealer, one);
	}
	for (const one of otherProposals) {
		insertProposal(database, daysAgo, accountIds.otherDealer, userIds.otherDealer, one);
	}
	const accepted = { proposal_id: proposalIds.accepted };
	for (const [percent, due_date, milestone] of [
		[3000, daysAgo(94), null],
		[4000, null, 'Equipment delivered'],
		[null, null, 'Completion'],
	] as const) {
		database.insert('scheduled_payments', { ...accepted, percent, due_date, milestone });
	}
	for (const [id, status, amount, due_date, description, payment_method] of [
		[81001, 'Paid', 2500, daysAgo(94), 'Deposit', 'Card'],
		[81002, 'Submitted', 3000, daysAgo(56), 'Equipment delivered', null],
	] as const) {
		const amount_cents = toCents(amount);
		database.insert('payment_requests', {
			id,
			...accepted,
			status,
			amount_cents,
			due_date,
			description,
			payment_method,
		});
	}
}
