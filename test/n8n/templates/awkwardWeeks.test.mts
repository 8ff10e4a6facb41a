/**
 * What becomes of a proposal after it was accepted: with another option on the same day, with less,
 * with a change order, declined. What each example then has, in the quantities and prices of the seed.
 */
import axios from 'axios';
import { describe, expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { itemsOf } from '../../../dev/testbed/n8n/database.mts';
import { byId, portal } from '../../../dev/testbed/workflowBuilder.mts';
import { runOnce } from '../handRuns.mts';
import { coloradoTax, linkTo, texasTax, useExample } from './example.mts';

const { submittedToo } = seed.proposals;

/** What the client has accepted in each week, with the cost of its parts and the total with tax. */
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
const weeks = Object.entries(WEEKS) as [Week, (typeof WEEKS)[Week]][];

/** A total in dollars of parts and labor in cents. */
function total(parts: number, labor: number): number {
	return (parts + labor + texasTax(parts) + texasTax(labor)) / 100;
}

/** Leads the proposal to a week. */
async function lead({ control, environment }: ReturnType<typeof useExample>, week: Week) {
	const post = async (action: string, form: Record<string, string> = {}) => {
		const { url } = environment().simulator;
		const headers = { Origin: url, 'Content-Type': 'application/x-www-form-urlencoded' };
		const path = `${url}/customer/proposals/${submittedToo}/${action}`;
		await axios.post(path, String(new URLSearchParams(form)), { headers });
	};
	const area = () => control().proposal(submittedToo).areas[0];
	if (week !== 'accepted with option 2') await post('reopen');
	if (week === 'accepted with less') {
		const [, panel] = area().options[0].items;
		const parameters = { proposalId: byId(submittedToo), itemIds: [panel.id] };
		const remove = portal({ resource: 'item', operation: 'delete', ...parameters });
		await runOnce(environment(), 'Remove the panel', [remove]);
	}
	if (week === 'accepted with a change order') {
		// One of the two is accepted.
		for (const id of Object.values(seed.changeOrders)) {
			control().updateProposal(id, { parentId: submittedToo });
		}
	}
	if (week === 'declined') return await post('decline');
	const option = area().options[week === 'accepted with option 2' ? 1 : 0];
	await post('accept', { [`area-${area().id}`]: String(option.id) });
}

const sorted = (parts: string[]) => parts.toSorted();

describe('Accepted proposal to Slack and purchase list', () => {
	const example = useExample('Accepted proposal to Slack and purchase list');
	const rows = () => example.systems().googleSheets.rows();
	const costOf = (all: ReturnType<typeof rows>) =>
		all.reduce((sum, row) => sum + Number(row.Quantity) * Number(row['Unit Cost']), 0);

	test.each(weeks)(
		'lists the parts when it is %s, and marks the others',
		async (week, { parts, cost }) => {
			await lead(example, week);
			await example.run('Accepted, Reopened or Declined', { proposalId: submittedToo });
			const wanted = rows().filter((row) => row['In Proposal'] === 'yes');
			expect(sorted(wanted.map(({ Quantity, Part }) => `${Quantity} ${Part}`))).toEqual(
				sorted(parts),
			);
			expect(costOf(wanted)).toBeCloseTo(cost, 2);
			for (const row of rows().filter((row) => row['In Proposal'] !== 'yes')) {
				expect(row['In Proposal']).toMatch(/^removed on \d{4}-\d\d-\d\d$/);
			}
		},
	);
});

describe('Proposal accepted', () => {
	const example = useExample('Proposal accepted');

	test.each(weeks)(
		'lists the parts when it is %s, and no others',
		async (week, { parts, cost }) => {
			await lead(example, week);
			const trigger = 'Accepted, Reopened or Declined';
			const execution = await example.run(trigger, { proposalId: submittedToo });
			const rows = await example.environment().n8n.dataTableRows('portal_order_lines');
			expect(sorted(rows.map(({ quantity, part }) => `${quantity} ${part}`))).toEqual(
				sorted(parts),
			);
			const listed = itemsOf(execution, 'Lines and Total');
			expect(listed).toHaveLength(parts.length + 1);
			expect(listed.at(-1)).toMatchObject({ part: 'Total', costTotal: cost });
			expect(itemsOf(execution, 'Write Order List')).toHaveLength(1);
		},
	);

	test('writes no file of a proposal that was never accepted', async () => {
		const input = { proposalId: seed.proposals.viewed };
		const execution = await example.run('Accepted, Reopened or Declined', input);
		expect(itemsOf(execution, 'Get Items')).toEqual([{}]);
		expect(itemsOf(execution, 'Write Order List')).toEqual([]);
	});
});

describe('Project handover', () => {
	const example = useExample('Project handover');

	test.each(weeks)('has the parts in its tasks when it is %s', async (week, { parts }) => {
		await lead(example, week);
		await example.run('Accepted, Reopened or Declined', { proposalId: submittedToo });
		const valid = example
			.systems()
			.asana.tasks.filter(({ name }) => !name.startsWith('No longer in the proposal: '));
		const lines = valid.flatMap(({ notes }) => notes.split('\n'));
		const listed = lines.filter((line) => line.includes(' × '));
		expect(sorted(listed.map((line) => line.replace(' × ', ' ')))).toEqual(sorted(parts));
	});
});

describe('Accepted proposal to QuickBooks', () => {
	const example = useExample('Accepted proposal to QuickBooks');
	const first = WEEKS['accepted with option 2'].total;
	const money = (amount: number) =>
		`$${amount.toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
	/** With the change order, which is an amount and tax of its own. */
	const accepted = (week: Week) =>
		WEEKS[week].total +
		(week === 'accepted with a change order' ? (42_000 + coloradoTax(42_000)) / 100 : 0);

	test.each(weeks)('has the first estimate when it is %s, and tells a person', async (week) => {
		const { number, name } = example.control().proposal(submittedToo);
		await lead(example, week);
		await example.run('Accepted or Declined', { proposalId: submittedToo });
		expect(example.systems().quickBooks.estimates).toMatchObject([{ TotalAmt: first }]);
		const sentence =
			week === 'declined'
				? `it is now Declined, and QuickBooks still has the estimate P-${number}. Close it by hand.`
				: `QuickBooks already has the estimate P-${number} of ${money(first)}, so nothing was changed. ` +
					`The accepted total is now ${money(accepted(week))}. Compare the two.`;
		const message = `Proposal ${number} (${name}): ${sentence}`;
		if (week === 'accepted with option 2') expect(example.messages()).toEqual([]);
		else expect(example.messages().at(-1)).toBe(`${message} ${linkTo(submittedToo)}`);
	});

	test('puts the lines, discount and tax of change orders into an estimate that is missing', async () => {
		example.systems().quickBooks.reset();
		await lead(example, 'accepted with a change order');
		await example.run('Accepted or Declined', { proposalId: submittedToo });
		expect(example.systems().quickBooks.estimates).toMatchObject([
			{ TotalAmt: Number(accepted('accepted with a change order').toFixed(2)) },
		]);
	});
});

describe('Proposal status to HubSpot', () => {
	const example = useExample('Proposal status to HubSpot');

	test.each(weeks)('has one deal with stage and amount when it is %s', async (week, { total }) => {
		await lead(example, week);
		await example.run('Proposal Status Changed', { proposalId: submittedToo });
		const { number } = example.control().proposal(submittedToo);
		const deals = example
			.systems()
			.hubSpot.deals.filter(({ properties }) => properties.dealname!.startsWith(`${number} `));
		expect(deals.map(({ properties }) => [properties.dealstage, properties.amount])).toEqual([
			[week === 'declined' ? 'closedlost' : 'closedwon', String(total)],
		]);
	});
});
