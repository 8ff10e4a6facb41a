/** What the tests of the template of the purchase list do and see. */
import { expect } from 'vitest';
import type { Stage } from '../../../testbed/stage.mts';
import { jobRows } from './jobs.mts';

/** The name of the template. */
export const PURCHASE_LIST = 'Accepted proposal to Slack and purchase list';

/** The job under which the template keeps its proposals. */
export const PURCHASE_JOB = 'purchase-list';

/** Handles the template on a stage. */
export function purchaseListOf(stage: () => Stage) {
	const numberOf = (proposalId: number) => stage().simulator.control.proposal(proposalId).number;
	const sheet = () => stage().others.systems.googleSheets.purchaseList;
	const messages = () => stage().others.systems.slack.messages;
	return {
		workflow: () => stage().workflows[PURCHASE_LIST]!,
		sheet,

		/** The messages that were posted. */
		texts: () => messages().map(({ text }) => text),

		/** The first line of a message. */
		headline: (proposalId: number, name: string, what: string) =>
			`Proposal ${numberOf(proposalId)} (${name}) ${what}.`,

		/** The rows of a proposal: supplier, brand and model, quantity, unit cost in cents, cost, status. */
		rowsOf: (proposalId: number) =>
			sheet()
				.records()
				.filter((row) => String(row.Proposal).startsWith(`${numberOf(proposalId)} `))
				.map((row) => [
					row.Supplier,
					`${row.Brand} ${row.Model}`.trim(),
					row.Quantity,
					Math.round(Number(row['Unit Cost']) * 100),
					Math.round(Number(row.Cost) * 100),
					row.Status,
				]),

		/** Every job must be done with a message of its own, and no row be there twice. */
		async expectNothingTwice(): Promise<void> {
			const keys = sheet()
				.records()
				.map(({ Key }) => Key);
			expect(new Set(keys).size).toBe(keys.length);
			const rows = await jobRows(stage(), PURCHASE_JOB);
			expect(rows.filter(({ state }) => state !== 'done')).toEqual([]);
			const ids = messages().map(({ ts }) => ts);
			expect(rows.map(({ targetId }) => targetId).toSorted()).toEqual(ids.toSorted());
		},
	};
}
