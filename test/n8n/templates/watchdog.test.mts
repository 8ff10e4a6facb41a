import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredWorkflow } from '../../../dev/testbed/n8n/n8n.mts';
import { createChain, noOp, portalTrigger } from '../../../dev/testbed/workflowBuilder.mts';
import { seed } from '../../../dev/simulator/index.mts';
import { until } from '../../../dev/testbed/until.mts';
import { nextExecution } from '../handRuns.mts';
import { useExample } from './example.mts';

const { choose, control, messages, run, environment } = useExample('Subscription watchdog');
const watch = () => run('Every Hour');
let orders: StoredWorkflow;

beforeAll(async () => {
	const { n8n } = environment();
	const { rawApiKey } = await n8n.rest<{ rawApiKey: string }>('POST', '/api-keys', {
		label: 'Watchdog',
		scopes: ['workflow:list', 'workflow:activate', 'workflow:deactivate'],
		expiresAt: null,
	});
	const data = { apiKey: rawApiKey, baseUrl: `${n8n.url}/api/v1` };
	const key = await n8n.createCredential('n8n', 'n8nApi', data);
	await choose(key, 'Get Published Workflows', 'Unpublish Workflow', 'Publish Workflow');
	const trigger = portalTrigger(['proposal.status_changed', 'proposal.build.status_update']);
	orders = await createChain(environment(), 'Orders', [trigger, noOp]);
	await n8n.activate(orders);
});
afterAll(() => environment().n8n.deactivate(orders));

const subscriptions = () => control().subscriptions();

test('leaves alone what is in order, and what belongs to others', async () => {
	const url = 'https://elsewhere.example/webhook/1/webhook';
	const other = control().addSubscription({ url, events: 'proposal.status_changed' });
	control().update('subscriptions', { id: other }, { isEnabled: false });
	await watch();
	expect(messages()).toEqual([]);
	expect(subscriptions().find(({ id }) => id === other)!.is_enabled).toBe(0);
	control().deleteSubscriptions({ id: other });
});

test.each([
	['disabled', (id: number) => control().update('subscriptions', { id }, { isEnabled: false })],
	['deleted', (id: number) => control().deleteSubscriptions({ id })],
])('publishes a workflow again whose subscription was %s, with a new secret', async (_, harm) => {
	const said = messages().length;
	const [{ id, secret_key: secret }] = subscriptions() as [{ id: number; secret_key: string }];
	harm(id);
	await watch();
	// n8n publishes after it has answered.
	const renewed = () =>
		subscriptions().length === 2 && subscriptions().every((one) => one.secret_key !== secret);
	await until('the new subscriptions', () => renewed() || undefined);
	await watch();
	expect(messages().slice(said)).toEqual([
		'The workflow "Orders" lost a subscription at Portal.io and was published again. ' +
			'Events in between did not start it.',
	]);
	expect(subscriptions().map(({ is_enabled }) => is_enabled)).toEqual([1, 1]);
	// The trigger knows the new secrets.
	const started = await nextExecution(environment(), orders);
	control().accept(seed.proposals.submitted);
	control().setStatus(seed.proposals.submitted, 'Submitted');
	await started();
});
