/**
 * An n8n that is stopped or killed and started again: its subscriptions, and the events that Portal.io sent in
 * between. The tests share this n8n and need their order: the settings of a restart apply to the tests after it.
 */
import { expect, onTestFinished, test } from 'vitest';
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
import { finishedExecutions, newRequests } from '../n8n/handRuns.mts';
import { ownEnvironment } from '../n8n/environments.mts';
import { setUp } from '../n8n/polled.mts';
import { activeWorkflow, EVENTS } from '../n8n/subscribed.mts';
import { returnToStatus, scheduler } from './durablePolls.mts';

const { viewed, submitted, submittedToo } = seed.proposals;
/** durableScheduler.test.mts, which runs before in the same n8n, has turned the scheduler on. */
const withoutScheduler = { N8N_SCHEDULER_ENABLED: 'false' };
const environment = ownEnvironment();
const active = activeWorkflow(environment);
const { workflow, held, ours, addressOf, byAddress, expectHeld, listen } = active;
const { subscription, deliverAnother, beginExecution } = active;
/** The executions that an event has started, including those that had not ended when n8n did. */
const startedBy = async (id: unknown) =>
	(await environment().n8n.executions({ workflowId: workflow().id })).filter(({ stored }) =>
		stored.includes(`"${id}"`),
	);

/** Activates a workflow that polls; the returned function reads the changes with which it started. */
async function activatePolling() {
	const { n8n } = environment();
	const parts = [pollingTrigger('proposalStatusChanged'), noOp];
	const polling = await createChain(environment(), 'Polling', parts);
	await n8n.activate(polling);
	onTestFinished(() => n8n.deactivate(polling));
	return async () =>
		(await finishedExecutions(environment(), polling)).flatMap((one) => itemsOf(one, 'Poll'));
}

/** Delivers an event once, however n8n answers. */
function deliverOnce(event: string, signal?: AbortSignal): Promise<Response> {
	const { url, secret } = subscription();
	const body = eventBody(event);
	return fetch(url, { method: 'POST', body, headers: deliveryHeaders(body, secret), signal });
}

/** Stops n8n while it receives events; returns those that it acknowledged, and those that it did not. */
async function deliverUntilStopped() {
	const acknowledged: string[] = [];
	const unacknowledged: string[] = [];
	let isGone = false;
	const send = async () => {
		const id = `evt_burst_${acknowledged.length + unacknowledged.length}`;
		unacknowledged.push(id);
		const answer = await deliverOnce(id).catch(() => undefined);
		if (answer === undefined) isGone = true;
		if (answer?.status === 200)
			acknowledged.push(...unacknowledged.splice(unacknowledged.indexOf(id), 1));
	};
	// With pauses, so that n8n has ended before it is killed for taking too long.
	const sendUntilGone = async () =>
		await until('n8n to be gone', async () => {
			await send();
			return isGone || undefined;
		});
	while (acknowledged.length === 0) await send();
	await Promise.all([environment().n8n.stop(), ...[1, 2, 3].map(sendUntilGone)]);
	return { acknowledged, unacknowledged };
}

/** Begins to activate another workflow: the service creates its first subscription, and n8n gets no response. */
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

/** Sets the status of two proposals while n8n does not run; returns the ID of the event about the first one. */
async function changeWhileStopped(): Promise<string> {
	const { control } = environment().simulator;
	control.setStatus(viewed, 'Accepted');
	await control.idle();
	const missed = control.deliveries().find(({ url }) => url === addressOf(workflow()))!;
	control.setStatus(submitted, 'Accepted');
	await control.idle();
	return String(missed.event_id);
}

/** Sets the time of the next attempt of every delivery that n8n has not acknowledged. */
function scheduleDeliveries(nextAttemptAt: number) {
	const { control } = environment().simulator;
	control.update('deliveries', { state: 'pending' }, { nextAttemptAt });
}

/** Retries the execution that ended with n8n: it has the event with which it was started. */
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

/** Activates the workflow whose activation ended with n8n: it has one subscription for each event. */
async function expectActivation(other: StoredWorkflow) {
	const { n8n } = environment();
	await n8n.activate(other);
	expect(byAddress()[addressOf(other)]).toHaveLength(1);
	await n8n.deactivate(other);
	await n8n.activate(other);
	expect(byAddress()[addressOf(other)]).toEqual(EVENTS);
}

test('continues after n8n was killed during an execution, an activation and a test, and loses no event of the meantime', async () => {
	const { n8n } = environment();
	const { control } = environment().simulator;
	const production = { [addressOf(workflow())]: EVENTS };
	const ofTest = { [addressOf(workflow(), 'webhook-test')]: EVENTS };
	const reportedByPolling = await activatePolling();
	const { gate: heldStep, slow } = await beginExecution('evt_unfinished');
	await listen(workflow());
	await expectHeld({ ...production, ...ofTest });
	const before = held();
	const ofFormerTest = before.filter(({ url }) => url.includes('/webhook-test/'));
	const { other, endAfterKill } = await beginActivation();
	await n8n.kill();
	await endAfterKill();
	const missedEvent = await changeWhileStopped();
	// No attempt while n8n starts: for a moment it answers 200 'n8n is starting up' to everything.
	scheduleDeliveries(Date.now() + 3_600_000);
	// n8n resumes the activation when nobody has finished it for so long (two minutes by default), but
	// takes it for done and does not ask the trigger (docs/dev/n8n-internals.md).
	await n8n.restart({
		N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '15',
		N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
		// In the next test, an event waits while another execution runs.
		N8N_CONCURRENCY_PRODUCTION_LIMIT: '1',
		...withoutScheduler,
	});
	expect(held()).toEqual(expect.arrayContaining(before));

	scheduleDeliveries(Date.now());
	// Rescheduling wakes nobody: without this the attempts wait for the timer of an hour.
	await control.idle();
	await until(
		'the executions of the missed events',
		async () => (await n8n.executions({ workflowId: workflow().id }))[1],
	);
	expect(await deliver(subscription(), missedEvent)).toBe(200);
	await deliverAnother();
	expect(await startedBy(missedEvent)).toHaveLength(1);
	await until('the changes by polling', async () => (await reportedByPolling())[1]);
	expect(await reportedByPolling()).toMatchObject([
		{ proposalId: viewed, status: 'Accepted', previousStatus: 'ViewedByClient' },
		{ proposalId: submitted, status: 'Accepted', previousStatus: 'Submitted' },
	]);

	await expectRetry(slow, heldStep);
	await expectActivation(other);
	// The data of the trigger's test stay until the next test replaces them.
	const both = { ...production, [addressOf(other)]: EVENTS };
	await expectHeld({ ...both, ...ofTest });
	await listen(workflow());
	await expectHeld({ ...both, ...ofTest });
	const ids = held().map(({ id }) => id);
	for (const { id } of ofFormerTest) expect(ids).not.toContain(id);
	await n8n.deactivate(other);
	await n8n.rest('DELETE', `/test-webhook/${workflow().id}`);
	await until('the end of the test', () => Object.keys(byAddress()).length === 1 || undefined);
	await expectHeld(production);
});

test('starts one execution for an event that waits for another execution, although its sender hangs up and repeats it', async () => {
	const { gate } = await beginExecution('evt_busy');
	const hangUp = new AbortController();
	const lost = deliverOnce('evt_waiting', hangUp.signal).catch(() => 'lost');
	await until('the execution that waits', async () => (await startedBy('evt_waiting'))[0]);
	hangUp.abort();
	expect(await lost).toBe('lost');
	expect(await deliver(subscription(), 'evt_waiting')).toBe(503);
	gate.release();
	await until('the answer to the first attempt', async () =>
		(await deliver(subscription(), 'evt_waiting')) === 200 ? true : undefined,
	);
	await deliverAnother();
	expect(await startedBy('evt_waiting')).toHaveLength(1);
});

// From here on n8n has another address, and its durable scheduler with durable cursors.
test('loses no delivery when n8n is stopped and started at another address, and starts none twice that n8n acknowledged', async () => {
	const { n8n, simulator } = environment();
	const reportedByPolling = await activatePolling();
	simulator.control.setStatus(submittedToo, 'Accepted');
	await until('the change by polling', async () => (await reportedByPolling())[0]);
	await simulator.control.idle();
	const { event_id: event, body } = simulator.control.deliveries().at(-1)!;
	await until('the execution', async () => (await startedBy(event))[0]);
	const before = held();
	const requests = newRequests(environment());

	const { acknowledged, unacknowledged } = await deliverUntilStopped();
	expect(unacknowledged.length).toBeGreaterThan(0);
	const address = addressOf(workflow());
	const otherAddress = address.replace('127.0.0.1', 'localhost');
	await n8n.restart({
		N8N_WEBHOOK_URL: `${new URL(otherAddress).origin}/`,
		...scheduler,
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	});

	// n8n asked the trigger nothing, and the old address still leads to it.
	await expectHeld({ [address]: EVENTS });
	expect(held()).toEqual(before);
	const operations = requests().map(({ operationId }) => operationId);
	expect(operations.filter((id) => id?.startsWith('webhookSubscription.'))).toEqual([]);

	expect(await post(subscription(), String(body))).toBe(200);
	for (const id of unacknowledged) expect(await deliver(subscription(), id)).toBe(200);
	await deliverAnother();
	expect(await startedBy(event)).toHaveLength(1);
	for (const id of acknowledged) expect(await startedBy(id), id).toHaveLength(1);
	// An execution stored in n8n's last moment, without an acknowledgment, may have started too.
	for (const id of unacknowledged)
		expect((await startedBy(id)).length, id).toBeGreaterThanOrEqual(1);

	simulator.control.setStatus(submittedToo, 'Completed');
	await until('the next change by polling', async () => (await reportedByPolling())[1]);
	expect(await reportedByPolling()).toMatchObject([
		{ proposalId: submittedToo, status: 'Accepted', previousStatus: 'Submitted' },
		{ proposalId: submittedToo, status: 'Completed', previousStatus: 'Accepted' },
	]);

	// This n8n could be a copy of the one at the former address.
	await n8n.deactivate(workflow());
	expect(held()).toEqual(before);
	await n8n.activate(workflow());
	expect(byAddress()).toEqual({ [address]: EVENTS, [otherAddress]: EVENTS });
	simulator.control.deleteSubscriptions({ url: address });
	await expectHeld({ [otherAddress]: EVENTS });
});

test('reports a proposal again that returns to a chosen status, with durable cursors', (context) =>
	returnToStatus(environment(), context));

test('keeps polling when n8n starts with a wrong password, and shows each failure', async (context) => {
	const { n8n } = environment();
	const polled = await setUp(environment(), context);
	const { control, polling, publish, nextPoll, reports, setPassword } = polled;
	await publish();
	// With durable cursors, n8n saves the baseline only after another poll.
	await nextPoll();
	await setPassword('wrong');
	// After durable cursors, n8n copies the static data for each poll, even without its scheduler.
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

test('restores disabled and deleted subscriptions if n8n checks every active workflow when it starts', async () => {
	const { n8n, simulator } = environment();
	const [first, second, third] = ours();
	simulator.control.update('subscriptions', { id: first!.id }, { isEnabled: false });
	simulator.control.deleteSubscriptions({ id: second!.id });
	const url = String(third!.url);
	await n8n.kill();
	// Only without this service does n8n check every active workflow when it starts.
	await n8n.restart({
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false',
		...withoutScheduler,
		N8N_WEBHOOK_URL: `${new URL(url).origin}/`,
	});
	await until('the repair', () => byAddress()[url]?.length === 3 || undefined);
	await until('its end', () => held().every((one) => one.is_enabled === 1) || undefined);
	await expectHeld({ [url]: EVENTS });
	expect(held()).toContainEqual(third);
});
