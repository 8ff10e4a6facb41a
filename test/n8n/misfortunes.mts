/** What becomes of the subscriptions where things go otherwise than n8n and the trigger intend. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { until, type StoredWorkflow } from '../../testbed/n8n/n8n.mts';
import { credentialData, type Stage } from '../../testbed/stage.mts';
import { EVENTS, subscriptionsOf, temporaryWorkflow } from './held.mts';
import { kill } from './kill.mts';
import { createChain, portalTrigger } from './workflows.mts';

/**
 * Further rows of the lifecycle.
 *
 * @param workflow is active, with one trigger for every event; it is so again at the end
 */
export function misfortuneTests(stage: () => Stage, workflow: () => StoredWorkflow) {
	const { held, addressOf, byAddress, expectHeld, listen, activateAnew } = subscriptionsOf(stage);

	describe('the subscriptions of a workflow', () => {
		test('go when it is archived while active, and with it', async () => {
			const { n8n } = stage();
			const other = await createChain(stage(), 'To be archived', [portalTrigger(EVENTS)]);
			await n8n.activate(other);
			await expectHeld({ [addressOf(workflow())]: EVENTS, [addressOf(other)]: EVENTS });
			await n8n.rest('POST', `/workflows/${other.id}/archive`, {});
			await until(
				'the end of its subscriptions',
				() => !byAddress()[addressOf(other)] || undefined,
			);
			await n8n.rest('DELETE', `/workflows/${other.id}`);
			await expectHeld({ [addressOf(workflow())]: EVENTS });
		});

		test('of two triggers are those of each', async () => {
			const { n8n } = stage();
			const other = await temporaryWorkflow(stage(), 'Two triggers');
			const [first] = other.nodes as [(typeof other.nodes)[0]];
			const second = {
				...first,
				id: randomUUID(),
				name: 'Another trigger',
				webhookId: randomUUID(),
				parameters: { events: EVENTS.slice(0, 1) },
			};
			const both = [first, second];
			await n8n.updateWorkflow(other, { nodes: both });
			await n8n.activate(other);
			const ofSecond = addressOf({ ...other, nodes: [second] });
			await expectHeld({
				[addressOf(workflow())]: EVENTS,
				[addressOf(other)]: EVENTS,
				[ofSecond]: EVENTS.slice(0, 1),
			});
			await n8n.updateWorkflow(other, { nodes: [second] });
			await n8n.activate(other);
			await expectHeld({ [addressOf(workflow())]: EVENTS, [ofSecond]: EVENTS.slice(0, 1) });
			await n8n.deactivate(other);
			await expectHeld({ [addressOf(workflow())]: EVENTS });
		});

		test('stay when its credential is edited and leads to the same account', async () => {
			const { n8n, simulator, credential } = stage();
			const before = held();
			await n8n.rest('PATCH', `/credentials/${credential.id}`, {
				name: credential.name,
				type: credential.type,
				data: credentialData(simulator),
			});
			expect(held()).toEqual(before);
			await expectHeld({ [addressOf(workflow())]: EVENTS });
			// The user key has gone with the edit; the next activation gets another.
			await activateAnew(workflow());
			await expectHeld({ [addressOf(workflow())]: EVENTS });
		});

		test('are complete again after a kill in the middle of an activation and of a test', async () => {
			const { n8n, simulator } = stage();
			const other = await temporaryWorkflow(stage(), 'Killed while it is activated');
			await listen(workflow());
			await expectHeld({
				[addressOf(workflow())]: EVENTS,
				[addressOf(workflow(), 'webhook-test')]: EVENTS,
			});
			// The first subscription is made, and the answer with its secret never comes.
			simulator.control.failNext({
				operationId: 'webhookSubscription.create',
				when: 'after',
				delayMs: 60_000,
				disconnect: true,
			});
			const activation = n8n.activate(other).catch(() => {});
			await until('a subscription', () => byAddress()[addressOf(other)]);
			await kill(n8n);
			await activation;
			// n8n resumes the activation when nobody has finished it for so long (two minutes by default),
			// but takes it for done and does not ask the trigger (docs/n8n-internals.md).
			await n8n.restart({ N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '15' });
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
}
