/** Provides the environment of the editor's tests: a real n8n, its Portal.io, and a browser. */
import { join } from 'node:path';
import { chromium, selectors, type Page } from 'playwright-core';
import { beforeAll, beforeEach, onTestFailed } from 'vitest';
import { owner } from '../../dev/testbed/n8n/n8n.mts';
import { root } from '../../dev/testbed/paths.mts';
import { findChromium } from '../../dev/testbed/programs.mts';
import type { Environment } from '../../dev/testbed/environment.mts';
import { cleanups } from '../n8n/cleanups.mts';
import { ownEnvironment } from '../n8n/environments.mts';
import { newRequests } from '../n8n/executions.mts';
import { Editor } from './editor.mts';

/** Window of the tests and pictures, in CSS pixels. */
export const windowSize = { width: 1280, height: 800 };

/** Environment and editor, which are available when the tests run. */
export interface Session {
	environment: Environment;
	/** Editor in which n8n's owner is logged in. */
	editor: Editor;
}

let openedPage: Promise<Page> | undefined;

/**
 * Logs in to n8n in the shared browser, with a new Portal.io for each file. For a new node, the editor chooses the
 * newest credential, which belongs to this Portal.io.
 *
 * @param prepare creates more credentials before the editor reads their list
 */
export function openEditor(
	examples: string[] = [],
	prepare: (environment: Environment) => Promise<void> = async () => {},
): Session {
	// Use n8n's default settings, as a user would.
	const settings = { N8N_DISABLE_UI: 'false', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false' };
	const environment = ownEnvironment({ examples, settings });
	const session = {} as Session;

	beforeAll(async () => {
		session.environment = environment();
		await prepare(session.environment);
		openedPage ??= openPage();
		session.editor = new Editor(await openedPage, session.environment.n8n.url);
		await session.editor.logIn(owner);
	});

	beforeEach(({ task }) => {
		// Show the editor's own message, which says more than the failed line of the test.
		onTestFailed(async () => {
			const name = task.name.replace(/\W+/g, '-');
			await session.editor.page.screenshot({ path: join(root, 'coverage', `editor-${name}.png`) });
			// Close any dialog that was left open. Otherwise, the next test would also fail.
			await session.editor.load();
		});
	});

	return session;
}

/** Opens a page in a headless Chromium that can only reach this machine. */
async function openPage(): Promise<Page> {
	// Use the attribute that n8n's elements have for tests.
	selectors.setTestIdAttribute('data-test-id');
	const { file, env } = await findChromium();
	const browser = await chromium.launch({
		executablePath: file,
		env: { ...process.env, ...env },
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
		],
	});
	cleanups.push(() => browser.close());
	const context = await browser.newContext({
		viewport: windowSize,
		// For pictures, use more pixels, because n8n zooms out for a large workflow. Don't do so otherwise, because
		// drawing more pixels takes longer.
		deviceScaleFactor: process.env.SCREENSHOTS ? 1.5 : 1,
		reducedMotion: 'reduce',
		colorScheme: 'light',
		locale: 'en-US',
	});
	// Disable animations, because every action waits until movement ends.
	await context.addInitScript(() => {
		const still = document.createElement('style');
		still.textContent =
			'*, ::before, ::after { transition: none !important; animation: none !important }';
		addEventListener('DOMContentLoaded', () => document.head.append(still));
	});
	// Allow more time, because the editor's first page loads slowly on a busy machine.
	context.setDefaultTimeout(120_000);
	return await context.newPage();
}

/** Returns a function that lists the changing operations that the service has received since this call. */
export function newChanges({ environment }: Session): () => (string | undefined)[] {
	const requests = newRequests(environment);
	// Ignore reads, because the editor can load its lists at any time.
	const changes = () => requests().filter(({ method }) => method !== 'GET');
	return () => changes().map(({ operationId }) => operationId);
}
