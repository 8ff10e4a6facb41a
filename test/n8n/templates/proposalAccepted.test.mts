/**
 * Runs the example *Proposal accepted* for a proposal that is accepted again with another option, fewer items,
 * or a change order, and then declined. The expected quantities and prices are those of the seed.
 */
import axios from 'axios';
import { expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { itemsOf } from '../../../dev/testbed/n8n/database.mts';
import { ownEnvironment } from '../environments.mts';
import { useExample } from './example.mts';

const { submittedToo } = seed.proposals;
const environment = ownEnvironment({ examples: ['Proposal accepted'] });
const orderList = useExample('Proposal accepted', environment);

const input = { proposalId: submittedToo };
const trigger = 'Accepted, Reopened, or Declined';
const control = () => environment().simulator.control;
const area = () => control().proposal(submittedToo).areas[0];

/** Performs an action on the proposal's page, as its client would. */
async function click(action: string, form: Record<string, string> = {}): Promise<void> {
	const { url } = environment().simulator;
	const headers = { Origin: url, 'Content-Type': 'application/x-www-form-urlencoded' };
	const path = `${url}/client/proposals/${submittedToo}/${action}`;
	await axios.post(path, String(new URLSearchParams(form)), { headers });
}
const accept = (option: number) =>
	click('accept', { [`area-${area().id}`]: String(area().options[option].id) });

/** Actions that change the proposal, each with the accepted parts afterward and their total cost. */
const SCENARIOS = {
	'accepted with option 2': {
		act: () => accept(1),
		parts: ['1 Lumenfold LX85-P', '2 Hearthline Glass 7'],
		cost: 2950 + 2 * 512.6,
	},
	'accepted with option 1': {
		act: () => accept(0),
		parts: ['1 Lumenfold LX77', '1 Hearthline Glass 7'],
		cost: 2080 + 512.6,
	},
	'accepted with fewer items': {
		async act() {
			const itemIds = [area().options[0].items[1].id];
			await orderList.edit('item', 'delete', submittedToo, { itemIds });
			await accept(0);
		},
		parts: ['1 Lumenfold LX77'],
		cost: 2080,
	},
	'accepted with a change order': {
		async act() {
			// Add both change orders to the proposal. Only one of them is accepted.
			for (const id of Object.values(seed.changeOrders))
				control().update('proposals', { id }, { parentId: submittedToo });
			await accept(0);
		},
		parts: ['1 Lumenfold LX77', '1 Hearthline Handset'],
		cost: 2080 + 238,
	},
	declined: { act: () => click('decline'), parts: [], cost: 0 },
};

it.for(Object.entries(SCENARIOS))(
	'lists the parts to order for a proposal that is %s',
	async ([scenario, { act, parts, cost }]) => {
		const isFirst = scenario === 'accepted with option 2';
		if (!isFirst) await click('reopen');
		await act();
		parts.sort();

		const execution = await orderList.run(trigger, input);
		const orderRows = await environment().n8n.dataTableRows('portal_order_lines');
		expect(orderRows.map(({ quantity, part }) => `${quantity} ${part}`).sort()).toEqual(parts);
		const lines = itemsOf(execution, 'Collect Lines and Totals');
		expect(lines).toHaveLength(parts.length + 1);
		expect(lines.at(-1)).toMatchObject({ part: 'Total', costTotal: cost });
		expect(itemsOf(execution, 'Write Order List')).toHaveLength(1);
	},
);

it('writes no order list for a proposal that was never accepted', async () => {
	const execution = await orderList.run(trigger, { proposalId: seed.proposals.viewed });
	expect(itemsOf(execution, 'Get Items')).toEqual([{}]);
	expect(itemsOf(execution, 'Write Order List')).toEqual([]);
});
