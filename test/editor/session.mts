/** What each file of tests of the editor stands on: a real n8n, its service, and a person at the screen. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, onTestFailed } from 'vitest';
import { installN8n } from '../../testbed/n8n/install.mts';
import { owner } from '../../testbed/n8n/n8n.mts';
import { root } from '../../testbed/paths.mts';
import { makeRunFolder } from '../../testbed/runs.mts';
import { setStage } from '../../testbed/stage.mts';
import type { Stage } from '../../testbed/stage.mts';
import { openWindow } from './browser.mts';
import { Editor } from './editor.mts';

/** Available once the tests run. */
export interface Session {
	stage: Stage;
	/** The owner of n8n is logged in. */
	editor: Editor;
}

/** Starts n8n and the service and logs in, before the tests of a file; stops them after. */
export function openEditor(): Session {
	const session = {} as Session;
	const closings: (() => Promise<void>)[] = [];

	beforeAll(async () => {
		if (!existsSync(join(root, 'dist'))) throw new Error('Run `npm run build` first.');
		await installN8n();
		const folder = await makeRunFolder();
		closings.push(() => folder.discard());
		session.stage = await setStage({
			folder: folder.path,
			step: (_title, work) => work(() => {}),
			scheduleSeconds: 3600,
		});
		closings.push(() => session.stage.stop());
		const window = await openWindow();
		closings.push(() => window.close());
		session.editor = new Editor(window.page, session.stage.n8n.url);
		await session.editor.logIn(owner);
	});

	afterAll(async () => {
		for (const close of closings.reverse()) await close();
	});

	beforeEach(({ task }) => {
		// What the editor showed says more than the line of the test.
		onTestFailed(async () => {
			const name = task.name.replace(/\W+/g, '-');
			await session.editor.page.screenshot({ path: join(root, 'coverage', `editor-${name}.png`) });
		});
	});

	return session;
}

/** The operations that the service was asked for since the last time. */
export function newOperations({ stage }: Session): () => (string | undefined)[] {
	const { control } = stage.simulator;
	const before = control.requests.length;
	return () => control.requests.slice(before).map(({ operationId }) => operationId);
}
