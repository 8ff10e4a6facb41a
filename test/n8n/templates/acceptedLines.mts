/** Calls *Changed after Acceptance* and *Once per Proposal* as a template does, and compares lines. */
import { expect } from 'vitest';
import { callShared } from '../../../testbed/sharedWorkflows.mts';
import type { Stage } from '../../../testbed/stage.mts';

/** A line of what was accepted, as far as it is looked at here. */
export interface Line {
	key: string;
	area: string;
	areaId: number;
	itemType: string;
	referencedItemId: number;
	quantity: number;
	unitPrice: number;
	amount: number;
	unitCost: number;
	cost: number;
}

/** What *Changed after Acceptance* returns, as far as it is looked at here. */
export interface Change {
	change: string;
	version: string;
	targetId: string;
	proposalId: number;
	proposalNumber: number;
	lines: Line[];
	removed: string[];
	subtotal: number;
	discount: number;
	salesTax: number;
	total: number;
}

/** Asks what has changed for a job, and does it, as a template does. */
export function jobOn(stage: () => Stage, job: string) {
	return {
		/** What has changed since the job was last done. The sums must be those of the lines. */
		async changeOf(proposalId: number): Promise<Change> {
			const inputs = [{ job, proposalId }];
			const [change] = await callShared<Change>(stage(), 'Changed after Acceptance', inputs);
			const { lines, subtotal, discount, salesTax, total } = change!;
			const sum = lines.reduce((cents, { amount }) => cents + toCents(amount), 0);
			expect(toCents(subtotal)).toBe(sum);
			expect(toCents(total)).toBe(sum - toCents(discount) + toCents(salesTax));
			return change!;
		},

		/** Does the job for what has changed, or some of its steps. */
		async doJob(change: Change, steps = ['start', 'done']): Promise<void> {
			const { proposalId, proposalNumber, version } = change;
			const call = { job, proposalId, proposalNumber, version, targetId: 'T-1', reason: '' };
			const inputs = steps.map((step) => ({ ...call, step }));
			await callShared(stage(), 'Once per Proposal', inputs);
		},
	};
}

const toCents = (amount: number) => Math.round(amount * 100);

/** A line as far as it is compared: area, item, quantity, and the unit price and amount in cents. */
export type Short = [area: string, item: number, quantity: number, price: number, amount: number];

/** A line as it is compared. */
export const short = ({ area, referencedItemId, quantity, unitPrice, amount }: Line): Short => [
	area,
	referencedItemId,
	quantity,
	Math.round(unitPrice * 1_000_000) / 10_000,
	Math.round(amount * 100),
];

/** A line to compare with; its amount follows from quantity and unit price. */
export const line = (area: string, item: number, quantity: number, cents: number): Short => [
	area,
	item,
	quantity,
	cents,
	quantity * cents,
];

/** The sum of all amounts, in cents. */
export const sumOf = (lines: Short[]) =>
	lines.reduce((total, [, , , , amount]) => total + amount, 0);
