import type { Row } from './database.mts';
import { extend, percentage, share } from './money.mts';
import { salesTax, type Component, type Tax } from './tax.mts';

/** An option with its items, as rows. */
export interface OptionRows {
	option: Row;
	items: Row[];
}

/** The totals of one option, in cents. */
export interface OptionTotals {
	/** One-time items, each counted once. A combined price only changes what an item shows. */
	total: number;
	recurring: number;
}

/** The totals of a proposal in cents; percentages in percent with two decimals. */
export interface ProposalTotals {
	partsSubtotal: number;
	discount: number;
	discountTaxable: number;
	discountTaxExempt: number;
	partsTotal: number;
	laborTotal: number;
	feeTotal: number;
	subtotal: number;
	tax: Tax;
	total: number;
	recurringItems: Row[];
	recurringTotal: number;
	profit: {
		total: number;
		percentage: number;
		partTotal: number;
		partPercentage: number;
		laborTotal: number;
		laborPercentage: number;
	};
}

const components: Record<string, Component> = {
	Part: 'Parts',
	CustomItem: 'Parts',
	Labor: 'Labor',
	Fee: 'Fee',
};

/** The sell price of an item times its quantity, in cents, without nested items. */
export const ownAmount = (item: Row): number =>
	extend(Number(item.sell_price_cents), Number(item.quantity));

const ownCost = (item: Row): number => extend(Number(item.cost_cents), Number(item.quantity));

const sum = (items: Row[], amount: (item: Row) => number): number =>
	items.reduce((total, item) => total + amount(item), 0);

/**
 * The total that an item shows: its own amount, and with a combined price also those of all items
 * nested under it. Nested items still show their own.
 */
export function shownAmount(item: Row, items: Row[]): number {
	if (!item.is_combined_price) return ownAmount(item);
	const nested = items.filter((one) => one.parent_id === item.id);
	const below = (one: Row): number =>
		ownAmount(one) +
		sum(
			items.filter((other) => other.parent_id === one.id),
			below,
		);
	return ownAmount(item) + sum(nested, below);
}

/** The totals of one option. Recurring services are not part of `total`. */
export function optionTotals(items: Row[]): OptionTotals {
	return {
		total: sum(
			items.filter((item) => !item.is_recurring_service),
			ownAmount,
		),
		recurring: sum(
			items.filter((item) => item.is_recurring_service),
			ownAmount,
		),
	};
}

function partsDiscount(proposal: Row, partsSubtotal: number): number {
	const value = Number(proposal.discount_value ?? 0);
	if (proposal.discount_type === 'Percentage') return share(partsSubtotal, value, 10_000);
	return proposal.discount_type === 'Fixed' ? Math.min(value, partsSubtotal) : 0;
}

/**
 * All totals of a proposal. Assumed: every option counts except the declined ones, and custom items
 * count as parts. Fees count only in the total profit.
 */
export function proposalTotals(
	proposal: Row,
	account: Row,
	location: Row | undefined,
	options: OptionRows[],
): ProposalTotals {
	const counted = options.filter(({ option }) => option.status !== 'Declined');
	const items = counted.flatMap((one) => one.items);
	const oneTime = items.filter((item) => !item.is_recurring_service);
	const recurringItems = items.filter((item) => item.is_recurring_service);
	const of = (component: Component) =>
		oneTime.filter((item) => components[String(item.item_type)] === component);
	const exempt = (item: Row) => (item.is_tax_exempt ? ownAmount(item) : 0);

	const partsSubtotal = sum(of('Parts'), ownAmount);
	const discount = partsDiscount(proposal, partsSubtotal);
	const partsExempt = sum(of('Parts'), exempt);
	const discountTaxExempt = share(discount, partsExempt, partsSubtotal);
	const discountTaxable = discount - discountTaxExempt;
	const partsTotal = partsSubtotal - discount;
	const laborTotal = sum(of('Labor'), ownAmount);
	const feeTotal = sum(of('Fee'), ownAmount);
	const subtotal = partsTotal + laborTotal + feeTotal;
	const tax = salesTax(
		proposal.contact_id!,
		location,
		String(account.tax_apply_to).split(',') as Component[],
		{
			Parts: partsSubtotal - partsExempt - discountTaxable,
			Labor: laborTotal - sum(of('Labor'), exempt),
			Fee: feeTotal - sum(of('Fee'), exempt),
		},
	);
	const profit = subtotal - sum(oneTime, ownCost);
	const partProfit = partsTotal - sum(of('Parts'), ownCost);
	const laborProfit = laborTotal - sum(of('Labor'), ownCost);
	return {
		partsSubtotal,
		discount,
		discountTaxable,
		discountTaxExempt,
		partsTotal,
		laborTotal,
		feeTotal,
		subtotal,
		tax,
		total: subtotal + tax.total,
		recurringItems,
		recurringTotal: sum(recurringItems, ownAmount),
		profit: {
			total: profit,
			percentage: percentage(profit, subtotal),
			partTotal: partProfit,
			partPercentage: percentage(partProfit, partsTotal),
			laborTotal: laborProfit,
			laborPercentage: percentage(laborProfit, laborTotal),
		},
	};
}
