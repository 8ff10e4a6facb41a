/**
 * A proposal that is accepted again with another option, with less or with a change order, and then
 * declined. Expected are the quantities and prices of the seed.
 */
import axios from 'axios';
import { beforeAll, describe, expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { itemsOf } from '../../../dev/testbed/n8n/database.mts';
import { byId, portal } from '../../../dev/testbed/workflowBuilder.mts';
import { ownEnvironment } from '../environments.mts';
import { runOnce } from '../handRuns.mts';
import { coloradoTax, linkTo, texasTax, useExample } from './example.mts';

const { submittedToo } = seed.proposals;

/** The accepted parts of each week with their cost, and the total of the proposal with tax. */
const WEEKS = {
	'accepted with option 2': {
		parts: ['1 Lumenfold LX85-P', '2 Hearthline Glass 7'],
		cost: 2950 + 2 * 512.6,
		total: total(429_900 + 2 * 89_000, 7 * 16_000),
	},
	'accepted with option 1': {
		parts: ['1 Lumenfold LX77', '1 Hearthline Glass 7'],
		cost: 2080 + 512.6,
		total: total(299_900 + 89_000, 5 * 16_000),
	},
	'accepted with less': {
		parts: ['1 Lumenfold LX77'],
		cost: 2080,
		total: total(299_900, 5 * 16_000),
	},
	'accepted with a change order': {
		parts: ['1 Lumenfold LX77', '1 Hearthline Handset'],
		cost: 2080 + 238,
		total: total(299_900, 5 * 16_000),
	},
	// After it was reopened nothing is chosen, and both options count.
	declined: { parts: [], cost: 0, total: total(299_900 + 429_900 + 2 * 89_000, 12 * 16_000) },
};
type Week = keyof typeof WEEKS;
type Example = ReturnType<typeof useExample>;
const weeks = Object.entries(WEEKS) as [Week, (typeof WEEKS)[Week]][];

/** A total in dollars of parts and labor in cents. */
function total(parts: number, labor: number): number {
	return (parts + labor + texasTax(parts) + texasTax(labor)) / 100;
}

const EXAMPLES = [
	'Accepted proposal to Slack and purchase list',
	'Accepted proposal to QuickBooks',
	'Project handover',
	'Proposal accepted',
	'Proposal status to HubSpot',
];
const environment = ownEnvironment({ examples: EXAMPLES });
const [purchaseList, quickBooks, handover, orderList, hubSpot] = EXAMPLES.map((name) =>
	useExample(name, environment),
) as [Example, Example, Example, Example, Example];
const systems = () => environment().others.systems;
const proposal = () => environment().simulator.control.proposal(submittedToo);

/** Leads the proposal to a week. */
async function lead(week: Week): Promise<void> {
	const { control } = environment().simulator;
	const post = async (action: string, form: Record<string, string> = {}) => {
		const { url } = environment().simulator;
		const headers = { Origin: url, 'Content-Type': 'application/x-www-form-urlencoded' };
		const path = `${url}/customer/proposals/${submittedToo}/${action}`;
		await axios.post(path, String(new URLSearchParams(form)), { headers });
	};
	const area = () => control.proposal(submittedToo).areas[0];
	if (week !== 'accepted with option 2') await post('reopen');
	if (week === 'accepted with less') {
		const [, panel] = area().options[0].items;
		const parameters = { proposalId: byId(submittedToo), itemIds: [panel.id] };
		const remove = portal({ resource: 'item', operation: 'delete', ...parameters });
		const { error } = await runOnce(environment(), 'Remove the panel', [remove]);
		expect(error).toBeUndefined();
	}
	if (week === 'accepted with a change order') {
		// One of the two is accepted.
		for (const id of Object.values(seed.changeOrders)) {
			control.updateProposal(id, { parentId: submittedToo });
		}
	}
	if (week === 'declined') return await post('decline');
	const option = area().options[week === 'accepted with option 2' ? 1 : 0];
	await post('accept', { [`area-${area().id}`]: String(option.id) });
}

const trigger = 'Accepted, Reopened or Declined';
const input = { proposalId: submittedToo };
const sorted = (parts: string[]) => parts.toSorted();
const money = (amount: number) =>
	`$${amount.toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
/** With the change order, which is an amount and tax of its own. */
const accepted = (week: Week) =>
	WEEKS[week].total +
	(week === 'accepted with a change order' ? (42_000 + coloradoTax(42_000)) / 100 : 0);

describe.each(weeks)('a proposal that is %s', (week, { parts, cost, total }) => {
	beforeAll(async () => await lead(week));

	test('has its parts in the purchase list, with the others marked', async () => {
		await purchaseList.run(trigger, input);
		const rows = systems().googleSheets.rows();
		const isWanted = (row: (typeof rows)[number]) => row['In Proposal'] === 'yes';
		const wanted = rows.filter(isWanted);
		expect(sorted(wanted.map(({ Quantity, Part }) => `${Quantity} ${Part}`))).toEqual(
			sorted(parts),
		);
		const costs = wanted.map((row) => Number(row.Quantity) * Number(row['Unit Cost']));
		expect(costs.reduce((sum, one) => sum + one, 0)).toBeCloseTo(cost, 2);
		for (const row of rows.filter((one) => !isWanted(one))) {
			expect(row['In Proposal']).toMatch(/^removed on \d{4}-\d\d-\d\d$/);
		}
	});

	test('has its parts and no others in the order list', async () => {
		const execution = await orderList.run(trigger, input);
		const rows = await environment().n8n.dataTableRows('portal_order_lines');
		expect(sorted(rows.map(({ quantity, part }) => `${quantity} ${part}`))).toEqual(sorted(parts));
		const listed = itemsOf(execution, 'Lines and Total');
		expect(listed).toHaveLength(parts.length + 1);
		expect(listed.at(-1)).toMatchObject({ part: 'Total', costTotal: cost });
		expect(itemsOf(execution, 'Write Order List')).toHaveLength(1);
	});

	test('has its parts in the tasks of the project', async () => {
		await handover.run(trigger, input);
		const valid = systems().asana.tasks.filter(
			({ name }) => !name.startsWith('No longer in the proposal: '),
		);
		const lines = valid.flatMap(({ notes }) => notes.split('\n'));
		const listed = lines.filter((line) => line.includes(' × '));
		expect(sorted(listed.map((line) => line.replace(' × ', ' ')))).toEqual(sorted(parts));
	});

	test('has its first estimate in QuickBooks, and a message about the changes', async () => {
		const { number, name } = proposal();
		const first = WEEKS['accepted with option 2'].total;
		await quickBooks.run('Accepted or Declined', input);
		expect(systems().quickBooks.estimates).toMatchObject([{ TotalAmt: first }]);
		const sentence =
			week === 'declined'
				? `it is now Declined, and QuickBooks still has the estimate P-${number}. Close it by hand.`
				: `QuickBooks already has the estimate P-${number} of ${money(first)}, so nothing was changed. ` +
					`The accepted total is now ${money(accepted(week))}. Compare the two.`;
		const message = `Proposal ${number} (${name}): ${sentence} ${linkTo(submittedToo)}`;
		const isFirst = week === 'accepted with option 2';
		const found = quickBooks.messages().filter((text) => text.includes('QuickBooks'));
		expect(found.at(-1)).toBe(isFirst ? undefined : message);
	});

	test('has one deal in HubSpot, with its stage and amount', async () => {
		await hubSpot.run('Proposal Status Changed', input);
		const deals = systems().hubSpot.deals.filter(({ properties }) =>
			properties.dealname!.startsWith(`${proposal().number} `),
		);
		expect(deals.map(({ properties }) => [properties.dealstage, properties.amount])).toEqual([
			[week === 'declined' ? 'closedlost' : 'closedwon', String(total)],
		]);
	});
});

test('puts the lines, discount and tax of change orders into an estimate that is missing', async () => {
	systems().quickBooks.reset();
	await lead('accepted with a change order');
	await quickBooks.run('Accepted or Declined', input);
	expect(systems().quickBooks.estimates).toMatchObject([
		{ TotalAmt: Number(accepted('accepted with a change order').toFixed(2)) },
	]);
});

test('writes no order list of a proposal that was never accepted', async () => {
	const execution = await orderList.run(trigger, { proposalId: seed.proposals.viewed });
	expect(itemsOf(execution, 'Get Items')).toEqual([{}]);
	expect(itemsOf(execution, 'Write Order List')).toEqual([]);
});
