/**
 * What the example workflows must have written, worked out from what the service says about its
 * proposals: by itself, in whole cents, and with nothing taken from the workflows.
 */

export type Row = Record<string, string | number | boolean | null>;

/** The members of a proposal that are read here (docs/dev/portal-api.md#the-proposal). */
export interface ProposalDetail {
	id: number;
	number: number;
	name: string;
	lastModifiedDate: string;
	customer?: { companyName?: string; firstName?: string; lastName?: string };
	dealer: { salesperson?: { firstName: string; lastName?: string } };
	areas?: { id: number; name: string; options: Option[] }[];
	profit: { total: number; percentage: number };
}

interface Option {
	id: number;
	status: string;
	items?: Item[];
}

interface Item {
	id: number;
	itemType: string;
	brand?: string;
	model?: string;
	name?: string;
	supplier?: string;
	cost?: number;
	sellPrice?: number;
	quantity: number;
	isRecurringService?: boolean;
}

/** The order lines of an accepted proposal, by item, as the workflow *Proposal accepted* must write them. */
export function expectedOrderLines(proposal: ProposalDetail): Row[] {
	const lines: Row[] = [];
	for (const area of proposal.areas ?? []) {
		for (const option of area.options) {
			if (option.status !== 'Accepted') continue;
			for (const item of option.items ?? []) {
				const isBought = item.itemType === 'Part' || item.itemType === 'CustomItem';
				if (isBought && !item.isRecurringService) {
					lines.push(orderLine(proposal, area.name, item));
				}
			}
		}
	}
	return lines.sort(byItem);
}

/** Sorts rows by the proposal item that they are about. */
export function byItem(one: Row, other: Row): number {
	return Number(one.itemId) - Number(other.itemId);
}

/** The sum of a column of amounts. */
export function sumOf(rows: Row[], column: string): number {
	return rows.reduce((cents, row) => cents + Math.round(Number(row[column]) * 100), 0) / 100;
}

function orderLine(proposal: ProposalDetail, area: string, item: Item): Row {
	const { cost = 0, sellPrice = 0, quantity, brand, model, name = '' } = item;
	return {
		proposalNumber: proposal.number,
		proposalName: proposal.name,
		client: clientOf(proposal),
		supplier: item.supplier ?? '',
		part: [brand, model].filter(Boolean).join(' ') || name,
		area,
		quantity,
		unitCost: cost,
		costTotal: times(cost, quantity),
		unitSellPrice: sellPrice,
		sellTotal: times(sellPrice, quantity),
		acceptedAt: proposal.lastModifiedDate,
		proposalId: proposal.id,
		// Of no change order.
		changeOrderId: 0,
		itemId: item.id,
	};
}

/** The minimum margin in *Settings* of the nightly workflow, in percent. */
const MINIMUM_MARGIN = 35;

/** The rows of the margin report after the costs of these proposals were refreshed. */
export function expectedMarginChanges(before: ProposalDetail[], after: ProposalDetail[]): Row[] {
	const rows: Row[] = [];
	for (const [index, { profit: then }] of before.entries()) {
		const proposal = after[index]!;
		const now = proposal.profit;
		if (now.percentage >= then.percentage || now.percentage >= MINIMUM_MARGIN) continue;
		const { firstName, lastName } = proposal.dealer.salesperson ?? {};
		rows.push({
			proposalNumber: proposal.number,
			proposalName: proposal.name,
			client: clientOf(proposal),
			salesperson: [firstName, lastName].filter(Boolean).join(' '),
			profitBefore: then.total,
			profitAfter: now.total,
			profitChange: (Math.round(now.total * 100) - Math.round(then.total * 100)) / 100,
			marginBefore: then.percentage,
			marginAfter: now.percentage,
			note: '',
			proposalId: proposal.id,
		});
	}
	return rows;
}

function clientOf({ customer }: ProposalDetail): string {
	if (customer?.companyName) return customer.companyName;
	return [customer?.firstName, customer?.lastName].filter(Boolean).join(' ');
}

/** Price times quantity in whole cents, half a cent up; quantities have at most four decimals. */
function times(price: number, quantity: number): number {
	const tenThousandthsOfCents =
		BigInt(Math.round(price * 100)) * BigInt(Math.round(quantity * 1e4));
	return Number((tenThousandthsOfCents + 5_000n) / 10_000n) / 100;
}
