/** Where the tests of this folder run: a real n8n with the package, and a simulated Portal.io. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { installN8n } from '../../testbed/n8n/install.mts';
import { root } from '../../testbed/paths.mts';
import { makeRunFolder } from '../../testbed/runs.mts';
import { setStage, type Stage } from '../../testbed/stage.mts';
import { expectNoSecrets } from './noSecrets.mts';

interface Running {
	stage: Stage;
	stop(): Promise<void>;
}

/** Kept for all files: without isolation a worker loads this module once. */
let shared: Promise<Running> | undefined;

/**
 * The stage that most files share, as starting n8n takes longer than most tests. A file has to leave
 * no workflow active; what else it changes must not matter to the other files.
 */
export function sharedStage(): () => Stage {
	let stage: Stage;
	beforeAll(async () => {
		shared ??= startShared();
		({ stage } = await shared);
	});
	afterAll(() => {
		expect(stage.simulator.control.subscriptions()).toEqual([]);
		expectUnharmed(stage);
	});
	return () => stage;
}

/** A stage for one file, which may kill its n8n or start it with other settings. */
export function ownStage({ scheduleSeconds = 3600 } = {}): () => Stage {
	let running: Running | undefined;
	beforeAll(async () => {
		running = await start(scheduleSeconds);
	});
	afterAll(async () => {
		try {
			if (running) expectUnharmed(running.stage);
		} finally {
			await running?.stop();
		}
	});
	return () => running!.stage;
}

function expectUnharmed(stage: Stage) {
	expect(stage.simulator.control.contractViolations).toEqual([]);
	expectNoSecrets(stage);
}

async function startShared(): Promise<Running> {
	const running = await start(3600);
	globalThis.atEndOfWorker!.push(async () => await running.stop());
	return running;
}

async function start(scheduleSeconds: number): Promise<Running> {
	if (!existsSync(join(root, 'dist'))) throw new Error('Run `npm run build` first.');
	await installN8n();
	const folder = await makeRunFolder();
	const stage = await setStage({
		folder: folder.path,
		step: (_title, work) => work(() => {}),
		scheduleSeconds,
	});
	return {
		stage,
		async stop() {
			await stage.stop();
			await folder.discard();
		},
	};
}
