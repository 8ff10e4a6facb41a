/**
 * A proposal that is accepted again with another option, with less or with a change order, and then
 * declined. Expected are the quantities and prices of the seed.
 */
import axios from 'axios';
import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { itemsOf } from '../../../dev/testbed/n8n/database.mts';
import { ownEnvironment } from '../environments.mts';
import { coloradoTax, money, texasTax, useExample } from './example.mts';

const { submittedToo } = seed.proposals;
const examples = [
	'Accepted proposal to Slack and purchase list',
	'Accepted proposal to QuickBooks',
	'Project handover',
	'Proposal accepted',
];
const environment = ownEnvironment({ examples });
type Example = ReturnType<typeof useExample>;
const [purchaseList, quickBooks, handover, orderList] = examples.map((name) =>
	useExample(name, environment),
) as [Example, Example, Example, Example];

const input = { proposalId: submittedToo };
const trigger = 'Accepted, Reopened or Declined';
const control = () => environment().simulator.control;
const area = () => control().proposal(submittedToo).areas[0];

/** The client's actions on the page of the proposal. */
async function click(action: string, form: Record<string, string> = {}): Promise<void> {
	const { url } = environment().simulator;
	const headers = { Origin: url, 'Content-Type': 'application/x-www-form-urlencoded' };
	const path = `${url}/customer/proposals/${submittedToo}/${action}`;
	await axios.post(path, String(new URLSearchParams(form)), { headers });
}
const accept = (option: number) =>
	click('accept', { [`area-${area().id}`]: String(area().options[option].id) });

/** The events of each week, the accepted parts with their cost, and the total with tax. */
const WEEKS = {
	'accepted with option 2': {
		happen: () => accept(1),
		parts: ['1 Lumenfold LX85-P', '2 Hearthline Glass 7'],
		cost: 2950 + 2 * 512.6,
		total: total(429_900 + 2 * 89_000, 7 * 16_000),
	},
	'accepted with option 1': {
		happen: () => accept(0),
		parts: ['1 Lumenfold LX77', '1 Hearthline Glass 7'],
		cost: 2080 + 512.6,
		total: total(299_900 + 89_000, 5 * 16_000),
	},
	'accepted with less': {
		async happen() {
			const itemIds = [area().options[0].items[1].id];
			await purchaseList.edit('item', 'delete', submittedToo, { itemIds });
			await accept(0);
		},
		parts: ['1 Lumenfold LX77'],
		cost: 2080,
		total: total(299_900, 5 * 16_000),
	},
	'accepted with a change order': {
		async happen() {
			// One of the two is accepted.
			for (const id of Object.values(seed.changeOrders))
				control().update('proposals', { id }, { parentId: submittedToo });
			await accept(0);
		},
		parts: ['1 Lumenfold LX77', '1 Hearthline Handset'],
		cost: 2080 + 238,
		// The change order is an amount and tax of its own.
		total: total(299_900, 5 * 16_000) + (42_000 + coloradoTax(42_000)) / 100,
	},
	declined: { happen: () => click('decline'), parts: [], cost: 0, total: 0 },
};

/** A total in dollars of parts and labor in cents. */
function total(parts: number, labor: number): number {
	return (parts + labor + texasTax(parts) + texasTax(labor)) / 100;
}

test.for(Object.entries(WEEKS))(
	'orders, hands over and bills what is in a proposal that is %s',
	async ([week, { happen, parts, cost, total }]) => {
		const { systems } = environment().others;
		const isFirst = week === 'accepted with option 2';
		if (!isFirst) await click('reopen');
		await happen();
		parts.sort();

		await purchaseList.run(trigger, input);
		const rows = systems.googleSheets.rows();
		const wanted = rows.filter((row) => row['In Proposal'] === 'yes');
		expect(wanted.map(({ Quantity, Part }) => `${Quantity} ${Part}`).sort()).toEqual(parts);
		const costs = wanted.map((row) => Number(row.Quantity) * Number(row['Unit Cost']));
		expect(costs.reduce((sum, one) => sum + one, 0)).toBeCloseTo(cost, 2);
		for (const row of rows.filter((one) => !wanted.includes(one)))
			expect(row['In Proposal']).toMatch(/^removed on \d{4}-\d\d-\d\d$/);

		const execution = await orderList.run(trigger, input);
		const ordered = await environment().n8n.dataTableRows('portal_order_lines');
		expect(ordered.map(({ quantity, part }) => `${quantity} ${part}`).sort()).toEqual(parts);
		const listed = itemsOf(execution, 'Collect Lines and Totals');
		expect(listed).toHaveLength(parts.length + 1);
		expect(listed.at(-1)).toMatchObject({ part: 'Total', costTotal: cost });
		expect(itemsOf(execution, 'Write Order List')).toHaveLength(1);

		await handover.run(trigger, input);
		const tasks = systems.asana.tasks.filter(
			({ name }) => !name.startsWith('No longer in the proposal: '),
		);
		const lines = tasks.flatMap(({ notes }) => notes.split('\n'));
		const handedOver = lines.filter((line) => line.includes(' × '));
		expect(handedOver.map((line) => line.replace(' × ', ' ')).sort()).toEqual(parts);

		await quickBooks.run('Accepted or Declined', input);
		const first = WEEKS['accepted with option 2'].total;
		expect(systems.quickBooks.estimates).toMatchObject([{ TotalAmt: first }]);
		const { number } = control().proposal(submittedToo);
		const sentence =
			week === 'declined'
				? `it is now Declined, and QuickBooks still has the estimate P-${number}. Close it by hand.`
				: `QuickBooks already has the estimate P-${number} of $${money(first)}, so it was not changed. ` +
					`The accepted total is now $${money(total)}. Compare the two.`;
		const about = quickBooks.messages().filter((text) => text.includes('QuickBooks'));
		expect(about.at(-1)).toBe(isFirst ? undefined : quickBooks.about(submittedToo, sentence));

		// Without the first estimate, a new one has the lines and tax of the change order too.
		if (week !== 'accepted with a change order') return;
		const [estimate] = systems.quickBooks.estimates.splice(0);
		await quickBooks.run('Accepted or Declined', input);
		expect(systems.quickBooks.estimates).toMatchObject([{ TotalAmt: Number(total.toFixed(2)) }]);
		systems.quickBooks.estimates.splice(0, 1, estimate!);
	},
);

test('writes no order list of a proposal that was never accepted', async () => {
	const execution = await orderList.run(trigger, { proposalId: seed.proposals.viewed });
	expect(itemsOf(execution, 'Get Items')).toEqual([{}]);
	expect(itemsOf(execution, 'Write Order List')).toEqual([]);
});
