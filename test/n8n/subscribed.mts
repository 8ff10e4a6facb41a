/** The actual and expected subscriptions of the triggers of an n8n. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import type { StoredWorkflow } from '../../dev/testbed/n8n/n8n.mts';
import type { Environment } from '../../dev/testbed/environment.mts';
import { until } from '../../dev/testbed/until.mts';
import { createChain, noOp, portal, portalTrigger } from '../../dev/testbed/workflowBuilder.mts';
import { deliver, post, type Subscription } from './delivery.mts';

/** Every event that a Portal.io Trigger can start on. */
export const EVENTS = [
	'proposal.build.status_update',
	'proposal.outline.status_update',
	'proposal.status_changed',
];

/** Where a subscription of the same account delivers that no workflow of this n8n has created. */
const OTHERS = 'https://n8n.example.com/webhook/of-somebody-else';

/** A subscription as the service keeps it. */
export interface Held {
	id: number;
	account_id: number;
	url: string;
	events: string;
	is_enabled: number;
	secret_key: string;
}

/**
 * For each test of a file, or once for all of them, a new active workflow with one trigger for every
 * event, and the subscription of somebody else. The returned functions look at the subscriptions.
 */
export function activeWorkflow(environment: () => Environment, per: 'test' | 'file' = 'test') {
	let workflow: StoredWorkflow;
	const [before, after] = per === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
	before(async () => {
		environment().simulator.control.addSubscription({ url: OTHERS, events: EVENTS[0]! });
		workflow = await createChain(environment(), 'Active', [portalTrigger(EVENTS), noOp]);
		await environment().n8n.activate(workflow);
	});
	after(async () => {
		const { n8n, simulator } = environment();
		// A test of the trigger that did not end would keep its subscriptions.
		await n8n.rest('DELETE', `/test-webhook/${workflow.id}`);
		await n8n.deactivate(workflow);
		simulator.control.deleteSubscriptions({ url: OTHERS });
	});

	const held = () => environment().simulator.control.subscriptions() as unknown as Held[];
	const ours = () => held().filter(({ url }) => url !== OTHERS);
	const addressOf = (one: StoredWorkflow, kind = 'webhook') =>
		`${environment().n8n.url}/${kind}/${one.nodes[0]!.webhookId}/webhook`;
	/** The events that are subscribed, by address, without those of others. */
	const byAddress = () => {
		const events: Record<string, string[]> = {};
		for (const one of ours()) (events[one.url] ??= []).push(one.events);
		for (const each of Object.values(events)) each.sort();
		return events;
	};

	/** The service holds what it must, and n8n accepts what each subscription signs. */
	const expectHeld = async (expected: Record<string, string[]>) => {
		const subscriptions = held();
		expect(byAddress()).toEqual(expected);
		expect(subscriptions.filter(({ url }) => url === OTHERS)).toHaveLength(1);
		expect(subscriptions.map((one) => one.is_enabled)).toEqual(subscriptions.map(() => 1));
		for (const { url, secret_key: secret } of ours()) {
			// A test URL is gone with the first delivery that it gets.
			if (url.includes('/webhook-test/')) continue;
			// Verified, and refused for what it is: it starts nothing.
			expect(await post({ url, secret }, '[]')).toBe(400);
		}
	};

	/** The secret that signs the deliveries of proposal statuses to a workflow. */
	const subscriptionTo = (one: StoredWorkflow): Subscription => {
		const url = addressOf(one);
		const { secret_key: secret } = held().find(
			(each) => each.url === url && each.events === EVENTS[2],
		)!;
		return { url, secret };
	};

	const subscription = () => subscriptionTo(workflow);

	/** The executions of the active workflow that an event has started, once they have ended. */
	const startedBy = async (id: string) =>
		(await environment().n8n.executions({ workflowId: workflow.id })).filter((one) =>
			itemsOf(one, 'Portal.io Trigger').some((item) => item.id === id),
		);
	/**
	 * Delivers one more event and waits for its execution. What deliveries before it have started is
	 * there by then: n8n writes an execution down before it answers.
	 */
	const deliverAnother = async () => {
		const id = `evt_another_${randomUUID()}`;
		expect(await deliver(subscription(), id)).toBe(200);
		await until(`the execution of ${id}`, async () => (await startedBy(id))[0]);
	};
	/** Starts an execution of another workflow, and leaves it at a request that the service holds. */
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

	/** Has the editor listen for a test event. */
	const listen = async ({ id, nodes }: StoredWorkflow) =>
		await environment().n8n.rest('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: nodes[0]!.name },
		});
	/** Saves another version of the active workflow and publishes it. */
	const publish = async (changes: object) => {
		await environment().n8n.updateWorkflow(workflow, changes);
		await environment().n8n.activate(workflow);
	};
	/** The nodes of the active workflow, its trigger changed. */
	const nodesWith = (changes: object, parameters: object = {}) => {
		const [trigger, ...rest] = workflow.nodes;
		const changed = { ...trigger!.parameters, ...parameters };
		return [{ ...trigger!, ...changes, parameters: changed }, ...rest];
	};
	return {
		workflow: () => workflow,
		held,
		ours,
		addressOf,
		byAddress,
		expectHeld,
		subscriptionTo,
		subscription,
		startedBy,
		deliverAnother,
		beginExecution,
		listen,
		publish,
		nodesWith,
	};
}
