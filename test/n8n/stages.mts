/** Where the tests of this folder run: a real n8n with the package, and a simulated Portal.io. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { installN8n } from '../../testbed/n8n/install.mts';
import type { N8n } from '../../testbed/n8n/n8n.mts';
import { withoutRunner } from '../../testbed/n8n/process.mts';
import { root } from '../../testbed/paths.mts';
import { makeRunFolder } from '../../testbed/runs.mts';
import { furnish, setStage, startService, type Stage } from '../../testbed/stage.mts';
import { expectNoSecrets } from './noSecrets.mts';

/** Kept for all files of a worker: without isolation it loads this module once. */
let running: Promise<Stage> | undefined;

/**
 * The stage that most files share, as starting n8n takes longer than most tests. A file has to leave
 * no workflow active; what else it changes must not matter to the other files.
 */
export function sharedStage(): () => Stage {
	let stage: Stage;
	beforeAll(async () => {
		stage = await stageOfWorker();
	});
	afterAll(async () => {
		expect(stage.simulator.control.subscriptions()).toEqual([]);
		await expectUnharmed(stage);
	});
	return () => stage;
}

/**
 * The same n8n with a service of its own that nobody else has changed, and with the named examples.
 * The file may kill the n8n and start it with other settings; the next file gets it as it was.
 */
export function ownStage({
	scheduleSeconds,
	examples = [],
}: { scheduleSeconds?: number; examples?: string[] } = {}): () => Stage {
	let stage: Stage | undefined;
	beforeAll(async () => {
		const { n8n, tables, others, otherCredentials } = await stageOfWorker();
		others.reset();
		await emptyTables(n8n, tables);
		const service = await startService();
		const there = { tables, others, otherCredentials };
		stage = await furnish(service, n8n, { scheduleSeconds, examples, ...there });
	});
	afterAll(async () => {
		if (!stage) return;
		const { n8n, credential, simulator } = stage;
		try {
			await expectUnharmed(stage);
		} finally {
			// The editor would choose it for new nodes of other files, and its service is gone.
			await n8n.rest('DELETE', `/credentials/${credential.id}`);
			await simulator.stop();
		}
	});
	return () => stage!;
}

/** Forgets what other files have done, as the proposals of every service have the same IDs. */
async function emptyTables(n8n: N8n, tables: Stage['tables']): Promise<void> {
	const { id: project } = await n8n.rest<{ id: string }>('GET', '/projects/personal');
	const all = { filters: [{ columnName: 'id', condition: 'isNotEmpty', value: null }] };
	const filter = encodeURIComponent(JSON.stringify(all));
	for (const table of Object.values(tables)) {
		await n8n.rest('DELETE', `/projects/${project}/data-tables/${table}/rows?filter=${filter}`);
	}
}

async function expectUnharmed(stage: Stage): Promise<void> {
	expect(stage.simulator.control.contractViolations).toEqual([]);
	expect((await stage.n8n.activeWorkflows()).map(({ name }) => name)).toEqual([]);
	expectNoSecrets(stage);
}

async function stageOfWorker(): Promise<Stage> {
	running ??= start();
	const stage = await running;
	await stage.n8n.restore();
	return stage;
}

async function start(): Promise<Stage> {
	if (!existsSync(join(root, 'dist'))) throw new Error('Run `npm run build` first.');
	await installN8n();
	const folder = await makeRunFolder();
	const stage = await setStage({
		folder: folder.path,
		step: (_title, work) => work(() => {}),
		settings: withoutRunner,
	});
	globalThis.atEndOfWorker!.push(async () => {
		await stage.stop();
		await folder.discard();
	});
	return stage;
}
