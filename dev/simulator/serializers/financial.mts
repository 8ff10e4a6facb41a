import type { Database, Row } from '../database.mts';
import { extend, fromCents, percentage } from '../money.mts';
import { stateOf, taxStatus } from '../tax.mts';
import { compact, currencyOf, viewOf } from './fields.mts';

export interface ProposalRows {
	proposal: Row;
	account: Row;
	contact: Row | undefined;
	location: Row | undefined;
	areas: { area: Row; options: { option: Row; items: Row[] }[] }[];
}

const sum = (items: Row[], amount: (item: Row) => number): number =>
	items.reduce((total, item) => total + amount(item), 0);

const inDollars = <Name extends string>(cents: Record<Name, number>) =>
	Object.fromEntries(
		Object.entries<number>(cents).map(([name, value]) => [name, fromCents(value)]),
	) as Record<Name, number>;

/** Calculates an item's sell price times its quantity, in cents, without nested items. */
const ownAmount = (item: Row): number =>
	extend(Number(item.sell_price_cents), Number(item.quantity));

const ownCost = (item: Row): number => extend(Number(item.cost_cents), Number(item.quantity));

/** Calculates the total of an item. If the item's price is combined, the total includes those of its nested items. */
export function shownTotal(item: Row, items: Row[]): number {
	const nestedIn = (one: Row) => items.filter((other) => other.parent_id === one.id);
	const below = (one: Row): number => ownAmount(one) + sum(nestedIn(one), below);
	return fromCents(item.is_combined_price ? below(item) : ownAmount(item));
}

/** Separates items that are paid once from items that recur. */
const split = (items: Row[]) => ({
	oneTime: items.filter((item) => !item.is_recurring_service),
	recurring: items.filter((item) => item.is_recurring_service),
});

export function optionTotals(items: Row[]) {
	const { oneTime, recurring } = split(items);
	return inDollars({
		total: sum(oneTime, ownAmount),
		totalRecurringService: sum(recurring, ownAmount),
	});
}

function partsDiscount(proposal: Row, partsSubtotal: number): number {
	const value = Number(proposal.discount_value ?? 0);
	if (proposal.discount_type === 'Percentage') return Math.round((partsSubtotal * value) / 10_000);
	return proposal.discount_type === 'Fixed' ? Math.min(value, partsSubtotal) : 0;
}

/**
 * Calculates FinancialSummary, Profit, RecurringServices, and the total in cents. Assumed: every option is included
 * except the declined ones, custom items are treated as parts, and fees are included only in the total profit. Sales
 * tax is calculated for each component that the account taxes.
 */
export function financialViews({ proposal, account, location, areas }: ProposalRows) {
	const counted = areas
		.flatMap(({ options }) => options)
		.filter(({ option }) => option.status !== 'Declined');
	const { oneTime, recurring } = split(counted.flatMap(({ items }) => items));
	const ofType = (...types: string[]) =>
		oneTime.filter((item) => types.includes(String(item.item_type)));
	const [parts, labor, fees] = [ofType('Part', 'CustomItem'), ofType('Labor'), ofType('Fee')];
	const exempt = (items: Row[]) => sum(items, (item) => (item.is_tax_exempt ? ownAmount(item) : 0));

	const partsSubtotal = sum(parts, ownAmount);
	const discount = partsDiscount(proposal, partsSubtotal);
	const discountExempt = Math.round((discount * exempt(parts)) / (partsSubtotal || 1));
	const partsTotal = partsSubtotal - discount;
	const laborTotal = sum(labor, ownAmount);
	const feeTotal = sum(fees, ownAmount);
	const subtotal = partsTotal + laborTotal + feeTotal;

	const status = taxStatus(proposal.contact_id!, location);
	const state = status === 'Ok' ? stateOf(location!) : undefined;
	const applyTo = String(account.tax_apply_to).split(',');
	const taxable = {
		Parts: partsTotal - exempt(parts) + discountExempt,
		Labor: laborTotal - exempt(labor),
		Fee: feeTotal - exempt(fees),
	};
	const taxes = Object.entries(taxable)
		.filter(([component]) => state && applyTo.includes(component))
		.map(([component, amount]) => ({
			key: component.toLowerCase(),
			amount: Math.round((amount * state!.rate) / 100),
		}));
	const salesTax = taxes.reduce((total, { amount }) => total + amount, 0);
	const total = subtotal + salesTax;

	const profit = subtotal - sum(oneTime, ownCost);
	const partProfit = partsTotal - sum(parts, ownCost);
	const laborProfit = laborTotal - sum(labor, ownCost);
	return {
		/** Total in cents. */
		total,
		financialSummary: {
			...inDollars({ partsSubtotal, partsTotal, laborTotal, feeTotal }),
			...inDollars({ proposalSubtotal: subtotal, proposalTotal: total }),
			...(proposal.discount_type && {
				partsDiscountType: proposal.discount_type,
				...(proposal.discount_type === 'Percentage' && {
					partsDiscountPercentage: Number(proposal.discount_value) / 100,
				}),
				...inDollars({
					partsDiscount: discount,
					partsDiscountTaxable: discount - discountExempt,
					partsDiscountTaxExempt: discountExempt,
				}),
			}),
			salesTax: {
				taxStatus: status,
				total: fromCents(salesTax),
				calculation: {
					method: 'ClientLocation',
					applyTo,
					hasMultipleTaxSupport: false,
					isTaxProviderAvailable: true,
					...Object.fromEntries(
						taxes.flatMap(({ key, amount }) => [
							[`${key}Tax`, state!.rate],
							[`${key}TaxName`, `${state!.abbrev} sales tax`],
							[`${key}TotalTax`, fromCents(amount)],
						]),
					),
					...(location && { taxLocation: viewOf('Location', location) }),
				},
			},
			currency: currencyOf(account),
		},
		profit: {
			...inDollars({ total: profit, partTotal: partProfit, laborTotal: laborProfit }),
			percentage: percentage(profit, subtotal),
			partPercentage: percentage(partProfit, partsTotal),
			laborPercentage: percentage(laborProfit, laborTotal),
			isProfitIncludeCos: false,
		},
		recurringServices: {
			items: recurring.map((item) => ({
				...viewOf('RecurringService', item),
				name: item.name ?? [item.brand, item.model].filter(Boolean).join(' '),
				totalSell: fromCents(ownAmount(item)),
			})),
			totalRecurringService: fromCents(sum(recurring, ownAmount)),
		},
	};
}

/** Calculates each amount as a percentage of the total, in cents. The entry without a percentage gets the rest. */
export function paymentSchedule(database: Database, proposal: Row, total: number) {
	const rows = database.rows('scheduled_payments', { proposal_id: proposal.id });
	if (rows.length === 0) return undefined;
	const calculatePercentage = (row: Row) => Math.round((total * Number(row.percent)) / 10_000);
	const rest = total - sum(rows, calculatePercentage);
	return compact({
		customerDescription: proposal.payment_description,
		payments: rows.map((row) => ({
			calculation: row.percent === null ? 'Balance' : 'Percentage',
			amount: fromCents(row.percent === null ? rest : calculatePercentage(row)),
			due: compact({ date: row.due_date, milestone: row.milestone }),
		})),
	});
}

export const paymentRequests = (database: Database, proposalId: Row[string]) =>
	database
		.rows('payment_requests', { proposal_id: proposalId })
		.map((row) => viewOf('PaymentRequest', row));
