/** An n8n that is killed in the middle of an activation, and of a test of the trigger. */
import { describe, expect, test } from 'vitest';
import { kill } from '../../testbed/n8n/kill.mts';
import { until } from '../../testbed/until.mts';
import { activeWorkflow, EVENTS, subscriptionsOf, temporaryWorkflow } from './held.mts';
import { ownStage } from './stages.mts';

const stage = ownStage();
const workflow = activeWorkflow(stage);
const { held, addressOf, byAddress, expectHeld, listen } = subscriptionsOf(stage);

describe('the subscriptions of a workflow', () => {
	test('are complete again after a kill in the middle of an activation and of a test', async () => {
		const { n8n, simulator } = stage();
		const other = await temporaryWorkflow(stage(), 'Killed while it is activated');
		await listen(workflow());
		await expectHeld({
			[addressOf(workflow())]: EVENTS,
			[addressOf(workflow(), 'webhook-test')]: EVENTS,
		});
		// The first subscription is made, and the answer with its secret never comes.
		const gate = simulator.control.hold('webhookSubscription.create', 'after');
		const activation = n8n.activate(other).catch(() => {});
		await gate.arrived(1);
		await kill(n8n);
		gate.release();
		await activation;
		// n8n resumes the activation when nobody has finished it for so long (two minutes by default),
		// but takes it for done and does not ask the trigger (docs/n8n-internals.md).
		await n8n.restart({
			N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '15',
			N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
		});
		await n8n.activate(other);
		expect(byAddress()[addressOf(other)]).toHaveLength(1);
		await n8n.deactivate(other);
		await n8n.activate(other);
		// What the test had is still there, as nobody was left to remove it ...
		const production = { [addressOf(workflow())]: EVENTS, [addressOf(other)]: EVENTS };
		await expectHeld({ ...production, [addressOf(workflow(), 'webhook-test')]: EVENTS });
		const stranded = held().filter(({ url }) => url.includes('/webhook-test/'));
		// ... until the next test replaces it, and removes what it made.
		await listen(workflow());
		await expectHeld({ ...production, [addressOf(workflow(), 'webhook-test')]: EVENTS });
		const ids = held().map(({ id }) => id);
		for (const { id } of stranded) expect(ids).not.toContain(id);
		await n8n.rest('DELETE', `/test-webhook/${workflow().id}`);
		await until(
			'the end of the test',
			() => !byAddress()[addressOf(workflow(), 'webhook-test')] || undefined,
		);
		await n8n.deactivate(other);
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});
});
