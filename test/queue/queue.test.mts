/**
 * The package in n8n's queue mode: real PostgreSQL, real Redis, a main process, a webhook processor
 * and two workers.
 */
import { expect, onTestFinished, test } from 'vitest';
import { installN8n } from '../../testbed/n8n/install.mts';
import { withoutRunner } from '../../testbed/n8n/process.mts';
import { checkQueue } from '../../testbed/queue/check.mts';
import { makeRunFolder } from '../../testbed/runs.mts';
import { setStage } from '../../testbed/stage.mts';
import { expectNoSecretsStored } from '../n8n/noSecrets.mts';

test('every event is handled at most once while a worker dies and keys expire', async () => {
	await installN8n();
	const folder = await makeRunFolder();
	onTestFinished(() => folder.discard());
	const stage = await setStage({
		folder: folder.path,
		step: (_title, work) => work(() => {}),
		queue: true,
		settings: {
			...withoutRunner,
			// How soon n8n gives up the jobs of a dead worker, in ms: a minute or more by default.
			QUEUE_WORKER_LOCK_DURATION: '20000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
			QUEUE_WORKER_STALLED_INTERVAL: '5000',
		},
	});
	onTestFinished(() => stage.stop());
	const found: string[] = [];
	await checkQueue(stage, 60, (sentence) => found.push(sentence));
	expect(found).toHaveLength(4);
	expect(stage.simulator.control.contractViolations).toEqual([]);
	expectNoSecretsStored(stage);
}, 1_800_000);
