/** A headless Chromium that knows no address but those of this machine. */
import { chromium, selectors, type Browser, type Page } from 'playwright-core';
import { findChromium } from '../../dev/testbed/programs/chromium.mts';

/** The window of the tests and of the pictures, in CSS pixels. */
export const windowSize = { width: 1280, height: 800 };

/** A browser with one page. */
export interface Window {
	page: Page;
	close(): Promise<void>;
}

/** Opens a browser with nothing of an earlier one in it. */
export async function openWindow(): Promise<Window> {
	// n8n marks its elements for tests with an attribute of this name.
	selectors.setTestIdAttribute('data-test-id');
	const { file, env } = await findChromium();
	const browser: Browser = await chromium.launch({
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
	const page = await browser.newPage({
		viewport: windowSize,
		// For the pictures of a canvas: n8n shows a large workflow small. Drawing more takes longer.
		deviceScaleFactor: process.env.SCREENSHOTS ? 1.5 : 1,
		reducedMotion: 'reduce',
		colorScheme: 'light',
		locale: 'en-US',
	});
	// Only there to end what hangs: a busy machine takes minutes for the editor's first page.
	page.setDefaultTimeout(300_000);
	return { page, close: () => browser.close() };
}
