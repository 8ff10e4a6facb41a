import type { Database, Row } from '../database.mts';
import { fromCents, fromQuantity } from '../money.mts';
import { optionTotals, shownAmount } from '../totals.mts';
import { compact, currencyOf } from './fields.mts';
import {
	financialSummary,
	paymentRequests,
	paymentSchedule,
	profitView,
	recurringView,
} from './financial.mts';
import { contactView, locationView } from './people.mts';
import { readProposal, type ProposalParts } from './read.mts';

function itemView(item: Row, items: Row[], account: Row) {
	return compact({
		id: item.id,
		parentId: item.parent_id,
		itemType: item.item_type,
		referencedItemId: item.referenced_item_id,
		createdDate: item.created_date,
		lastModifiedDate: item.last_modified_date,
		brand: item.brand,
		model: item.model,
		description: item.short_description,
		name: item.name,
		shortDescription: item.short_description,
		clientNote: item.client_note,
		imageUrl: item.image_url,
		msrp: item.msrp_cents === null ? null : fromCents(Number(item.msrp_cents)),
		sellPrice: fromCents(Number(item.sell_price_cents)),
		cost: fromCents(Number(item.cost_cents)),
		costUpdateDate: item.cost_update_date,
		supplier: item.supplier_name,
		quantity: fromQuantity(Number(item.quantity)),
		total: {
			amount: fromCents(shownAmount(item, items)),
			currency: currencyOf(account),
			isCombinedPrice: item.is_combined_price === 1,
		},
		isTaxExempt: item.is_tax_exempt === 1,
		isRecurringService: item.is_recurring_service === 1,
	});
}

function areaViews({ areas, account }: ProposalParts) {
	return areas.map(({ area, options }) => ({
		id: area.id,
		name: area.name,
		options: options.map(({ option, items }) => {
			const { total, recurring } = optionTotals(items);
			return compact({
				id: option.id,
				status: option.status,
				lastModifiedDate: option.last_modified_date,
				clientDescription: option.client_description,
				installerDescription: option.installer_description,
				items: items.map((item) => itemView(item, items, account)),
				total: fromCents(total),
				totalRecurringService: fromCents(recurring),
			});
		}),
	}));
}

/** An entry of a proposal's list of change orders. */
export function changeOrderSummary(database: Database, id: number) {
	const { proposal, account, contact, totals } = readProposal(database, id);
	return compact({
		id: proposal.id,
		number: proposal.number,
		name: proposal.name,
		status: proposal.status,
		total: { changeOrderTotal: fromCents(totals.total), currency: currencyOf(account) },
		customer: contact && contactView(contact),
		createdDate: proposal.created_date,
		lastModifiedDate: proposal.last_modified_date,
		lastModifiedByUserDate: proposal.last_modified_by_user_date,
	});
}

/** IDs of the change orders of a proposal, oldest first. */
export const changeOrderIds = (database: Database, proposalId: number): number[] =>
	database
		.all('SELECT id FROM proposals WHERE parent_id = ? ORDER BY id', proposalId)
		.map((row) => Number(row.id));

/** An entry of the proposal list. */
export function proposalSummary(database: Database, id: number) {
	const { proposal, account, contact, totals } = readProposal(database, id);
	return compact({
		id: proposal.id,
		number: proposal.number,
		name: proposal.name,
		status: proposal.status,
		total: { proposalTotal: fromCents(totals.total), currency: currencyOf(account) },
		createdDate: proposal.created_date,
		lastModifiedDate: proposal.last_modified_date,
		customer: contact && contactView(contact),
	});
}

/** What the details of proposals and change orders have in common. */
function commonDetail(database: Database, id: number, declined?: readonly number[]) {
	const parts = readProposal(database, id, declined);
	const { proposal, account, contact, location, totals } = parts;
	const user = (userId: Row[string]) => database.get('SELECT * FROM users WHERE id = ?', userId!)!;
	const salesperson = user(proposal.sales_person_id!);
	const editor = user(proposal.last_modified_user_id!);
	return {
		...compact({
			id: proposal.id,
			createdDate: proposal.created_date,
			lastCompletedDate: proposal.last_completed_date,
			lastModifiedDate: proposal.last_modified_date,
			lastModifiedByUserDate: proposal.last_modified_by_user_date,
			financialSummary: financialSummary(parts),
			number: proposal.number,
			name: proposal.name,
			status: proposal.status,
			lastSubmittedDate: proposal.last_submitted_date,
			clientLastOpenedDate: proposal.client_last_opened_date,
			customer: contact && {
				...contactView(contact),
				...(location && { location: locationView(location) }),
			},
			dealer: compact({
				companyName: account.company_name,
				location: locationView(account, null),
				salesperson: compact({
					id: salesperson.id,
					email: salesperson.email,
					firstName: salesperson.first_name,
					lastName: salesperson.last_name,
				}),
				webSiteUrl: account.web_site_url,
				companyPhone: account.phone,
				companyLogoUrl: account.logo_url,
			}),
			coverpageImageUrl: proposal.coverpage_image_url,
			aboutUs: account.about_us,
			projectDescription: proposal.project_description,
			areas: areaViews(parts),
			profit: profitView(totals),
			recurringServices: recurringView(totals),
			paymentSchedule: paymentSchedule(database, parts),
			paymentRequests: paymentRequests(database, proposal.id!),
			projectTerms: account.project_terms,
			lastModifiedUser: compact({ firstName: editor.first_name, lastName: editor.last_name }),
		}),
		// the one optional field that is null instead of absent
		clientLastDecisionDate: proposal.client_last_decision_date,
	};
}

/**
 * The full proposal detail: the response of nearly every proposal operation. For `declined` see
 * `readProposal`.
 */
export const proposalDetail = (database: Database, id: number, declined?: readonly number[]) => ({
	...commonDetail(database, id, declined),
	changeOrders: changeOrderIds(database, id).map((one) => changeOrderSummary(database, one)),
});

/**
 * A change order in full: the proposal detail without `changeOrders`, and with
 * `changeOrderSubtotal` in place of `proposalSubtotal`.
 */
export function changeOrderDetail(database: Database, id: number) {
	const { financialSummary: summary, ...rest } = commonDetail(database, id);
	const { proposalSubtotal: changeOrderSubtotal, ...money } = summary;
	return { ...rest, financialSummary: { ...money, changeOrderSubtotal } };
}

/** The header Last-Modified of a proposal or change order. */
export const lastModified = (detail: { lastModifiedDate: unknown }) => ({
	'Last-Modified': new Date(String(detail.lastModifiedDate)).toUTCString(),
});
