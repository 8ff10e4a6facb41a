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
const { workflow, subscriptions, ownSubscriptions, webhookUrl, expectSubscriptions } = active;
const { subscription, listen, publish, changeTrigger } = active;
/** Returns the active workflow's expected subscriptions, without those of a test in the editor. */
const production = () => ({ [webhookUrl(workflow())]: EVENTS });

it('subscribes only once while a workflow is active, and unsubscribes when it is deactivated or archived', async () => {
	const { n8n } = environment();
	await expectSubscriptions(production());
	const before = subscriptions();
	await n8n.activate(workflow());
	expect(subscriptions()).toEqual(before);
	await n8n.deactivate(workflow());
	await expectSubscriptions({});

	const other = await createChain(environment(), 'To be archived', [portalTrigger(EVENTS)]);
	await n8n.activate(other);
	await expectSubscriptions({ [webhookUrl(other)]: EVENTS });
	await n8n.rest('POST', `/workflows/${other.id}/archive`, {});
	await until('the end of its subscriptions', () => ownSubscriptions().length === 0 || undefined);
});

it('uses separate subscriptions while the editor listens for a test event', async () => {
	const { control } = environment().simulator;
	const before = subscriptions();
	await listen(workflow());
	await expectSubscriptions({ ...production(), [webhookUrl(workflow(), 'webhook-test')]: EVENTS });
	control.setStatus(seed.proposals.submittedToo, 'Expired');
	const ended = () => finishedExecutions(environment(), workflow());
	await until('both executions', async () => (await ended())[1]);
	const modes = (await ended()).map(({ mode }) => mode);
	expect(modes.sort()).toEqual(['manual', 'webhook']);
	await until('the end of the test', () => subscriptions().length === before.length || undefined);
	expect(subscriptions()).toEqual(before);
});

it("updates the subscriptions after a change of the trigger's events or name", async () => {
	const events = EVENTS.filter((_event, index) => index !== 1);
	await publish({ nodes: changeTrigger({}, { events }) });
	await expectSubscriptions({ [webhookUrl(workflow())]: events });
	const { connections } = workflow();
	await publish({
		nodes: changeTrigger({ name: 'Another name' }),
		connections: { 'Another name': connections['Portal.io Trigger'] },
	});
	await expectSubscriptions(production());
});

it('removes all subscriptions if a new version cannot subscribe', async () => {
	const previousSubscription = subscription();
	const events = EVENTS.slice(1);
	const options = { additionalEvents: 'order.no_such_event' };
	await expect(publish({ nodes: changeTrigger({}, { events, options }) })).rejects.toThrow(
		"rejected the subscription to 'order.no_such_event'",
	);
	await expectSubscriptions({});
	expect(await post(previousSubscription, '[]')).toBe(404);
	await publish({ nodes: changeTrigger({}, { events }) });
	await expectSubscriptions({ [webhookUrl(workflow())]: events });
});

it('creates separate subscriptions for a copied workflow and for each trigger', async () => {
	const { n8n } = environment();
	const before = subscriptions();
	const [firstTrigger] = changeTrigger({ id: randomUUID(), webhookId: randomUUID() });
	const events = EVENTS.slice(0, 1);
	const [secondTrigger] = changeTrigger(
		{ id: randomUUID(), webhookId: randomUUID(), name: 'Another trigger' },
		{ events },
	);
	const changes = { nodes: [firstTrigger!, secondTrigger!], connections: {} };
	const { copy, staticData } = await importCopy(environment(), workflow(), changes);
	expect(JSON.stringify(staticData)).toContain(String(ownSubscriptions()[0]!.secret_key));
	expect(await n8n.rest('GET', `/workflows/${copy.id}`)).toMatchObject({ staticData });
	await n8n.activate(copy);
	const secondUrl = webhookUrl({ ...copy, nodes: [secondTrigger!] });
	await expectSubscriptions({ ...production(), [webhookUrl(copy)]: EVENTS, [secondUrl]: events });
	await n8n.updateWorkflow(copy, { nodes: [secondTrigger!] });
	await n8n.activate(copy);
	await expectSubscriptions({ ...production(), [secondUrl]: events });
	await n8n.deactivate(copy);
	expect(subscriptions()).toEqual(before);
});

it('moves the subscriptions to another account only if another credential is chosen', async () => {
	const { n8n, simulator, credential } = environment();
	const before = subscriptions();
	const { id, name, type } = credential;
	const same = { name, type, data: credentialData(simulator) };
	await n8n.rest('PATCH', `/credentials/${id}`, same);
	expect(subscriptions()).toEqual(before);
	await expectSubscriptions(production());

	const data = { ...credentialData(simulator), ...seed.otherDealer };
	const other = await n8n.createCredential('The other dealer', 'portalIoApi', data);
	await publish({
		nodes: changeTrigger({ credentials: { portalIoApi: { id: other.id, name: other.name } } }),
	});
	await expectSubscriptions(production());
	expect(ownSubscriptions().map(({ account_id: account }) => account)).toEqual(
		EVENTS.map(() => seed.accounts.otherDealer),
	);
});
