/** The environment of the editor's tests: a real n8n, its service, and a person at the screen. */
import { join } from 'node:path';
import { chromium, selectors, type Page } from 'playwright-core';
import { beforeAll, beforeEach, onTestFailed } from 'vitest';
import { owner } from '../../dev/testbed/n8n/n8n.mts';
import { root } from '../../dev/testbed/paths.mts';
import { findChromium } from '../../dev/testbed/programs.mts';
import type { Environment } from '../../dev/testbed/environment.mts';
import { atEnd } from '../n8n/atEnd.mts';
import { ownEnvironment } from '../n8n/environments.mts';
import { newRequests } from '../n8n/handRuns.mts';
import { Editor } from './editor.mts';

/** The window of the tests and of the pictures, in CSS pixels. */
export const windowSize = { width: 1280, height: 800 };

/** Available once the tests run. */
export interface Session {
	environment: Environment;
	/** The owner of n8n is logged in. */
	editor: Editor;
}

let opened: Promise<Page> | undefined;

/**
 * Logs in to n8n in the one browser, with a service of its own for each part: the editor gives a new
 * node the newest credential, which is the one of this service.
 *
 * @param prepare creates further credentials: the editor reads the list of all when it is loaded
 */
export function openEditor(
	examples: string[] = [],
	prepare: (environment: Environment) => Promise<void> = async () => {},
): Session {
	// As a user has them.
	const settings = { N8N_DISABLE_UI: 'false', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false' };
	const environment = ownEnvironment({ examples, settings });
	const session = {} as Session;

	beforeAll(async () => {
		session.environment = environment();
		await prepare(session.environment);
		opened ??= openPage();
		session.editor = new Editor(await opened, session.environment.n8n.url);
		await session.editor.logIn(owner);
	});

	beforeEach(({ task }) => {
		// The editor's own message says more than the line of the test.
		onTestFailed(async () => {
			const name = task.name.replace(/\W+/g, '-');
			await session.editor.page.screenshot({ path: join(root, 'coverage', `editor-${name}.png`) });
			// A dialog that was left open would fail the next test too.
			await session.editor.load();
		});
	});

	return session;
}

/** A page in a headless Chromium that knows no address but those of this machine. */
async function openPage(): Promise<Page> {
	// n8n marks its elements for tests with an attribute of this name.
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
	atEnd.push(() => browser.close());
	const context = await browser.newContext({
		viewport: windowSize,
		// For the pictures of a canvas: n8n shows a large workflow small. Drawing more takes longer.
		deviceScaleFactor: process.env.SCREENSHOTS ? 1.5 : 1,
		reducedMotion: 'reduce',
		colorScheme: 'light',
		locale: 'en-US',
	});
	// Each step on the screen waits for the end of what moves.
	await context.addInitScript(() => {
		const still = document.createElement('style');
		still.textContent =
			'*, ::before, ::after { transition: none !important; animation: none !important }';
		addEventListener('DOMContentLoaded', () => document.head.append(still));
	});
	// A busy machine takes long for the editor's first page.
	context.setDefaultTimeout(120_000);
	return await context.newPage();
}

/**
 * The operations that change something, of those that the service was asked for since this was
 * called.
 */
export function newChanges({ environment }: Session): () => (string | undefined)[] {
	const requests = newRequests(environment);
	// The editor reads its lists at any time.
	const changes = () => requests().filter(({ method }) => method !== 'GET');
	return () => changes().map(({ operationId }) => operationId);
}
