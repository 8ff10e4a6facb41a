/** The main job, as `npm run demo -- --check` does it, and what happens when it is done again. */
import { beforeAll, describe, expect, test } from 'vitest';
import { checkMainJob } from '../../dev/testbed/acceptedProposal/check.mts';
import { until } from '../../dev/testbed/until.mts';
import { MAIN_JOB, type Environment } from '../../dev/testbed/environment.mts';
import { seed } from '../../dev/simulator/index.mts';
import { redeliver } from './delivery.mts';
import { ownEnvironment } from './environments.mts';

const environment = ownEnvironment({ scheduleSeconds: 5, examples: MAIN_JOB });
const found: string[] = [];
beforeAll(async () => await checkMainJob(environment(), (sentence) => found.push(sentence)));

describe('the main job', () => {
	test('runs from the customer page to the order list, and by its schedule', () => {
		expect(found).toHaveLength(8);
	});

	test('a second delivery of the same event orders nothing twice', async () => {
		const { n8n, simulator, workflows } = environment();
		const workflow = workflows['Proposal accepted']!;
		const [delivery] = simulator.control
			.deliveries()
			.filter(({ body }) => String(body).includes('"status":"Accepted"'));
		const before = await n8n.dataTableRows('portal_order_lines');
		const executions = n8n.executions({ workflowId: workflow.id }).length;

		await n8n.activate(workflow);
		expect(await redeliver(environment(), String(delivery!.body))).toBe(200);
		const again = await until(
			'the second execution',
			() =>
				n8n.executions({ workflowId: workflow.id }).filter(({ stoppedAt }) => stoppedAt)[
					executions
				],
		);
		await n8n.deactivate(workflow);

		expect(again.status).toBe('success');
		expect(await n8n.dataTableRows('portal_order_lines')).toEqual(before);
	});

	test('one refused proposal does not spoil the night for the others', async () => {
		const { n8n, simulator, workflows } = environment();
		const { control } = simulator;
		const before = await n8n.dataTableRows('portal_margin_changes');
		// The first draft is refused; the cost of an item of another has changed since.
		control.setCatalogCost(catalogItemOf(environment(), seed.proposals.freshNetwork), 1);
		control.failNext({ operationId: 'item.refreshCosts', status: 409 });
		const execution = await n8n.runManually(
			workflows['Nightly cost refresh']!,
			'Every Night at 02:00',
		);
		expect(execution.status).toBe('success');
		const rows = (await n8n.dataTableRows('portal_margin_changes')).slice(before.length);
		const [refused, ...others] = rows.filter(({ note }) => note !== '');
		expect(refused).toMatchObject({ note: expect.stringMatching(/state prevents/) });
		expect(refused!.proposalName).toBe(control.proposal(Number(refused!.proposalId)).name);
		expect(others).toEqual([]);
		const changed = rows.filter(({ note }) => note === '');
		expect(changed).toMatchObject([{ proposalId: seed.proposals.freshNetwork }]);
	});
});

/** A part of a proposal, as it is called in the catalog. */
function catalogItemOf({ simulator }: Environment, proposalId: number): number {
	return simulator.control.proposal(proposalId).areas[0].options[0].items[0].referencedItemId;
}
