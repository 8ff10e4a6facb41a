/**
 * Tests a Portal.io Trigger's subscriptions in each step of a workflow's life in n8n. For failures of the
 * service, see test/wire/trigger.test.mts.
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { credentialData } from '../../dev/testbed/environment.mts';
import { until } from '../../dev/testbed/until.mts';
import { createChain, portalTrigger } from '../../dev/testbed/workflowBuilder.mts';
import { post } from './delivery.mts';
import { finishedExecutions, importCopy } from './executions.mts';
import { sharedEnvironment } from './environments.mts';
import { useActiveWorkflow, EVENTS } from './activeWorkflow.mts';

const environment = sharedEnvironment();
const active = useActiveWorkflow(environment);
const { workflow, held, ours, addressOf, expectHeld } = active;
const { subscription, listen, publish, nodesWith } = active;
/** Returns the active workflow's subscriptions, without those of a test in the editor. */
const production = () => ({ [addressOf(workflow())]: EVENTS });

it('subscribes once while a workflow is active, until it is deactivated or archived', async () => {
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

it('uses separate subscriptions while the editor listens for a test event', async () => {
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

it('updates the subscriptions for a new version or name of the trigger', async () => {
	const events = EVENTS.filter((_event, index) => index !== 1);
	await publish({ nodes: nodesWith({}, { events }) });
	await expectHeld({ [addressOf(workflow())]: events });
	const { connections } = workflow();
	await publish({
		nodes: nodesWith({ name: 'Another name' }),
		connections: { 'Another name': connections['Portal.io Trigger'] },
	});
	await expectHeld(production());
});

it('removes all subscriptions if a new version cannot subscribe', async () => {
	const previousSubscription = subscription();
	const events = EVENTS.slice(1);
	const options = { additionalEvents: 'order.no_such_event' };
	await expect(publish({ nodes: nodesWith({}, { events, options }) })).rejects.toThrow(
		"rejected the subscription to 'order.no_such_event'",
	);
	await expectHeld({});
	expect(await post(previousSubscription, '[]')).toBe(404);
	await publish({ nodes: nodesWith({}, { events }) });
	await expectHeld({ [addressOf(workflow())]: events });
});

it('creates separate subscriptions for a copied workflow and for each trigger', async () => {
	const { n8n } = environment();
	const before = held();
	const [firstTrigger] = nodesWith({ id: randomUUID(), webhookId: randomUUID() });
	const events = EVENTS.slice(0, 1);
	const [secondTrigger] = nodesWith(
		{ id: randomUUID(), webhookId: randomUUID(), name: 'Another trigger' },
		{ events },
	);
	const changes = { nodes: [firstTrigger!, secondTrigger!], connections: {} };
	const { copy, staticData } = await importCopy(environment(), workflow(), changes);
	expect(JSON.stringify(staticData)).toContain(String(ours()[0]!.secret_key));
	expect(await n8n.rest('GET', `/workflows/${copy.id}`)).toMatchObject({ staticData });
	await n8n.activate(copy);
	const secondUrl = addressOf({ ...copy, nodes: [secondTrigger!] });
	await expectHeld({ ...production(), [addressOf(copy)]: EVENTS, [secondUrl]: events });
	await n8n.updateWorkflow(copy, { nodes: [secondTrigger!] });
	await n8n.activate(copy);
	await expectHeld({ ...production(), [secondUrl]: events });
	await n8n.deactivate(copy);
	expect(held()).toEqual(before);
});

it('moves the subscriptions to another account only with another credential', async () => {
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
	expect(ours().map(({ account_id: account }) => account)).toEqual(
		EVENTS.map(() => seed.accounts.otherDealer),
	);
});
