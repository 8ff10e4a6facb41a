/** What the service holds for the triggers of an n8n, and what it must. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import type { StoredWorkflow } from '../../testbed/n8n/n8n.mts';
import type { Stage } from '../../testbed/stage.mts';
import type { RecordedRequest } from '../../simulator/index.mts';
import { post, signatureHeader } from './delivery.mts';
import { createChain, noOp, portalTrigger } from '../../testbed/workflowBuilder.mts';

/** Every event that a Portal.io Trigger can start on. */
export const EVENTS = [
	'proposal.build.status_update',
	'proposal.outline.status_update',
	'proposal.status_changed',
];

/** Where a subscription of the same account delivers that no workflow of this n8n has made. */
export const OTHERS = 'https://n8n.example.com/webhook/of-somebody-else';

/** Adds that subscription, unless it is there. */
function plantOthers({ simulator: { control } }: Stage): void {
	if (control.subscriptions().some(({ url }) => url === OTHERS)) return;
	control.addSubscription({ url: OTHERS, events: EVENTS[0]! });
}

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
 * A workflow with one trigger for every event that is no longer active once its test has ended,
 * however it ended. n8n itself leaves one published whose activation failed, and activates it when
 * it is started in the old way: it would count for another test then.
 */
export async function temporaryWorkflow(stage: Stage, name: string): Promise<StoredWorkflow> {
	const workflow = await createChain(stage, name, [portalTrigger(EVENTS)]);
	onTestFinished(async () => await stage.n8n.deactivate(workflow));
	return workflow;
}

/**
 * For each test of a file a new workflow that is active, with one trigger for every event, and beside
 * it the subscription of others. `once` makes one workflow for all tests of the file.
 */
export function activeWorkflow(stage: () => Stage, { once = false } = {}): () => StoredWorkflow {
	let workflow: StoredWorkflow;
	const begin = async () => {
		workflow = await createChain(stage(), 'Lifecycle', [portalTrigger(EVENTS), noOp]);
		await stage().n8n.activate(workflow);
		plantOthers(stage());
	};
	const end = async () => {
		const { n8n } = stage();
		// A test of the trigger that did not end would keep its subscriptions.
		await n8n.rest('DELETE', `/test-webhook/${workflow.id}`);
		await n8n.deactivate(workflow);
	};
	if (once) {
		beforeAll(begin);
	} else {
		beforeEach(begin);
		afterEach(end);
	}
	afterAll(async () => {
		if (once) await end();
		stage().simulator.control.deleteSubscriptions(({ url }) => url === OTHERS);
	});
	return () => workflow;
}

/** Looks at the subscriptions of a stage, which need not be set yet. */
export function subscriptionsOf(stage: () => Stage) {
	const held = () => stage().simulator.control.subscriptions() as unknown as Held[];
	const addressOf = (one: StoredWorkflow, kind = 'webhook') =>
		`${stage().n8n.url}/${kind}/${one.nodes[0]!.webhookId}/webhook`;
	/** The events that are subscribed, by address, those of others left out. */
	const byAddress = () => {
		const events: Record<string, string[]> = {};
		for (const one of held()) if (one.url !== OTHERS) (events[one.url] ??= []).push(one.events);
		for (const each of Object.values(events)) each.sort();
		return events;
	};

	/** The service holds what it must, and n8n lets in what each subscription signs. */
	const expectHeld = async (wanted: Record<string, string[]>) => {
		const subscriptions = held();
		expect(byAddress()).toEqual(wanted);
		expect(subscriptions.filter(({ url }) => url === OTHERS)).toHaveLength(1);
		expect(subscriptions.map((one) => one.is_enabled)).toEqual(subscriptions.map(() => 1));
		for (const { url, secret_key: secret } of subscriptions) {
			// A test URL is gone with the first thing that it gets.
			if (url === OTHERS || url.includes('/webhook-test/')) continue;
			const body = '{"type":"somebody.elses_event"}';
			expect(await post(url, body, signatureHeader(body, secret))).toBe(200);
		}
	};

	/** Lets the editor listen for a test event. */
	const listen = async ({ id, nodes }: StoredWorkflow) =>
		await stage().n8n.rest('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: nodes[0]!.name },
		});
	/** Deactivates the only active workflow and activates it: what makes n8n ask the trigger. */
	const activateAnew = async (one: StoredWorkflow) => {
		await stage().n8n.deactivate(one);
		await expectHeld({});
		await stage().n8n.activate(one);
	};
	/** What the triggers have asked the service for, among some requests. */
	const askedByTrigger = (requests: readonly RecordedRequest[]) =>
		requests
			.map(({ operationId }) => String(operationId))
			.filter((operation) => operation.startsWith('webhookSubscription.'));
	/** The setting for the same n8n by another name, which the service reaches too. */
	const otherName = () => ({ N8N_WEBHOOK_URL: stage().n8n.url.replace('127.0.0.1', 'localhost') });
	return {
		held,
		addressOf,
		byAddress,
		askedByTrigger,
		expectHeld,
		listen,
		activateAnew,
		otherName,
	};
}
