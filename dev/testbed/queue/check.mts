/**
 * Tests this package in n8n's queue mode while many events arrive, a worker dies, and user API keys expire.
 * Throws an error about the first failed expectation.
 */
import assert from 'node:assert/strict';
import { seed } from '../../simulator/index.mts';
import type { Say } from '../mainJob.mts';
import type { StoredWorkflow } from '../n8n/n8n.mts';
import type { Environment } from '../environment.mts';
import { until } from '../until.mts';
import { byId, createChain, portal, portalTrigger } from '../workflowBuilder.mts';
import type { N8nProcess } from '../n8n/process.mts';

/** Maximum number of parallel deliveries. Like Portal.io, the test doesn't wait for each response. */
const DELIVERIES_UNDER_WAY = 20;
const CONCURRENCY = 10;
/** Latency of the service, long enough for many parallel requests. */
const SLOW_MS = 2000;
/**
 * Returns a time limit in milliseconds that includes n8n's detection of a dead worker: the worker's locks must expire,
 * and two checks must notice this.
 */
const limitFor = (events: number) => 120_000 + 1000 * events;

/** Runs all checks in an environment with a queue and no active workflows. */
export async function checkQueue(
	environment: Environment,
	events: number,
	say: Say,
): Promise<void> {
	const { n8n, simulator, cluster } = environment;
	const { control } = simulator;
	// Read each accepted proposal once, so the service can count the executions.
	const read = {
		resource: 'proposal',
		operation: 'get',
		proposalId: byId('={{ $json.data.id }}'),
	};
	const workflow = await createChain(environment, 'Queue', [
		portalTrigger(['proposal.status_changed'], { statuses: ['Accepted'] }),
		portal(read),
	]);
	await n8n.activate(workflow);
	await accept(environment, workflow, 1);
	const exchanges = control.loginCount();

	// The processes share the credential and must agree on a new key without failing an execution.
	const more = 2 * DELIVERIES_UNDER_WAY;
	control.setLatency(SLOW_MS);
	const counts = await accept(environment, workflow, more, async () => {
		control.expireUserKeys();
	});
	control.setLatency(0);
	assert.deepEqual(counts, { success: more }, 'executions around the expiry');
	const acceptedCount = control.loginCount() - exchanges;
	assert.ok(
		acceptedCount >= 1 && acceptedCount <= cluster!.workers.length,
		`not ${acceptedCount} exchanges`,
	);
	say(
		`When all user API keys expired at the same time, the workers needed ${acceptedCount} logins.`,
	);

	const { success, error } = await killWorker(environment, workflow, events);
	assert.equal(control.loginCount(), exchanges + acceptedCount, 'logins after the expiry');
	const [subscription, ...others] = control.subscriptions();
	assert.deepEqual(others, [], 'additional subscriptions at the service');
	assert.equal(new URL(String(subscription!.url)).origin, cluster!.webhookUrl);
	say(
		`When a worker was killed, ${success} of ${events} events were processed, none of them twice. ` +
			`n8n gave up the ${error} that the worker was processing, and does not run them again.`,
	);
}

/** Kills a busy worker after a third of the events. The other worker continues. */
async function killWorker(environment: Environment, workflow: StoredWorkflow, events: number) {
	const { n8n, simulator, cluster } = environment;
	const { control } = simulator;
	const { length: earlier } = control.requests;
	const [worker] = cluster!.workers;
	const counts = await accept(environment, workflow, events, async () => {
		control.setLatency(SLOW_MS);
		await until('an execution in the worker', () => isBusy(worker!) || undefined);
		await worker!.kill();
		control.setLatency(0);
	});
	const { success = 0, error = 0, ...others } = counts;
	assert.equal(success + error, events, 'executions, one for each event');
	assert.deepEqual(others, {}, 'executions that neither succeeded nor failed');
	assert.ok(error >= 1 && error <= CONCURRENCY, 'no more are lost than the worker was processing');
	const executions = await n8n.executions({ workflowId: workflow.id });
	const failed = executions.filter((one) => one.error);
	for (const { error: reason, runs } of failed) {
		assert.match(reason!.message, /failed to be processed too many times/);
		// n8n stores nothing about these executions that could be retried, so their events are lost.
		assert.deepEqual(runs, {});
	}
	const paths = control.requests
		.slice(earlier)
		.filter(({ operationId }) => operationId === 'proposal.get')
		.map(({ path }) => path);
	assert.equal(new Set(paths).size, paths.length, 'proposals that were read once');
	assert.ok(paths.length >= success, 'a read for each execution');
	return { success, error };
}

/** Accepts proposals as fast as n8n can process them. Returns the number of executions by status. */
async function accept(
	{ n8n, simulator: { control } }: Environment,
	{ id: workflowId }: StoredWorkflow,
	events: number,
	happen: () => Promise<void> = async () => {},
): Promise<Record<string, number>> {
	const limitMs = limitFor(events);
	const ids = control.addProposals(events, { like: seed.proposals.submitted });
	const before = await n8n.store.counts(workflowId);
	const { length: earlier } = control.deliveries();
	let happening: Promise<void> | undefined;
	for (const [index, id] of ids.entries()) {
		if (index === Math.floor(events / 3)) happening = happen();
		control.accept(id);
		await until(
			'n8n to accept the pending deliveries',
			() =>
				control.rows('deliveries', { state: 'pending' }).length < DELIVERIES_UNDER_WAY || undefined,
			limitMs,
		);
	}
	await happening;
	await control.whenDelivered(limitMs);
	const lost = control
		.deliveries()
		.slice(earlier)
		.filter(({ state }) => state !== 'delivered');
	assert.deepEqual(lost, [], 'deliveries that n8n did not accept');
	const settled = async () => {
		const counts = await n8n.store.counts(workflowId);
		for (const [status, count] of Object.entries(before)) counts[status]! -= count;
		const { new: queued = 0, running = 0, ...ended } = counts;
		const sum = Object.values(ended).reduce((one, other) => one + other, 0);
		if (queued + running > 0 || sum < events) return undefined;
		return Object.fromEntries(Object.entries(ended).filter(([, count]) => count > 0));
	};
	return await until('the end of all executions', settled, limitMs);
}

function isBusy(worker: N8nProcess): boolean {
	const logs = worker.logs();
	const count = (words: string) => logs.split(words).length - 1;
	return count('Worker started execution') > count('Worker finished execution');
}
