/**
 * Stops or kills n8n and starts it again. Then checks its subscriptions and the events that Portal.io sent during the
 * downtime. The tests share one n8n instance and depend on their order, because the settings of a restart apply to
 * later tests.
 */
import { expect, it, onTestFinished } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import type { StoredWorkflow } from '../../dev/testbed/n8n/n8n.mts';
import { until } from '../../dev/testbed/until.mts';
import {
	createChain,
	noOp,
	pollingTrigger,
	portalTrigger,
} from '../../dev/testbed/workflowBuilder.mts';
import { deliver, deliveryHeaders, eventBody, post } from '../n8n/delivery.mts';
import { finishedExecutions, newRequests } from '../n8n/executions.mts';
import { ownEnvironment } from '../n8n/environments.mts';
import { createPollingWorkflow } from '../n8n/pollingWorkflow.mts';
import { useActiveWorkflow, EVENTS } from '../n8n/activeWorkflow.mts';
import { returnToStatus, scheduler } from './schedulerPolls.mts';

const { viewed, submitted, submittedToo } = seed.proposals;
/**
 * Settings that turn off the scheduler. durableScheduler.test.mts, which runs in the same n8n before this file, turns
 * it on.
 */
const withoutScheduler = { N8N_SCHEDULER_ENABLED: 'false' };
const environment = ownEnvironment();
const active = useActiveWorkflow(environment);
const {
	workflow,
	subscriptions,
	ownSubscriptions,
	webhookUrl,
	eventsByUrl,
	expectSubscriptions,
	listen,
} = active;
const { subscription, deliverAnother, beginExecution } = active;
/** Returns the executions that an event started, including those that n8n could not finish. */
const executionsStartedBy = async (id: unknown) =>
	(await environment().n8n.executions({ workflowId: workflow().id })).filter(({ stored }) =>
		stored.includes(`"${id}"`),
	);

/** Activates a polling workflow. Returns a function that reads the reported changes. */
async function activatePolling() {
	const { n8n } = environment();
	const parts = [pollingTrigger('proposalStatusChanged'), noOp];
	const polling = await createChain(environment(), 'Polling', parts);
	await n8n.activate(polling);
	onTestFinished(() => n8n.deactivate(polling));
	return async () =>
		(await finishedExecutions(environment(), polling)).flatMap((one) => itemsOf(one, 'Poll'));
}

/** Delivers an event once. Accepts any response. */
function deliverOnce(event: string, signal?: AbortSignal): Promise<Response> {
	const { url, secret } = subscription();
	const body = eventBody(event);
	return fetch(url, { method: 'POST', body, headers: deliveryHeaders(body, secret), signal });
}

/** Stops n8n while it receives events. Returns the acknowledged events and the unacknowledged ones. */
async function deliverUntilStopped() {
	const acknowledged: string[] = [];
	const unacknowledged: string[] = [];
	let isGone = false;
	const send = async () => {
		const id = `evt_burst_${acknowledged.length + unacknowledged.length}`;
		unacknowledged.push(id);
		const response = await deliverOnce(id).catch(() => undefined);
		if (response === undefined) isGone = true;
		if (response?.status === 200)
			acknowledged.push(...unacknowledged.splice(unacknowledged.indexOf(id), 1));
	};
	// Pause between requests, because n8n is killed if it takes too long to end.
	const sendUntilGone = async () =>
		await until('n8n to be gone', async () => {
			await send();
			return isGone || undefined;
		});
	while (acknowledged.length === 0) await send();
	await Promise.all([environment().n8n.stop(), ...[1, 2, 3].map(sendUntilGone)]);
	return { acknowledged, unacknowledged };
}

/** Starts to activate another workflow: the service creates its first subscription, but n8n gets no response. */
async function beginActivation() {
	const { n8n, simulator } = environment();
	const other = await createChain(environment(), 'Killed while activated', [portalTrigger(EVENTS)]);
	onTestFinished(() => n8n.deactivate(other));
	const gate = simulator.control.hold('webhookSubscription.create', 'after');
	const activation = n8n.activate(other).catch(() => {});
	await gate.arrived(1, 60_000);
	const endAfterKill = async () => {
		gate.release();
		await activation;
	};
	return { other, endAfterKill };
}

/** Changes the status of two proposals while n8n is stopped. Returns the ID of the first event. */
async function changeWhileStopped(): Promise<string> {
	const { control } = environment().simulator;
	control.setStatus(viewed, 'Accepted');
	await control.idle();
	const missed = control.deliveries().find(({ url }) => url === webhookUrl(workflow()))!;
	control.setStatus(submitted, 'Accepted');
	await control.idle();
	return String(missed.event_id);
}

/** Sets the next attempt's time for every delivery that n8n has not acknowledged. */
function scheduleDeliveries(nextAttemptAt: number) {
	const { control } = environment().simulator;
	control.update('deliveries', { state: 'pending' }, { nextAttemptAt });
}

/** Retries the execution that n8n could not finish, and expects the event that started it. */
async function expectRetry(slow: StoredWorkflow, heldStep: { release(): void }) {
	const { n8n } = environment();
	const [crashed] = await n8n.executions({ workflowId: slow.id });
	expect(crashed!.status).toBe('crashed');
	heldStep.release();
	await n8n.rest('POST', `/executions/${crashed!.id}/retry`, {});
	const [, retried] = await n8n.executions({ workflowId: slow.id });
	expect(retried).toMatchObject({ status: 'success', mode: 'retry' });
	expect(itemsOf(retried!, 'Portal.io Trigger')).toMatchObject([{ id: 'evt_unfinished' }]);
}

/** Activates the workflow whose activation n8n could not finish, and expects one subscription for each event. */
async function expectActivation(other: StoredWorkflow) {
	const { n8n } = environment();
	await n8n.activate(other);
	expect(eventsByUrl()[webhookUrl(other)]).toHaveLength(1);
	await n8n.deactivate(other);
	await n8n.activate(other);
	expect(eventsByUrl()[webhookUrl(other)]).toEqual(EVENTS);
}

it('recovers after n8n is killed during an execution, an activation, and a test', async () => {
	const { n8n } = environment();
	const { control } = environment().simulator;
	const production = { [webhookUrl(workflow())]: EVENTS };
	const testSubscriptions = { [webhookUrl(workflow(), 'webhook-test')]: EVENTS };
	const reportedByPolling = await activatePolling();
	const { gate: heldStep, slow } = await beginExecution('evt_unfinished');
	await listen(workflow());
	await expectSubscriptions({ ...production, ...testSubscriptions });
	const before = subscriptions();
	const previousTestSubscriptions = before.filter(({ url }) => url.includes('/webhook-test/'));
	const { other, endAfterKill } = await beginActivation();
	await n8n.kill();
	await endAfterKill();
	const missedEvent = await changeWhileStopped();
	// Prevent attempts while n8n starts, because for a moment it responds to any request with 200 'n8n is starting up'.
	scheduleDeliveries(Date.now() + 3_600_000);
	// Shorten the time after which n8n resumes an unfinished activation (two minutes by default). n8n then considers
	// the activation done without calling the trigger (docs/dev/n8n-internals.md).
	await n8n.restart({
		N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '15',
		N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
		// Allow only one execution at a time, so an event has to wait for another execution in the next test.
		N8N_CONCURRENCY_PRODUCTION_LIMIT: '1',
		...withoutScheduler,
	});
	expect(subscriptions()).toEqual(expect.arrayContaining(before));

	scheduleDeliveries(Date.now());
	// Deliver now, because updating the deliveries does not change the timer, which is still set to an hour.
	await control.idle();
	await until(
		'the executions of the missed events',
		async () => (await n8n.executions({ workflowId: workflow().id }))[1],
	);
	expect(await deliver(subscription(), missedEvent)).toBe(200);
	await deliverAnother();
	expect(await executionsStartedBy(missedEvent)).toHaveLength(1);
	await until('the changes by polling', async () => (await reportedByPolling())[1]);
	expect(await reportedByPolling()).toMatchObject([
		{ proposalId: viewed, status: 'Accepted', previousStatus: 'ViewedByClient' },
		{ proposalId: submitted, status: 'Accepted', previousStatus: 'Submitted' },
	]);

	await expectRetry(slow, heldStep);
	await expectActivation(other);
	// Expect the subscriptions of the editor's test run as well, because the trigger keeps its data until the next test
	// run replaces it.
	const twoWorkflows = { ...production, [webhookUrl(other)]: EVENTS };
	await expectSubscriptions({ ...twoWorkflows, ...testSubscriptions });
	await listen(workflow());
	await expectSubscriptions({ ...twoWorkflows, ...testSubscriptions });
	const ids = subscriptions().map(({ id }) => id);
	for (const { id } of previousTestSubscriptions) expect(ids).not.toContain(id);
	await n8n.deactivate(other);
	await n8n.rest('DELETE', `/test-webhook/${workflow().id}`);
	await until('the end of the test', () => Object.keys(eventsByUrl()).length === 1 || undefined);
	await expectSubscriptions(production);
});

it('starts only one execution for a waiting event whose sender hangs up and retries', async () => {
	const { gate } = await beginExecution('evt_busy');
	const hangUp = new AbortController();
	const lost = deliverOnce('evt_waiting', hangUp.signal).catch(() => 'lost');
	await until(
		'the execution that waits',
		async () => (await executionsStartedBy('evt_waiting'))[0],
	);
	hangUp.abort();
	expect(await lost).toBe('lost');
	expect(await deliver(subscription(), 'evt_waiting')).toBe(503);
	gate.release();
	await until('the answer to the first attempt', async () =>
		(await deliver(subscription(), 'evt_waiting')) === 200 ? true : undefined,
	);
	await deliverAnother();
	expect(await executionsStartedBy('evt_waiting')).toHaveLength(1);
});

// From here on, n8n has another URL, and its durable scheduler uses durable cursors.
it('processes every delivery when n8n stops and then starts at another URL', async () => {
	const { n8n, simulator } = environment();
	const reportedByPolling = await activatePolling();
	simulator.control.setStatus(submittedToo, 'Accepted');
	await until('the change by polling', async () => (await reportedByPolling())[0]);
	await simulator.control.idle();
	const { event_id: event, body } = simulator.control.deliveries().at(-1)!;
	await until('the execution', async () => (await executionsStartedBy(event))[0]);
	const before = subscriptions();
	const requests = newRequests(environment());

	const { acknowledged, unacknowledged } = await deliverUntilStopped();
	expect(unacknowledged.length).toBeGreaterThan(0);
	const url = webhookUrl(workflow());
	const otherUrl = url.replace('127.0.0.1', 'localhost');
	await n8n.restart({
		N8N_WEBHOOK_URL: `${new URL(otherUrl).origin}/`,
		...scheduler,
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	});

	// n8n has not called the trigger, and the old URL still works.
	await expectSubscriptions({ [url]: EVENTS });
	expect(subscriptions()).toEqual(before);
	const operations = requests().map(({ operationId }) => operationId);
	expect(operations.filter((id) => id?.startsWith('webhookSubscription.'))).toEqual([]);

	expect(await post(subscription(), String(body))).toBe(200);
	for (const id of unacknowledged) expect(await deliver(subscription(), id)).toBe(200);
	await deliverAnother();
	expect(await executionsStartedBy(event)).toHaveLength(1);
	for (const id of acknowledged) expect(await executionsStartedBy(id), id).toHaveLength(1);
	// Expect at least one execution, because the event was delivered again, and n8n might have stored an execution at
	// the last moment without acknowledging it.
	for (const id of unacknowledged)
		expect((await executionsStartedBy(id)).length, id).toBeGreaterThanOrEqual(1);

	simulator.control.setStatus(submittedToo, 'Completed');
	await until('the next change by polling', async () => (await reportedByPolling())[1]);
	expect(await reportedByPolling()).toMatchObject([
		{ proposalId: submittedToo, status: 'Accepted', previousStatus: 'Submitted' },
		{ proposalId: submittedToo, status: 'Completed', previousStatus: 'Accepted' },
	]);

	// Keep the subscriptions at the old URL, because this n8n instance could be a copy of the one there.
	await n8n.deactivate(workflow());
	expect(subscriptions()).toEqual(before);
	await n8n.activate(workflow());
	expect(eventsByUrl()).toEqual({ [url]: EVENTS, [otherUrl]: EVENTS });
	simulator.control.deleteSubscriptions({ url: url });
	await expectSubscriptions({ [otherUrl]: EVENTS });
});

it('with durable cursors, reports a status again when a proposal returns to it', (context) =>
	returnToStatus(environment(), context));

it('keeps polling when n8n starts with a wrong password', async (context) => {
	const { n8n } = environment();
	const pollingWorkflow = await createPollingWorkflow(environment(), context);
	const { control, polling, publish, nextPoll, reports, setPassword } = pollingWorkflow;
	await publish();
	// Wait for another poll, because with durable cursors, n8n does not save the baseline until then.
	await nextPoll();
	await setPassword('wrong');
	// Turn off durable cursors, so n8n copies the static data for each poll, even without its scheduler.
	await n8n.restart({
		...n8n.settings(),
		...withoutScheduler,
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'false',
	});
	const executions = async () => await finishedExecutions(environment(), polling);
	await until('the failed poll', async () => (await executions())[0], 120_000);
	expect(await executions()).toMatchObject([{ status: 'error' }]);
	await setPassword(seed.dealer.password);
	control.setStatus(viewed, 'Accepted');
	expect(await reports(1)).toMatchObject({ proposalId: viewed, previousStatus: 'ViewedByClient' });
});

it('restores disabled and deleted subscriptions if n8n checks active workflows at startup', async () => {
	const { n8n, simulator } = environment();
	const [first, second, third] = ownSubscriptions();
	simulator.control.update('subscriptions', { id: first!.id }, { isEnabled: false });
	simulator.control.deleteSubscriptions({ id: second!.id });
	const url = String(third!.url);
	await n8n.kill();
	// Turn off this service, because n8n then checks every active workflow when it starts.
	await n8n.restart({
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false',
		...withoutScheduler,
		N8N_WEBHOOK_URL: `${new URL(url).origin}/`,
	});
	await until('the repair', () => eventsByUrl()[url]?.length === 3 || undefined);
	await until('its end', () => subscriptions().every((one) => one.is_enabled === 1) || undefined);
	await expectSubscriptions({ [url]: EVENTS });
	expect(subscriptions()).toContainEqual(third);
});
