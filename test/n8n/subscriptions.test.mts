/**
 * The subscriptions of a Portal.io Trigger at each step of a workflow's life in n8n. What the trigger
 * does when the service fails is in test/wire/trigger.test.mts.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { credentialData } from '../../dev/testbed/environment.mts';
import { until } from '../../dev/testbed/until.mts';
import { createChain, portalTrigger } from '../../dev/testbed/workflowBuilder.mts';
import { post } from './delivery.mts';
import { finishedExecutions, importCopy } from './handRuns.mts';
import { sharedEnvironment } from './environments.mts';
import { activeWorkflow, EVENTS } from './subscribed.mts';

const environment = sharedEnvironment();
const { workflow, held, ours, addressOf, expectHeld, ...active } = activeWorkflow(environment);
const { subscription, listen, publish, nodesWith } = active;
const production = () => ({ [addressOf(workflow())]: EVENTS });

test('subscribes while the workflow is active, keeps that at a second activation, and unsubscribes', async () => {
	const { n8n } = environment();
	await expectHeld(production());
	const before = held();
	await n8n.activate(workflow());
	expect(held()).toEqual(before);
	await n8n.deactivate(workflow());
	await expectHeld({});

	const other = await createChain(environment(), 'To be archived', [portalTrigger(EVENTS)]);
	await n8n.activate(other);
	await expectHeld({ [addressOf(other)]: EVENTS });
	await n8n.rest('POST', `/workflows/${other.id}/archive`, {});
	await until('the end of its subscriptions', () => ours().length === 0 || undefined);
});

test('keeps the subscriptions while the editor listens for a test event, and removes those of the test', async () => {
	const { control } = environment().simulator;
	const before = held();
	await listen(workflow());
	await expectHeld({ ...production(), [addressOf(workflow(), 'webhook-test')]: EVENTS });
	control.setStatus(seed.proposals.submittedToo, 'Expired');
	const ended = () => finishedExecutions(environment(), workflow());
	await until('both executions', async () => (await ended())[1]);
	const modes = (await ended()).map(({ mode }) => mode);
	expect(modes.sort()).toEqual(['manual', 'webhook']);
	await until('the end of the test', () => held().length === before.length || undefined);
	expect(held()).toEqual(before);
});

test('follows the events and the name of the trigger in a new version', async () => {
	const [first, , third] = EVENTS as [string, string, string];
	await publish({ nodes: nodesWith({}, { events: [first, third] }) });
	await expectHeld({ [addressOf(workflow())]: [first, third] });
	const { connections } = workflow();
	await publish({
		nodes: nodesWith({ name: 'Another name' }),
		connections: { 'Another name': connections['Portal.io Trigger'] },
	});
	await expectHeld(production());
});

test('has no subscription when n8n unpublishes the workflow, as a new version cannot subscribe', async () => {
	const former = subscription();
	const events = EVENTS.slice(1);
	const options = { additionalEvents: 'order.no_such_event' };
	await expect(publish({ nodes: nodesWith({}, { events, options }) })).rejects.toThrow(
		"rejected the subscription to 'order.no_such_event'",
	);
	await expectHeld({});
	expect(await post(former, '[]')).toBe(404);
	await publish({ nodes: nodesWith({}, { events }) });
	await expectHeld({ [addressOf(workflow())]: events });
});

test('creates separate subscriptions for a copy and for each of two triggers', async () => {
	const { n8n } = environment();
	const before = held();
	const [first] = nodesWith({ id: randomUUID(), webhookId: randomUUID() });
	const events = EVENTS.slice(0, 1);
	const [second] = nodesWith(
		{ id: randomUUID(), webhookId: randomUUID(), name: 'Another trigger' },
		{ events },
	);
	const changes = { nodes: [first!, second!], connections: {} };
	const { copy, staticData } = await importCopy(environment(), workflow(), changes);
	expect(JSON.stringify(staticData)).toContain(String(ours()[0]!.secret_key));
	expect(await n8n.rest('GET', `/workflows/${copy.id}`)).toMatchObject({ staticData });
	await n8n.activate(copy);
	const ofSecond = addressOf({ ...copy, nodes: [second!] });
	await expectHeld({ ...production(), [addressOf(copy)]: EVENTS, [ofSecond]: events });
	await n8n.updateWorkflow(copy, { nodes: [second!] });
	await n8n.activate(copy);
	await expectHeld({ ...production(), [ofSecond]: events });
	await n8n.deactivate(copy);
	expect(held()).toEqual(before);
});

test('moves the subscriptions to the account of another credential, and keeps them in the same account', async () => {
	const { n8n, simulator, credential } = environment();
	const before = held();
	const { id, name, type } = credential;
	const same = { name, type, data: credentialData(simulator) };
	await n8n.rest('PATCH', `/credentials/${id}`, same);
	expect(held()).toEqual(before);
	await expectHeld(production());

	const data = { ...credentialData(simulator), ...seed.otherDealer };
	const other = await n8n.createCredential('The other dealer', 'portalIoApi', data);
	await publish({
		nodes: nodesWith({ credentials: { portalIoApi: { id: other.id, name: other.name } } }),
	});
	await expectHeld(production());
	expect(ours().map((one) => one.account_id)).toEqual(EVENTS.map(() => seed.accounts.otherDealer));
});
