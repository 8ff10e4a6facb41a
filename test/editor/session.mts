/** What each file of tests of the editor stands on: a real n8n, its service, and a person at the screen. */
import { join } from 'node:path';
import { beforeAll, beforeEach, onTestFailed } from 'vitest';
import { owner } from '../../dev/testbed/n8n/n8n.mts';
import { root } from '../../dev/testbed/paths.mts';
import type { Environment } from '../../dev/testbed/environment.mts';
import { sharedEnvironment } from '../n8n/environments.mts';
import { openWindow } from './browser.mts';
import { Editor } from './editor.mts';

export { test } from 'vitest';

/** Available once the tests run. */
export interface Session {
	environment: Environment;
	/** The owner of n8n is logged in. */
	editor: Editor;
}

/** Kept for all files of a worker: without isolation it loads this module once. */
let opened: Promise<Editor> | undefined;

/** Starts n8n, the service and a browser, and logs in, for all files of a worker. */
export function openEditor(): Session {
	const environment = sharedEnvironment();
	const session = {} as Session;

	beforeAll(async () => {
		session.environment = environment();
		opened ??= logIn(session.environment);
		session.editor = await opened;
	});

	beforeEach(({ task }) => {
		// What the editor showed says more than the line of the test.
		onTestFailed(async () => {
			const name = task.name.replace(/\W+/g, '-');
			await session.editor.page.screenshot({ path: join(root, 'coverage', `editor-${name}.png`) });
			// A dialog that was left open would fail the next test too.
			await session.editor.reload();
		});
	});

	return session;
}

async function logIn({ n8n }: Environment): Promise<Editor> {
	const window = await openWindow();
	globalThis.atEndOfWorker!.push(() => window.close());
	const editor = new Editor(window.page, n8n.url);
	await editor.logIn(owner);
	return editor;
}

/** The operations that the service was asked for since the last time. */
export function newOperations(
	{ environment }: Session,
	isWanted = (_method: string) => true,
): () => (string | undefined)[] {
	const { control } = environment.simulator;
	const before = control.requests.length;
	const wanted = () => control.requests.slice(before).filter(({ method }) => isWanted(method));
	return () => wanted().map(({ operationId }) => operationId);
}

/** Those that change something: the editor reads its lists at any time. */
export const newChanges = (session: Session) =>
	newOperations(session, (method) => method !== 'GET');
