/**
 * The package in n8n's queue mode: real PostgreSQL, real Redis, a main process, a webhook processor
 * and two workers.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { checkMainJob } from '../../testbed/mainJob/check.mts';
import { installN8n } from '../../testbed/n8n/install.mts';
import { root } from '../../testbed/paths.mts';
import { catchUp, expireKeys, expireRivalKeys, killWorker } from '../../testbed/queue/check.mts';
import { openOrderBook, table } from '../../testbed/queue/orderBook.mts';
import type { OrderBook } from '../../testbed/queue/orderBook.mts';
import { withoutRunner } from '../../testbed/n8n/process.mts';
import { makeRunFolder } from '../../testbed/runs.mts';
import type { RunFolder } from '../../testbed/runs.mts';
import { setStage } from '../../testbed/stage.mts';
import type { Stage } from '../../testbed/stage.mts';

const events = 60;
/** How soon n8n gives up the jobs of a dead worker, in ms: a minute or more by default. */
const quickVerdict = {
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};
let folder: RunFolder;
let stage: Stage;

beforeAll(async () => {
	if (!existsSync(join(root, 'dist'))) throw new Error('Run `npm run build` first.');
	await installN8n();
	folder = await makeRunFolder();
	stage = await setStage({
		// Does not exist yet, like the one for the n8n that the demo compares with.
		folder: join(folder.path, 'several'),
		step: (_title, work) => work(() => {}),
		scheduleSeconds: 20,
		queue: true,
		settings: { ...withoutRunner, ...quickVerdict },
	});
});

afterAll(async () => {
	await stage?.stop();
	await folder?.discard();
});

describe.skipIf(inject('missing').length > 0)('queue mode', () => {
	test('the main job goes through webhook processor and workers', async () => {
		const { control } = stage.simulator;
		const exchangesBefore = control.exchangeCount();
		const found: string[] = [];
		await checkMainJob(stage, (sentence) => found.push(sentence));
		expect(found).toHaveLength(8);
		expect(control.exchangeCount()).toBe(Math.max(1, exchangesBefore));
		expect(control.deliveries().map(({ url }) => new URL(String(url)).origin)).toEqual(
			control.deliveries().map(() => stage.cluster!.webhookUrl),
		);
	});

	describe('with many events', () => {
		let book: OrderBook;

		beforeAll(async () => {
			book = await openOrderBook(stage);
		});
		afterAll(async () => await stage.n8n.deactivate(book.enter));

		test('every event is handled once while a worker is killed and started again', async () => {
			const { control } = stage.simulator;
			const before = await stage.n8n.dataTableRows(table.name);
			const exchangesBefore = control.exchangeCount();
			const { failed, missing, doubled } = await killWorker(stage, book, events);
			expect(doubled).toEqual([]);
			// n8n keeps nothing of them that could be run again: the event is gone from its database.
			for (const { runs } of failed) expect(runs).toEqual({});
			await catchUp(stage, book, missing);
			const rows = (await stage.n8n.dataTableRows(table.name)).slice(before.length);
			expect(rows).toHaveLength(events);
			expect(rows.filter(({ eventId }) => eventId === '')).toHaveLength(missing.length);
			expect(control.exchangeCount()).toBe(exchangesBefore);
			expect(control.subscriptions()).toHaveLength(1);
		});

		test('all processes settle on one new user key when the old ones expire', async () => {
			expect(await expireKeys(stage, book)).toBeLessThanOrEqual(stage.cluster!.workers.length);
		});

		test('and so they do where each exchange ends the key of the one before', async () => {
			expect(await expireRivalKeys(stage, book)).toBeGreaterThan(0);
		});

		test('deactivated, the workflow leaves no subscription behind', async () => {
			await stage.n8n.deactivate(book.enter);
			expect(stage.simulator.control.subscriptions()).toEqual([]);
			await stage.n8n.activate(book.enter);
		});
	});
});
