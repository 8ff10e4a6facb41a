/** What the webhook trigger leaves at the service. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredWorkflow } from '../../testbed/n8n/n8n.mts';
import { post, signatureHeader } from './delivery.mts';
import { createChain, portalTrigger } from '../../testbed/workflowBuilder.mts';
import { sharedStage } from './stages.mts';

const events = [
	'proposal.build.status_update',
	'proposal.outline.status_update',
	'proposal.status_changed',
];

const stage = sharedStage();

describe('the subscriptions of a workflow', () => {
	let workflow: StoredWorkflow;
	const subscribed = () =>
		stage()
			.simulator.control.subscriptions()
			.map((row) => row.events)
			.sort();

	beforeEach(async () => {
		workflow = await createChain(stage(), 'Subscriptions', [portalTrigger(events)]);
	});
	afterEach(async () => await stage().n8n.deactivate(workflow));

	test('are one for each event once it is active', async () => {
		await stage().n8n.activate(workflow);
		expect(subscribed()).toEqual(events);
	});

	test('are still one for each event after activating it again', async () => {
		await stage().n8n.activate(workflow);
		const before = stage().simulator.control.subscriptions();
		await stage().n8n.activate(workflow);
		expect(subscribed()).toEqual(events);
		expect(stage().simulator.control.subscriptions()).toEqual(before);
	});

	test('are the same, and still let deliveries in, after n8n was started again', async () => {
		const { n8n, simulator } = stage();
		await n8n.activate(workflow);
		const before = simulator.control.subscriptions();
		await n8n.restart();
		const [{ url, secret_key: secret }] = before as [Record<string, string>];
		const body = '{"type":"somebody.elses_event"}';
		expect(await post(url!, body, signatureHeader(body, secret!))).toBe(200);
		expect(simulator.control.subscriptions()).toEqual(before);
	});

	test('follow the events that a new version asks for', async () => {
		const { n8n } = stage();
		await n8n.activate(workflow);
		const [first, , third] = events;
		const nodes = workflow.nodes.map((node) => ({
			...node,
			parameters: { ...node.parameters, events: [first, third] },
		}));
		await n8n.updateWorkflow(workflow, { nodes });
		await n8n.activate(workflow);
		expect(subscribed()).toEqual([first, third]);
	});

	test('are gone after deactivating it', async () => {
		await stage().n8n.activate(workflow);
		await stage().n8n.deactivate(workflow);
		expect(subscribed()).toEqual([]);
	});

	test('are gone even if somebody has disabled one in the meantime', async () => {
		const { n8n, simulator } = stage();
		await n8n.activate(workflow);
		simulator.control.disableSubscription(Number(simulator.control.subscriptions()[0]!.id));
		await n8n.deactivate(workflow);
		expect(subscribed()).toEqual([]);
	});
});
