/** The subscriptions of a workflow when somebody else removes them, or the service fails. */
import { describe, expect, test } from 'vitest';
import { activeWorkflow, EVENTS, OTHERS, subscriptionsOf } from './held.mts';
import { newRequests } from './runs.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();
const workflow = activeWorkflow(stage);
const { held, addressOf, expectHeld } = subscriptionsOf(stage);

const publish = async (changes: object) => {
	await stage().n8n.updateWorkflow(workflow(), changes);
	await stage().n8n.activate(workflow());
};
const nodesWith = (changes: object, parameters: object = {}) =>
	workflow().nodes.map((node, index) =>
		index > 0 ? node : { ...node, ...changes, parameters: { ...node.parameters, ...parameters } },
	);

describe('the subscriptions of a workflow', () => {
	test('are restored at the next activation after somebody disabled or deleted some', async () => {
		const { n8n, simulator } = stage();
		const [first, second] = held().filter(({ url }) => url !== OTHERS);
		simulator.control.disableSubscription(first!.id);
		simulator.control.deleteSubscriptions(({ id }) => id === second!.id);
		await n8n.deactivate(workflow());
		await expectHeld({});
		await n8n.activate(workflow());
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});

	test('that are gone already are no obstacle to deactivating', async () => {
		const { n8n, simulator } = stage();
		simulator.control.deleteSubscriptions(({ url }) => url !== OTHERS);
		await n8n.deactivate(workflow());
		await expectHeld({});
	});

	test('are none after an activation that failed half-way', async () => {
		const { n8n, simulator } = stage();
		await n8n.updateWorkflow(workflow(), {
			nodes: nodesWith({}, { events: [...EVENTS.slice(0, 2), 'proposal.no_such_event'] }),
		});
		const requests = newRequests(stage());
		await expect(n8n.activate(workflow())).rejects.toThrow(
			/rejected the subscription to 'proposal.no_such_event': Unknown event/,
		);
		const created = requests().filter(
			({ operationId, status }) => operationId === 'webhookSubscription.create' && status === 200,
		);
		expect(created.length).toBeGreaterThanOrEqual(2);
		await expectHeld({});
		await n8n.deactivate(workflow());

		simulator.control.failNext({
			operationId: 'webhookSubscription.create',
			when: 'after',
			disconnect: true,
		});
		await publish({ nodes: nodesWith({}) });
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});

	test('go although the service could not be asked at first', async () => {
		const { n8n, simulator } = stage();
		simulator.control.failNext({ operationId: 'webhookSubscription.getMany', status: 503 });
		await n8n.deactivate(workflow());
		await expectHeld({});
		await n8n.activate(workflow());
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});
});
