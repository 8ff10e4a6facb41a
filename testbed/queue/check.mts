/**
 * Tries what n8n's queue mode and this package do together when there is much to do, and when a
 * worker dies over it. Throws an error that names the first thing that is not as it should be.
 */
import assert from 'node:assert/strict';
import type { Say } from '../mainJob/check.mts';
import { until } from '../until.mts';
import { itemsOf } from '../n8n/database.mts';
import type { Execution } from '../n8n/database.mts';
import { setStage } from '../stage.mts';
import type { Stage, StageOptions } from '../stage.mts';
import type { Worker } from './cluster.mts';
import { acceptAll, plantProposals } from './events.mts';
import type { Handling } from './events.mts';
import { byTheClock, openOrderBook, table } from './orderBook.mts';
import type { OrderBook } from './orderBook.mts';

/** What a killed worker left behind. */
export interface Aftermath {
	handling: Handling;
	/** The executions that n8n gave up. */
	failed: Execution[];
	/** The proposals that no execution entered into the table. */
	missing: number[];
	/** The proposals that were handled more than once. */
	doubled: number[];
}

/** How many jobs a worker does at the same time; n8n's default. */
const concurrency = 10;
const warmUp = 20;
/** How long the service takes to look at a request, in ms, where many shall be under way at once. */
const slowMs = 2000;

/** How fast one n8n of its own is, with SQLite and without a queue: to compare with. */
export async function measureOneN8n(options: StageOptions, events: number): Promise<Handling> {
	const stage = await setStage(options);
	try {
		const { simulator } = stage;
		const { enter } = await openOrderBook(stage);
		await acceptAll(stage, enter, plantProposals(simulator, warmUp));
		const handling = await acceptAll(stage, enter, plantProposals(simulator, events));
		assert.deepEqual(handling.counts, { success: events }, 'executions of one n8n');
		return handling;
	} finally {
		await stage.stop();
	}
}

/** All that there is to try, in a stage with a queue and with nothing active. */
export async function checkQueue(stage: Stage, events: number, say: Say): Promise<void> {
	const { n8n, simulator } = stage;
	const { control } = simulator;
	const book = await openOrderBook(stage);
	const before = (await n8n.dataTableRows(table.name)).length;
	await acceptAll(stage, book.enter, plantProposals(simulator, warmUp));

	const calm = await acceptAll(stage, book.enter, plantProposals(simulator, events));
	assert.deepEqual(calm.counts, { success: events }, 'executions while nothing is killed');
	say(`Webhook processor and two workers handled ${speedOf(calm, events)}; all succeeded.`);

	const { handling, failed, missing, doubled } = await killWorker(stage, book, events);
	assert.deepEqual(doubled, [], 'proposals that were handled twice');
	say(
		`The same while a worker was killed and started again: ${speedOf(handling, events)}; ` +
			`${handling.counts.success} executions succeeded, and none ran twice. The ${failed.length} ` +
			'that the worker was at, n8n gave up: it does not run them again.',
	);
	await catchUp(stage, book, missing);
	say(`The workflow that catches up found the ${missing.length} that were missing, and no other.`);
	const rows = await n8n.dataTableRows(table.name);
	assert.equal(rows.length, before + warmUp + 2 * events, 'rows, one for each accepted proposal');
	assert.equal(control.exchangeCount(), 1, 'key exchanges so far');
	assert.equal(control.subscriptions().length, 1, 'subscriptions at the service');
	say('Every accepted proposal is in the table, once. One key exchange, one subscription.');

	const exchanges = await expireKeys(stage, book);
	say(`When all user keys expired at once, it took ${exchanges} exchanges, and then no more.`);
	const rivals = await expireRivalKeys(stage, book);
	say(`The same where each exchange ends the key before: ${rivals} exchanges, and no failure.`);
	await n8n.deactivate(book.enter);
	assert.deepEqual(control.subscriptions(), [], 'subscriptions after deactivating');
}

/** Kills a worker in the midst of its work, after a third of the events, and starts it again. */
export async function killWorker(
	stage: Stage,
	{ enter }: OrderBook,
	events: number,
): Promise<Aftermath> {
	const { n8n, simulator, cluster } = stage;
	const proposals = plantProposals(simulator, events);
	const [worker] = cluster!.workers;
	const handling = await acceptAll(stage, enter, proposals, {
		after: Math.floor(events / 3),
		async happen() {
			simulator.control.setLatency(slowMs);
			try {
				await until('an execution in the worker', () => isBusy(worker!) || undefined);
				await worker!.kill();
			} finally {
				simulator.control.setLatency(0);
			}
			await worker!.restart();
		},
	});
	const { success = 0, error = 0, ...others } = handling.counts;
	assert.equal(success + error, events, 'executions, one for each event');
	assert.deepEqual(others, {}, 'executions that neither succeeded nor failed');
	assert.ok(error >= 1, 'executions that the worker was at');
	assert.ok(error <= concurrency, 'no more are lost than the worker was at');
	const failed = n8n
		.executions({ workflowId: enter.id })
		.filter(({ status }) => status !== 'success');
	for (const { error: reason } of failed) {
		assert.match(reason?.message ?? '', /failed to be processed too many times/);
	}

	const entered = new Set((await n8n.dataTableRows(table.name)).map((row) => row.proposalId));
	const missing = proposals.filter((id) => !entered.has(id));
	assert.ok(missing.length <= failed.length, 'only what failed is missing');
	const read = countReads(stage);
	return { handling, failed, missing, doubled: proposals.filter((id) => read.get(id)! > 1) };
}

/** Runs the second workflow, which must find exactly what is missing. */
export async function catchUp({ n8n }: Stage, book: OrderBook, missing: number[]): Promise<void> {
	const execution = await n8n.runManually(book.catchUp, byTheClock);
	assert.equal(execution.status, 'success', `catching up (${execution.error?.message})`);
	const found = itemsOf<{ id: number }>(execution, 'Keep What Is Missing').map(({ id }) => id);
	assert.deepEqual(found.toSorted(), missing.toSorted(), 'what catching up found');
}

/**
 * Every user key becomes invalid while many requests are under way. The processes share the
 * credential, so they have to settle on one new key, at the cost of one exchange for each process
 * that executes, at most.
 *
 * @returns how many exchanges that took
 */
export async function expireKeys(stage: Stage, book: OrderBook): Promise<number> {
	const { exchanges, later } = await exchangesAfterExpiry(stage, book);
	assert.ok(exchanges >= 1, 'an exchange after the keys expired');
	assert.ok(exchanges <= stage.cluster!.workers.length, `not ${exchanges} exchanges`);
	assert.equal(later, 0, 'exchanges after settling on a key');
	return exchanges;
}

/**
 * The same at a service that takes the newest key of a user only: each exchange ends the key that the
 * other worker has just got. No execution may fail over that, and in the end there is one key.
 *
 * @returns how many exchanges that took
 */
export async function expireRivalKeys(stage: Stage, book: OrderBook): Promise<number> {
	const { control } = stage.simulator;
	control.setSingleUserKey(true);
	try {
		const { exchanges, later } = await exchangesAfterExpiry(stage, book);
		assert.ok(exchanges >= 1, 'an exchange after the keys expired');
		assert.equal(later, 0, 'exchanges after settling on a key');
		return exchanges;
	} finally {
		control.setSingleUserKey(false);
	}
}

/** Every execution must succeed; counts the exchanges among them, and those of executions after. */
async function exchangesAfterExpiry(stage: Stage, { enter }: OrderBook) {
	const { control } = stage.simulator;
	const events = 2 * warmUp;
	const start = control.exchangeCount();
	control.setLatency(slowMs);
	const { counts } = await acceptAll(stage, enter, plantProposals(stage.simulator, events), {
		after: warmUp,
		happen: async () => void control.expireUserKeys(),
	});
	control.setLatency(0);
	assert.deepEqual(counts, { success: events }, 'executions around the expiry');
	const exchanges = control.exchangeCount() - start;
	await acceptAll(stage, enter, plantProposals(stage.simulator, warmUp));
	return { exchanges, later: control.exchangeCount() - start - exchanges };
}

/** Whether a worker is at an execution, by its own words. */
function isBusy(worker: Worker): boolean {
	const logs = worker.logs();
	const count = (words: string) => logs.split(words).length - 1;
	return count('Worker started execution') > count('Worker finished execution');
}

/** How often the service was asked for each proposal; each execution does so once. */
function countReads({ simulator }: Stage): Map<number, number> {
	const counts = new Map<number, number>();
	for (const { operationId, path } of simulator.control.requests) {
		if (operationId !== 'proposal.get') continue;
		const id = Number(path.split('/').at(-1));
		counts.set(id, (counts.get(id) ?? 0) + 1);
	}
	return counts;
}

/** The speed in words. */
export function speedOf({ seconds, perSecond, repeated }: Handling, events: number): string {
	const speed = `${events} events in ${seconds.toFixed(1)} s, ${perSecond.toFixed(1)} a second`;
	return repeated === 0 ? speed : `${speed} (${repeated} delivered more than once)`;
}
