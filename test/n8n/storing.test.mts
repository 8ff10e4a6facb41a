/** What happens to an event while n8n cannot start the workflow, in a real n8n. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deliver as deliverTo, deliverAnother, post } from './delivery.mts';
import { activeWorkflow, EVENTS, subscriptionsOf } from './held.mts';
import { ownStage } from './stages.mts';

/** Posts a body once, whatever comes of it; answers the status, 0 when there was no answer. */
async function postOnce(url: string, body: string, signature = ''): Promise<number> {
	const headers = { 'Content-Type': 'application/json', 'X-Webhook-Signature': signature };
	return await fetch(url, { method: 'POST', body, headers }).then(
		({ status }) => status,
		() => 0,
	);
}

const stage = ownStage();
const workflow = activeWorkflow(stage);

const { held, addressOf } = subscriptionsOf(stage);
const subscription = () => {
	const { url, secret_key: secret } = held().find(
		(one) => one.url === addressOf(workflow()) && one.events === EVENTS[2],
	)!;
	return { url, secret };
};
/** Delivers an event; answers the status. */
const deliver = async (id: string, send = post) => await deliverTo(subscription(), id, send);
/** The executions that an event has started, with those that n8n was executing when it ended. */
const startedBy = (id: string) =>
	stage()
		.n8n.executions({ workflowId: workflow().id })
		.filter((one) => one.stored.includes(`"${id}"`));

describe('an event that n8n cannot store', () => {
	test('is not acknowledged, and starts one execution when it comes again', async () => {
		const database = new DatabaseSync(join(stage().n8n.folder, '.n8n', 'database.sqlite'));
		onTestFinished(() => {
			database.exec('DROP TRIGGER IF EXISTS full');
			database.close();
		});
		database.exec('PRAGMA busy_timeout = 10000');
		database.exec(
			"CREATE TRIGGER full BEFORE INSERT ON execution_entity BEGIN SELECT RAISE(FAIL, 'full'); END",
		);
		expect(await Promise.all([1, 2, 3].map(() => deliver('evt_full')))).toEqual([500, 500, 500]);
		database.exec('DROP TRIGGER full');
		expect(startedBy('evt_full')).toEqual([]);
		expect(await Promise.all([1, 2, 3].map(() => deliver('evt_full')))).toEqual([200, 200, 200]);
		expect(await deliver('evt_full')).toBe(200);
		await deliverAnother(stage(), workflow(), subscription());
		expect(startedBy('evt_full')).toHaveLength(1);
	});

	test('as n8n is being stopped is not lost, and starts one execution if it was acknowledged', async () => {
		// What was acknowledged is saved with the next delivery (docs/n8n-internals.md#when-an-event-is-safe).
		expect(await deliver('evt_saved')).toBe(200);
		expect(await deliver('evt_after_it')).toBe(200);
		const ids: string[] = [];
		const left = new Set<string>();
		// Until n8n is gone: once it is back, it answers 200 to everything for a moment (docs/triggers.md).
		let isGone = false;
		const send = async () => {
			const id = `evt_burst_${ids.length}`;
			ids.push(id);
			left.add(id);
			const status = await deliver(id, postOnce);
			if (status === 0) isGone = true;
			if (status === 200) left.delete(id);
		};
		// Few at once, so that n8n has ended before it is killed for taking too long.
		const sendUntilGone = async () => {
			while (!isGone) {
				await send();
				await sleep(150);
			}
		};
		while (left.size === ids.length) await send();
		await Promise.all([stage().n8n.stop(), ...[1, 2, 3].map(sendUntilGone)]);
		expect(left.size).toBeGreaterThan(0);
		expect(left.size).toBeLessThan(ids.length);
		await stage().n8n.restart();
		expect(await deliver('evt_saved')).toBe(200);
		for (const id of left) expect(await deliver(id)).toBe(200);
		await deliverAnother(stage(), workflow(), subscription());
		expect(startedBy('evt_saved')).toHaveLength(1);
		for (const id of ids) {
			const times = startedBy(id).length;
			// What was stored in n8n's last moment, and not acknowledged any more, may have started then too.
			if (left.has(id)) expect(times, id).toBeGreaterThanOrEqual(1);
			else expect(times, id).toBe(1);
		}
	}, 300_000);
});
