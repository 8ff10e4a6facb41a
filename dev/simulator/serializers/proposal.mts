import type { Database, Row } from '../database.mts';
import type { Json } from '../contract.mts';
import { compact, currencyOf, viewOf } from './fields.mts';
import {
	financialViews,
	optionTotals,
	paymentRequests,
	paymentSchedule,
	shownTotal,
	type ProposalRows,
} from './financial.mts';

function readProposal(database: Database, id: number): ProposalRows {
	const proposal = database.row('proposals', { id })!;
	const areas = database.rows('areas', { proposal_id: id }).map((area) => ({
		area,
		options: database.rows('area_options', { area_id: area.id }).map((option) => ({
			option,
			items: database.rows('placed_items', { option_id: option.id }),
		})),
	}));
	return {
		proposal,
		account: database.row('accounts', { id: proposal.account_id })!,
		contact: database.row('people', { id: proposal.contact_id }),
		location: database.row('locations', { id: proposal.location_id }),
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

function summary(database: Database, id: number, totalName: string) {
	const rows = readProposal(database, id);
	const { proposalTotal, proposalSubtotal } = financialViews(rows).financialSummary;
	// Exclude tax from the total of a change order, as in the samples.
	const total = totalName === 'proposalTotal' ? proposalTotal : proposalSubtotal;
	return {
		...viewOf('ProposalSummary', rows.proposal),
		total: { [totalName]: total, currency: currencyOf(rows.account) },
		...(rows.contact && { customer: viewOf('Contact', rows.contact) }),
	};
}

export const proposalSummary = (database: Database, id: number) =>
	summary(database, id, 'proposalTotal');

export const changeOrderSummary = (database: Database, row: Row) => ({
	...summary(database, Number(row.id), 'changeOrderTotal'),
	...viewOf('ChangeOrder', row),
});

function commonDetail(database: Database, id: number) {
	const rows = readProposal(database, id);
	const { proposal, account, contact, location } = rows;
	const { total, ...financial } = financialViews(rows);
	const user = (userId: Row[string]) => database.row('users', { id: userId })!;
	return {
		...viewOf('ProposalBase', proposal),
		// This is the only optional field that is null instead of absent.
		clientLastDecisionDate: proposal.client_last_decision_date,
		...compact({ aboutUs: account.about_us, projectTerms: account.project_terms }),
		...financial,
		...(contact && {
			customer: {
				...viewOf('Contact', contact),
				...(location && { location: viewOf('Location', location) }),
			},
		}),
		dealer: {
			...viewOf('Dealer', account),
			location: viewOf('Location', { ...account, id: null }),
			salesperson: viewOf('Salesperson', user(proposal.sales_person_id!)),
		},
		areas: areaViews(rows),
		...compact({ paymentSchedule: paymentSchedule(database, proposal, total) }),
		paymentRequests: paymentRequests(database, proposal.id!),
		lastModifiedUser: viewOf('User', user(proposal.last_modified_user_id!)),
	};
}

export const proposalDetail = (database: Database, id: number): Json => ({
	...commonDetail(database, id),
	changeOrders: database
		.rows('proposals', { parent_id: id })
		.map((row) => changeOrderSummary(database, row)),
});

/**
 * Serializes a change order. As in the sample, it has `changeOrderSubtotal` instead of `proposalSubtotal`, and
 * no `proposalTotal`.
 */
export function changeOrderDetail(database: Database, id: number): Json {
	const { financialSummary, ...rest } = commonDetail(database, id);
	const { proposalSubtotal: changeOrderSubtotal, ...money } = financialSummary;
	return {
		...rest,
		financialSummary: { ...money, proposalTotal: undefined, changeOrderSubtotal },
	};
}

export const lastModified = (detail: { lastModifiedDate: unknown }) => ({
	'Last-Modified': new Date(String(detail.lastModifiedDate)).toUTCString(),
});
