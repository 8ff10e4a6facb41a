/** The example *Subscription watchdog*. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredWorkflow } from '../../../dev/testbed/n8n/n8n.mts';
import { createChain, noOp, portalTrigger } from '../../../dev/testbed/workflowBuilder.mts';
import { useExample } from './example.mts';

const { choose, control, messages, run, environment } = useExample('Subscription watchdog');
const watch = () => run('Every Hour');
let orders: StoredWorkflow;

beforeAll(async () => {
	const { n8n } = environment();
	const { rawApiKey } = await n8n.rest<{ rawApiKey: string }>('POST', '/api-keys', {
		label: 'Watchdog',
		scopes: ['workflow:list', 'workflow:read'],
		expiresAt: null,
	});
	const data = { apiKey: rawApiKey, baseUrl: `${n8n.url}/api/v1` };
	await choose('Get Published Workflows', await n8n.createCredential('n8n', 'n8nApi', data));
	const trigger = portalTrigger(['proposal.status_changed', 'proposal.build.status_update']);
	orders = await createChain(environment(), 'Orders', [trigger, noOp]);
	await n8n.activate(orders);
});
afterAll(async () => {
	await environment().n8n.deactivate(orders);
});

const subscriptions = () => control().subscriptions();

test('leaves alone what is in order, and what belongs to others', async () => {
	const url = 'https://elsewhere.example/webhook/1/webhook';
	const other = control().addSubscription({ url, events: 'proposal.status_changed' });
	control().disableSubscription(other);
	await watch();
	expect(messages()).toEqual([]);
	expect(subscriptions().find(({ id }) => id === other)!.is_enabled).toBe(0);
	control().deleteSubscriptions(({ id }) => id === other);
});

test('enables a disabled subscription again, and says so', async () => {
	const [{ id }] = subscriptions() as [{ id: number }];
	control().disableSubscription(id);
	await watch();
	await watch();
	expect(subscriptions().map(({ is_enabled }) => is_enabled)).toEqual([1, 1]);
	expect(messages()).toEqual([
		'The subscription "n8n: Orders" was disabled in Portal.io. It is enabled again.',
	]);
});

test('reports a missing subscription once a day', async () => {
	const [, last] = subscriptions();
	control().deleteSubscriptions(({ id }) => id === last!.id);
	await watch();
	await watch();
	expect(messages().slice(1)).toEqual([
		'Portal.io no longer has the subscription of the workflow "Orders". Unpublish the workflow and publish it again.',
	]);
});
