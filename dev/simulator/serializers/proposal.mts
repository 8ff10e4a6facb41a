import type { Database, Row } from '../database.mts';
import type { Json } from '../contract.mts';
import { addressView, compact, contactView, currencyOf, locationView, viewOf } from './fields.mts';
import {
	financialViews,
	optionTotals,
	paymentRequests,
	paymentSchedule,
	shownTotal,
	type ProposalRows,
} from './financial.mts';

/**
 * Reads a proposal with all its data. Throws when it does not exist.
 *
 * @param declined IDs of options to regard as declined, which shows what a choice would cost
 */
function readProposal(
	database: Database,
	id: number,
	declined: readonly number[] = [],
): ProposalRows {
	const proposal = database.get('SELECT * FROM proposals WHERE id = ?', id);
	if (!proposal) throw new Error(`no proposal ${id}`);
	const byId = (table: string, key: Row[string] | undefined) =>
		database.get(`SELECT * FROM ${table} WHERE id = ?`, key ?? null);
	const areas = database
		.all('SELECT * FROM areas WHERE proposal_id = ? ORDER BY id', id)
		.map((area) => ({
			area,
			options: database
				.all('SELECT * FROM area_options WHERE area_id = ? ORDER BY id', area.id!)
				.map((option) => ({
					option: declined.includes(Number(option.id)) ? { ...option, status: 'Declined' } : option,
					items: database.all(
						'SELECT * FROM placed_items WHERE option_id = ? ORDER BY id',
						option.id!,
					),
				})),
		}));
	return {
		proposal,
		account: byId('accounts', proposal.account_id)!,
		contact: byId('people', proposal.contact_id),
		location: byId('locations', proposal.location_id),
		areas,
	};
}

const itemView = (item: Row, items: Row[], account: Row) => ({
	...viewOf('AreaItem', item),
	...compact({ description: item.short_description }),
	total: {
		amount: shownTotal(item, items),
		currency: currencyOf(account),
		isCombinedPrice: item.is_combined_price === 1,
	},
});

const areaViews = ({ areas, account }: ProposalRows) =>
	areas.map(({ area, options }) => ({
		...viewOf('Area', area),
		options: options.map(({ option, items }) => ({
			...viewOf('AreaOption', option),
			items: items.map((item) => itemView(item, items, account)),
			...optionTotals(items),
		})),
	}));

/** Fields that the lists of proposals and change orders share. */
function summary(database: Database, id: number, totalName: string) {
	const rows = readProposal(database, id);
	const { proposalTotal, proposalSubtotal } = financialViews(rows).financialSummary;
	// In the samples that of a change order is without tax.
	const total = totalName === 'proposalTotal' ? proposalTotal : proposalSubtotal;
	return {
		...viewOf('ProposalSummary', rows.proposal),
		total: { [totalName]: total, currency: currencyOf(rows.account) },
		...(rows.contact && { customer: contactView(rows.contact) }),
	};
}

export const proposalSummary = (database: Database, id: number) =>
	summary(database, id, 'proposalTotal');

export const changeOrderSummary = (database: Database, row: Row) => ({
	...summary(database, Number(row.id), 'changeOrderTotal'),
	...viewOf('ChangeOrder', row),
});

/** The change orders of a proposal, oldest first. */
export const changeOrdersOf = (database: Database, proposalId: number): Row[] =>
	database.all('SELECT * FROM proposals WHERE parent_id = ? ORDER BY id', proposalId);

/** Fields that the details of proposals and change orders share. */
function commonDetail(database: Database, id: number, declined?: readonly number[]) {
	const rows = readProposal(database, id, declined);
	const { proposal, account, contact, location } = rows;
	const { total, ...financial } = financialViews(rows);
	const user = (userId: Row[string]) => database.get('SELECT * FROM users WHERE id = ?', userId!)!;
	return {
		...viewOf('ProposalBase', proposal),
		// The one optional field that is null instead of absent.
		clientLastDecisionDate: proposal.client_last_decision_date,
		...compact({ aboutUs: account.about_us, projectTerms: account.project_terms }),
		...financial,
		...(contact && {
			customer: {
				...contactView(contact),
				...(location && { location: locationView(location) }),
			},
		}),
		dealer: {
			...viewOf('Dealer', account),
			location: addressView(account),
			salesperson: viewOf('Salesperson', user(proposal.sales_person_id!)),
		},
		areas: areaViews(rows),
		...compact({ paymentSchedule: paymentSchedule(database, proposal, total) }),
		paymentRequests: paymentRequests(database, proposal.id!),
		lastModifiedUser: viewOf('User', user(proposal.last_modified_user_id!)),
	};
}

/**
 * The full proposal detail: the response of nearly every proposal operation. For `declined` see
 * `readProposal`.
 */
export const proposalDetail = (
	database: Database,
	id: number,
	declined?: readonly number[],
): Json => ({
	...commonDetail(database, id, declined),
	changeOrders: changeOrdersOf(database, id).map((row) => changeOrderSummary(database, row)),
});

/**
 * A change order in full: the proposal detail without `changeOrders`, and with
 * `changeOrderSubtotal` in place of `proposalSubtotal` and, as in the sample, no `proposalTotal`.
 */
export function changeOrderDetail(database: Database, id: number): Json {
	const { financialSummary, ...rest } = commonDetail(database, id);
	const { proposalSubtotal: changeOrderSubtotal, ...money } = financialSummary;
	return {
		...rest,
		financialSummary: { ...money, proposalTotal: undefined, changeOrderSubtotal },
	};
}

/** The header Last-Modified of a proposal or change order. */
export const lastModified = (detail: { lastModifiedDate: unknown }) => ({
	'Last-Modified': new Date(String(detail.lastModifiedDate)).toUTCString(),
});
