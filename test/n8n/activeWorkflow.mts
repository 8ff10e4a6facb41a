/** Compares the subscriptions of an n8n instance's triggers with the expected ones. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import type { StoredWorkflow } from '../../dev/testbed/n8n/n8n.mts';
import type { Environment } from '../../dev/testbed/environment.mts';
import { until } from '../../dev/testbed/until.mts';
import { createChain, noOp, portal, portalTrigger } from '../../dev/testbed/workflowBuilder.mts';
import { deliver, post, type Subscription } from './delivery.mts';

/** All events that a Portal.io Trigger can start on. */
export const EVENTS = [
	'proposal.build.status_update',
	'proposal.outline.status_update',
	'proposal.status_changed',
];

/** URL of a subscription that is in the same account but belongs to none of these workflows. */
const OTHER_URL = 'https://n8n.example.com/webhook/of-somebody-else';

/** Subscription as the service stores it. */
export interface StoredSubscription {
	id: number;
	account_id: number;
	url: string;
	events: string;
	is_enabled: number;
	secret_key: string;
}

/**
 * Creates, for each test or once per file, an active workflow with a trigger for all events, and a subscription that
 * the trigger doesn't own. Returns functions that read and check the subscriptions.
 */
export function useActiveWorkflow(environment: () => Environment, per: 'test' | 'file' = 'test') {
	let workflow: StoredWorkflow;
	const [before, after] = per === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
	before(async () => {
		environment().simulator.control.addSubscription({ url: OTHER_URL, events: EVENTS[0]! });
		workflow = await createChain(environment(), 'Active', [portalTrigger(EVENTS), noOp]);
		await environment().n8n.activate(workflow);
	});
	after(async () => {
		const { n8n, simulator } = environment();
		// End any test of the trigger in the editor. Otherwise, the test would keep its subscriptions.
		await n8n.rest('DELETE', `/test-webhook/${workflow.id}`);
		await n8n.deactivate(workflow);
		simulator.control.deleteSubscriptions({ url: OTHER_URL });
	});

	const subscriptions = () =>
		environment().simulator.control.subscriptions() as unknown as StoredSubscription[];
	const ownSubscriptions = () => subscriptions().filter(({ url }) => url !== OTHER_URL);
	const webhookUrl = (one: StoredWorkflow, kind = 'webhook') =>
		`${environment().n8n.url}/${kind}/${one.nodes[0]!.webhookId}/webhook`;
	/** Returns the subscribed events by URL, without the subscription that the trigger doesn't own. */
	const eventsByUrl = () => {
		const events: Record<string, string[]> = {};
		for (const one of ownSubscriptions()) (events[one.url] ??= []).push(one.events);
		for (const each of Object.values(events)) each.sort();
		return events;
	};

	/**
	 * Expects the given events by URL at the service, and expects n8n to accept deliveries signed with the secrets of
	 * these subscriptions.
	 */
	const expectSubscriptions = async (expected: Record<string, string[]>) => {
		const stored = subscriptions();
		expect(eventsByUrl()).toEqual(expected);
		expect(stored.filter(({ url }) => url === OTHER_URL)).toHaveLength(1);
		expect(stored.map((one) => one.is_enabled)).toEqual(stored.map(() => 1));
		for (const { url, secret_key: secret } of ownSubscriptions()) {
			// Skip a test URL, which is gone after its first delivery.
			if (url.includes('/webhook-test/')) continue;
			// The signature is accepted, but the body isn't an event, so nothing starts.
			expect(await post({ url, secret }, '[]')).toBe(400);
		}
	};

	/** Returns the subscription that delivers proposal statuses to a workflow. */
	const subscriptionTo = (one: StoredWorkflow): Subscription => {
		const url = webhookUrl(one);
		const { secret_key: secret } = subscriptions().find(
			(each) => each.url === url && each.events === EVENTS[2],
		)!;
		return { url, secret };
	};

	const subscription = () => subscriptionTo(workflow);

	/** Returns the active workflow's ended executions that an event started. */
	const executionsStartedBy = async (id: string) =>
		(await environment().n8n.executions({ workflowId: workflow.id })).filter((one) =>
			itemsOf(one, 'Portal.io Trigger').some((item) => item.id === id),
		);
	/**
	 * Delivers another event and waits for its execution. By then, executions started by earlier deliveries
	 * exist, because n8n stores an execution before it responds.
	 */
	const deliverAnother = async () => {
		const id = `evt_another_${randomUUID()}`;
		expect(await deliver(subscription(), id)).toBe(200);
		await until(`the execution of ${id}`, async () => (await executionsStartedBy(id))[0]);
	};
	/** Starts an execution of another workflow. The execution waits for a request that the service holds. */
	const beginExecution = async (event: string) => {
		const { n8n, simulator } = environment();
		const gate = simulator.control.hold('user.getMany', 'before');
		onTestFinished(() => gate.release());
		const parts = [portalTrigger([EVENTS[2]!]), portal({ resource: 'user', operation: 'getMany' })];
		const slow = await createChain(environment(), 'Slow', parts);
		await n8n.activate(slow);
		expect(await deliver(subscriptionTo(slow), event)).toBe(200);
		await gate.arrived(1, 60_000);
		await n8n.deactivate(slow);
		return { gate, slow };
	};

	/** Makes the editor listen for a test event. */
	const listen = async ({ id, nodes }: StoredWorkflow) =>
		await environment().n8n.rest('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: nodes[0]!.name },
		});
	/** Saves another version of the active workflow, and publishes it. */
	const publish = async (changes: object) => {
		await environment().n8n.updateWorkflow(workflow, changes);
		await environment().n8n.activate(workflow);
	};
	/** Returns the active workflow's nodes with a changed trigger. */
	const changeTrigger = (changes: object, parameters: object = {}) => {
		const [trigger, ...rest] = workflow.nodes;
		const changed = { ...trigger!.parameters, ...parameters };
		return [{ ...trigger!, ...changes, parameters: changed }, ...rest];
	};
	return {
		workflow: () => workflow,
		subscriptions,
		ownSubscriptions,
		webhookUrl,
		eventsByUrl,
		expectSubscriptions,
		subscriptionTo,
		subscription,
		executionsStartedBy,
		deliverAnother,
		beginExecution,
		listen,
		publish,
		changeTrigger,
	};
}
