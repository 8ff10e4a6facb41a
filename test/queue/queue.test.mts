/**
 * The package in n8n's queue mode: real PostgreSQL, real Redis, a main process, a webhook processor
 * and two workers.
 */
import { expect, onTestFinished, test } from 'vitest';
import { installN8n } from '../../dev/testbed/n8n/install.mts';
import { lean, withoutCode, withoutEditor } from '../../dev/testbed/n8n/process.mts';
import { checkQueue } from '../../dev/testbed/queue/check.mts';
import { makeRunFolder } from '../../dev/testbed/tempFolder.mts';
import { buildEnvironment } from '../../dev/testbed/environment.mts';
import { expectNoSecretsStored } from '../n8n/noSecrets.mts';

test('handles every event at most once while a worker dies and keys expire', async () => {
	await installN8n();
	const folder = await makeRunFolder();
	onTestFinished(() => folder.discard());
	const environment = await buildEnvironment({
		folder: folder.path,
		step: (_title, work) => work(() => {}),
		queue: true,
		examples: [],
		settings: {
			...lean,
			...withoutCode,
			...withoutEditor,
			// The time until n8n gives up the jobs of a dead worker, in ms: a minute or more by default.
			QUEUE_WORKER_LOCK_DURATION: '15000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
			QUEUE_WORKER_STALLED_INTERVAL: '2000',
		},
	});
	onTestFinished(() => environment.stop());
	const found: string[] = [];
	await checkQueue(environment, 30, (sentence) => found.push(sentence));
	expect(found).toHaveLength(2);
	expect(environment.simulator.control.contractViolations).toEqual([]);
	await expectNoSecretsStored(environment);
}, 900_000);
