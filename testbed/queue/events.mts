/** Many customers accept their proposals, and n8n gets to hear of it. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { seed } from '../../simulator/index.mts';
import type { Simulator } from '../../simulator/index.mts';
import type { N8n, StoredWorkflow } from '../n8n/n8n.mts';
import type { Stage } from '../stage.mts';
import { until } from '../until.mts';

/** How it went. */
export interface Handling {
	/** From the first event to the end of the last execution. */
	seconds: number;
	perSecond: number;
	/** How many executions there were, by their status. */
	counts: Record<string, number>;
	/** How many deliveries n8n took at a later attempt only, as it does when it has too much to do. */
	repeated: number;
}

/** What else shall happen while the events arrive. */
export interface Interruption {
	/** After how many events. */
	after: number;
	happen(): Promise<void>;
}

/** How many deliveries may be under way: the service would not wait for the answer to each either. */
const deliveriesUnderWay = 20;
/**
 * How long nothing may change before it is certain that nothing will: a job of a killed worker is
 * given up when its lock has run out and two checks have seen that.
 */
const patienceMs = 300_000;

/** Makes proposals that wait for their customers' answers; gives their ids. */
export function plantProposals({ control }: Simulator, count: number): number[] {
	// Like the one that the demo accepts, without items: what is tried here is the way to n8n.
	return control.addProposals(count, { like: seed.proposals.submitted, status: 'Submitted' });
}

/** Has the proposals accepted, as fast as n8n takes the events, and waits until n8n is done. */
export async function acceptAll(
	{ n8n, simulator }: Stage,
	workflow: StoredWorkflow,
	proposals: number[],
	interruption?: Interruption,
): Promise<Handling> {
	const { control } = simulator;
	const before = n8n.store.counts(workflow.id);
	const earlierDeliveries = control.deliveries().length;
	const start = performance.now();
	let interrupted: Promise<void> | undefined;
	for (const [index, id] of proposals.entries()) {
		if (index === interruption?.after) {
			interrupted = interruption.happen();
			// A failure is for whoever waits for it below, and not for nobody.
			interrupted.catch(() => {});
		}
		control.accept(id);
		const isFree = () => control.pendingDeliveryCount() < deliveriesUnderWay || undefined;
		await until('n8n to take the deliveries under way', isFree, patienceMs);
	}
	await control.whenDelivered();
	const deliveries = control.deliveries().slice(earlierDeliveries);
	assert.equal(deliveries.length, proposals.length, 'deliveries');
	const lost = deliveries.filter(({ state }) => state !== 'delivered');
	assert.deepEqual(lost, [], 'deliveries that n8n did not take');
	const counts = await settled(n8n, workflow, before, proposals.length);
	const seconds = (performance.now() - start) / 1000;
	await interrupted;
	const repeated = deliveries.filter(({ attempts }) => attempts !== 1).length;
	return { seconds, perSecond: proposals.length / seconds, counts, repeated };
}

/** Waits until no execution is queued or running; gives how many there are more than before. */
async function settled(
	{ store }: N8n,
	{ id }: StoredWorkflow,
	before: Record<string, number>,
	expected: number,
): Promise<Record<string, number>> {
	let deadline = Date.now() + patienceMs;
	let sumBefore = 0;
	for (;;) {
		const counts = Object.fromEntries(
			Object.entries(store.counts(id))
				.map(([status, count]) => [status, count - (before[status] ?? 0)] as const)
				.filter(([, count]) => count > 0),
		);
		// A worker that starts again calls crashed what it was at; n8n gives the job up some time later.
		const { new: queued = 0, running = 0, crashed = 0, ...ended } = counts;
		const sum = Object.values(ended).reduce((one, other) => one + other, 0);
		if (queued + running + crashed === 0 && sum >= expected) return ended;
		if (sum > sumBefore) deadline = Date.now() + patienceMs;
		sumBefore = sum;
		if (Date.now() > deadline) {
			throw new Error(`n8n did not finish all executions: ${JSON.stringify(counts)}`);
		}
		await sleep(250);
	}
}
