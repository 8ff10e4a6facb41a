/**
 * Runs the main job (order lists and nightly cost refreshes) as `npm run demo -- --check` does, and then parts of it
 * again.
 */
import { describe, expect, it } from 'vitest';
import { checkMainJob } from '../../dev/testbed/mainJob.mts';
import { until } from '../../dev/testbed/until.mts';
import { MAIN_JOB } from '../../dev/testbed/environment.mts';
import { seed } from '../../dev/simulator/index.mts';
import { redeliver } from './delivery.mts';
import { finishedExecutions } from './executions.mts';
import { ownEnvironment } from './environments.mts';

const environment = ownEnvironment({ scheduleSeconds: 5, examples: MAIN_JOB });

describe('the main job', () => {
	it('writes the order list after a client accepts a proposal, and refreshes costs nightly', async () => {
		const sentences: string[] = [];
		await checkMainJob(environment(), (sentence) => void sentences.push(sentence));
		const accepted = expect.stringMatching(/^The client has accepted proposal \d+/);
		const orderListMessage = expect.stringMatching(
			/"Proposal accepted" \(webhook\) succeeded\. .* \d+ order lines/,
		);
		expect(sentences).toEqual([
			'Both workflows are active, and Portal.io has one subscription.',
			accepted,
			orderListMessage,
			accepted,
			orderListMessage,
			expect.stringMatching(
				/"Nightly cost refresh" \(schedule\) succeeded\. Drafts refreshed: \d+/,
			),
			'After the workflows are deactivated, Portal.io has no subscription left.',
			"No password, key, secret, or signature is in n8n's execution data or log.",
		]);
	});

	it('orders everything only once after a second delivery of the same event', async () => {
		const { n8n, simulator, workflows } = environment();
		const workflow = workflows['Proposal accepted']!;
		const delivery = simulator.control
			.deliveries()
			.find(({ body }) => String(body).includes('"status":"Accepted"'));
		const before = await n8n.dataTableRows('portal_order_lines');
		const finished = () => finishedExecutions(environment(), workflow);
		const previousCount = (await finished()).length;

		await n8n.activate(workflow);
		expect(await redeliver(environment(), String(delivery!.body))).toBe(200);
		const again = await until(
			'the second execution',
			async () => (await finished())[previousCount],
		);
		await n8n.deactivate(workflow);

		expect(again.status).toBe('success');
		expect(await n8n.dataTableRows('portal_order_lines')).toEqual(before);
	});

	it('refreshes the other proposals if one is rejected', async () => {
		const { n8n, simulator, workflows } = environment();
		const { control } = simulator;
		const { freshNetwork } = seed.proposals;
		const before = await n8n.dataTableRows('portal_margin_changes');
		// Reject the refresh of the first draft, and raise the cost of an item in another draft.
		const [item] = control.proposal(freshNetwork).areas[0].options[0].items;
		const costCents = Math.round(200 * item.sellPrice);
		control.update('catalog_costs', { item_id: item.referencedItemId }, { costCents });
		control.failNext({ operationId: 'item.refreshCosts', status: 409 });
		const workflow = workflows['Nightly cost refresh']!;
		const { status } = await n8n.runManually(workflow, 'Every Night at 02:00');
		expect(status).toBe('success');
		const rows = (await n8n.dataTableRows('portal_margin_changes')).slice(before.length);
		const refused = rows.filter(({ note }) => note !== '');
		expect(refused).toMatchObject([{ note: expect.stringMatching(/state prevents/) }]);
		const { proposalId, proposalName } = refused[0]!;
		expect(proposalName).toBe(control.proposal(Number(proposalId)).name);
		const fallen = rows.filter(({ note }) => note === '');
		expect(fallen).toMatchObject([{ proposalId: freshNetwork }]);
	});
});
