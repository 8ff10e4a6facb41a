/**
 * The subscriptions of a Portal.io Trigger at each step of a workflow's life. After each step the
 * service must hold exactly one enabled subscription for each chosen event and address, whose secret
 * the node knows, none for what is gone, and those of others.
 */
import { describe, expect, test } from 'vitest';
import { until } from '../../testbed/until.mts';
import { createChain, portalTrigger } from '../../testbed/workflowBuilder.mts';
import { seed } from '../../simulator/index.mts';
import { activeWorkflow, EVENTS, subscriptionsOf } from './held.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();
const workflow = activeWorkflow(stage);
const { held, addressOf, byAddress, expectHeld, listen } = subscriptionsOf(stage);

const publish = async (changes: object) => {
	await stage().n8n.updateWorkflow(workflow(), changes);
	await stage().n8n.activate(workflow());
};
const nodesWith = (changes: object, parameters: object = {}) =>
	workflow().nodes.map((node, index) =>
		index > 0 ? node : { ...node, ...changes, parameters: { ...node.parameters, ...parameters } },
	);
const executions = () => stage().n8n.executions({ workflowId: workflow().id });

describe('the subscriptions of a workflow', () => {
	test('are there once it is active', async () => {
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});

	test('stay while the editor listens for a test event, and those of the test go', async () => {
		const { n8n, simulator } = stage();
		const before = held();
		await listen(workflow());
		await expectHeld({
			[addressOf(workflow())]: EVENTS,
			[addressOf(workflow(), 'webhook-test')]: EVENTS,
		});
		await n8n.rest('DELETE', `/test-webhook/${workflow().id}`);
		await until('the end of the test', () => held().length === before.length || undefined);
		expect(held()).toEqual(before);

		await listen(workflow());
		simulator.control.setStatus(seed.proposals.submittedToo, 'Expired');
		const told = await until('both executions', () => {
			const ended = executions().filter(({ stoppedAt }) => stoppedAt !== null);
			return ended.length >= 2 ? ended : undefined;
		});
		expect(told.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
		await until('the end of the test', () => held().length === before.length || undefined);
		expect(held()).toEqual(before);
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});

	test('go with it when it is deactivated', async () => {
		await stage().n8n.deactivate(workflow());
		await expectHeld({});
		await stage().n8n.activate(workflow());
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});

	test('follow the events that are chosen while it is active', async () => {
		const [first, , third] = EVENTS as [string, string, string];
		await publish({ nodes: nodesWith({}, { events: [first, third] }) });
		await expectHeld({ [addressOf(workflow())]: [first, third] });
		await publish({ nodes: nodesWith({}, { events: EVENTS }) });
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});

	test('stay when it is renamed, and follow when its trigger is', async () => {
		const before = held();
		await publish({ name: 'Lifecycle, renamed' });
		expect(held()).toEqual(before);
		const { connections } = workflow();
		await publish({
			nodes: nodesWith({ name: 'Another name' }),
			connections: { 'Another name': connections['Portal.io Trigger'] },
		});
		await expectHeld({ [addressOf(workflow())]: EVENTS });
		await publish({ nodes: nodesWith({}), connections });
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});

	test('go when it is archived while active, and with it', async () => {
		const { n8n } = stage();
		const other = await createChain(stage(), 'To be archived', [portalTrigger(EVENTS)]);
		await n8n.activate(other);
		await expectHeld({ [addressOf(workflow())]: EVENTS, [addressOf(other)]: EVENTS });
		await n8n.rest('POST', `/workflows/${other.id}/archive`, {});
		await until('the end of its subscriptions', () => !byAddress()[addressOf(other)] || undefined);
		await n8n.rest('DELETE', `/workflows/${other.id}`);
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});
});
