import type { Database, Row } from '../database.mts';
import { fromCents, fromQuantity, share } from '../money.mts';
import { ownAmount, type ProposalTotals } from '../totals.mts';
import { compact, currencyOf } from './fields.mts';
import { locationView } from './people.mts';
import type { ProposalParts } from './read.mts';

/** FinancialSummary with SalesTax. Without a discount, the discount fields are absent. */
export function financialSummary({ proposal, account, location, totals }: ProposalParts) {
	const applyTo = String(account.tax_apply_to).split(',');
	const { tax } = totals;
	const rates = Object.fromEntries(
		(['Parts', 'Labor', 'Fee'] as const)
			.filter((component) => tax.status === 'Ok' && applyTo.includes(component))
			.flatMap((component) => {
				const key = component.toLowerCase();
				return [
					[`${key}Tax`, tax.rate],
					[`${key}TaxName`, `${location!.state_abbrev} sales tax`],
					[`${key}TotalTax`, fromCents(tax.amounts[component])],
				];
			}),
	);
	return {
		partsSubtotal: fromCents(totals.partsSubtotal),
		...(proposal.discount_type && {
			partsDiscountType: proposal.discount_type,
			...(proposal.discount_type === 'Percentage' && {
				partsDiscountPercentage: Number(proposal.discount_value) / 100,
			}),
			partsDiscount: fromCents(totals.discount),
			partsDiscountTaxable: fromCents(totals.discountTaxable),
			partsDiscountTaxExempt: fromCents(totals.discountTaxExempt),
		}),
		partsTotal: fromCents(totals.partsTotal),
		laborTotal: fromCents(totals.laborTotal),
		feeTotal: fromCents(totals.feeTotal),
		proposalSubtotal: fromCents(totals.subtotal),
		salesTax: {
			taxStatus: tax.status,
			total: fromCents(tax.total),
			calculation: {
				method: 'ClientLocation',
				applyTo,
				hasMultipleTaxSupport: false,
				isTaxProviderAvailable: true,
				...rates,
				...(location && { taxLocation: locationView(location) }),
			},
		},
		proposalTotal: fromCents(totals.total),
		currency: currencyOf(account),
	};
}

/** Profit. */
export function profitView({ profit }: ProposalTotals) {
	return {
		total: fromCents(profit.total),
		percentage: profit.percentage,
		partTotal: fromCents(profit.partTotal),
		partPercentage: profit.partPercentage,
		laborTotal: fromCents(profit.laborTotal),
		laborPercentage: profit.laborPercentage,
		isProfitIncludeCos: false,
	};
}

/** RecurringServices. An item without a name shows its brand and model. */
export function recurringView(totals: ProposalTotals) {
	return {
		items: totals.recurringItems.map((item) => ({
			name: item.name ?? [item.brand, item.model].filter(Boolean).join(' '),
			sellPrice: fromCents(Number(item.sell_price_cents)),
			quantity: fromQuantity(Number(item.quantity)),
			totalSell: fromCents(ownAmount(item)),
		})),
		totalRecurringService: fromCents(totals.recurringTotal),
	};
}

/**
 * PaymentSchedule; undefined when none is set. Each amount is a percentage of the proposal's total;
 * the entry without a percentage gets the rest.
 */
export function paymentSchedule(database: Database, { proposal, totals }: ProposalParts) {
	const rows = database.all(
		'SELECT * FROM scheduled_payments WHERE proposal_id = ? ORDER BY id',
		proposal.id!,
	);
	if (rows.length === 0) return undefined;
	const fixed = rows.map((row) =>
		row.percent === null ? 0 : share(totals.total, Number(row.percent), 10_000),
	);
	const rest = totals.total - fixed.reduce((total, amount) => total + amount, 0);
	return compact({
		customerDescription: proposal.payment_description,
		payments: rows.map((row, index) => ({
			calculation: row.percent === null ? 'Balance' : 'Percentage',
			amount: fromCents(row.percent === null ? rest : fixed[index]!),
			due: compact({ date: row.due_date, milestone: row.milestone }),
		})),
	});
}

/** The payment requests of a proposal. */
export function paymentRequests(database: Database, proposalId: Row[string]) {
	return database
		.all('SELECT * FROM payment_requests WHERE proposal_id = ? ORDER BY id', proposalId!)
		.map((row) =>
			compact({
				id: row.id,
				status: row.status,
				amount: fromCents(Number(row.amount_cents)),
				dueDate: row.due_date,
				description: row.description,
				paymentMethod: row.payment_method,
			}),
		);
}
