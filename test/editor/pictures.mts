/**
 * The pictures of the README and the docs, taken while the tests run. They are written only when the
 * environment variable SCREENSHOTS names a folder (`npm run screenshots`).
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { root } from '../../dev/testbed/paths.mts';
import { windowSize } from './browser.mts';

const folder = process.env.SCREENSHOTS && resolve(root, process.env.SCREENSHOTS);

/** Messages that come and go. */
const passing = '[role="alert"], [class*="toast"] { display: none !important; }';
/** The icons of the steps before and after, which n8n lays over the details of a node. */
const steps = '[data-test-id="floating-nodes"] { display: none !important; }';
/** What n8n lays over its canvas. */
const controls =
	'[data-test-id^="canvas-controls"], [data-test-id="execute-workflow-button"], [data-test-id="workflow-chat-button"], [class*="nodeButtonsWrapper"], .vue-flow__minimap { display: none !important; }';

interface Colour {
	colorScheme: 'light' | 'dark';
	/** Of the name of the picture. */
	suffix: string;
}

const LIGHT: Colour = { colorScheme: 'light', suffix: '' };
const BOTH_COLOURS: Colour[] = [LIGHT, { colorScheme: 'dark', suffix: '.dark' }];

/**
 * Takes a picture of the window, in light and in dark: `<name>.png` and `<name>.dark.png`.
 *
 * @param show brings what the picture shows to the screen, where that does not follow the colors
 */
export async function takePicture(page: Page, name: string, show = async () => {}): Promise<void> {
	await inColours(page, name, BOTH_COLOURS, async (path) => {
		await show();
		await settled(page);
		await page.screenshot({ path, scale: 'css', animations: 'disabled', style: passing });
	});
}

/** Takes a picture of all that lies on the canvas, with more pixels than the window has. */
export async function takeCanvasPicture(
	page: Page,
	name: string,
	{ isDarkToo }: { isDarkToo: boolean },
): Promise<void> {
	if (!folder) return;
	// n8n shows a large workflow small.
	await page.setViewportSize({ width: 1600, height: 900 });
	await page.getByTestId('zoom-to-fit').click();
	const elements = page.getByTestId(/^(canvas-node|canvas-handle-plus|sticky)$/);
	const colours = isDarkToo ? BOTH_COLOURS : [LIGHT];
	await inColours(page, name, colours, async (path) =>
		page.screenshot({
			path,
			clip: await areaOf(await elements.all(), 20, 65),
			animations: 'disabled',
			style: passing + controls,
		}),
	);
	await page.setViewportSize(windowSize);
}

/**
 * Takes a picture of the parameters and the output of the node whose details are open.
 *
 * @param open opens the list that the picture shows
 */
export async function takeOutputPicture(
	page: Page,
	name: string,
	open = async () => {},
): Promise<void> {
	if (!folder) return;
	// The panels of most nodes leave little room for the table.
	const handle = (await page.getByTestId('panel-drag-button').boundingBox())!;
	const y = handle.y + handle.height / 2;
	await page.mouse.move(handle.x + handle.width / 2, y);
	await page.mouse.down();
	await page.mouse.move(0, y, { steps: 8 });
	await page.mouse.up();
	await open();
	await takePanelsPicture(page, name, ['node-parameters', 'output-panel']);
	// n8n would remember the place for the other nodes.
	await page.evaluate(() => {
		const keys = Object.keys(localStorage).filter((key) => key.includes('NDV_PANEL_WIDTH'));
		for (const key of keys) localStorage.removeItem(key);
	});
}

/** Takes a picture of the input and the parameters of the node whose details are open. */
export async function takeInputPicture(page: Page, name: string): Promise<void> {
	await takePanelsPicture(page, name, ['ndv-input-panel', 'node-parameters']);
}

async function takePanelsPicture(page: Page, name: string, panels: string[]): Promise<void> {
	const elements = panels.map((panel) => page.getByTestId(panel));
	await inColours(page, name, BOTH_COLOURS, async (path) =>
		page.screenshot({
			path,
			clip: await areaOf(elements),
			scale: 'css',
			animations: 'disabled',
			style: passing + steps,
		}),
	);
}

async function inColours(
	page: Page,
	name: string,
	colours: Colour[],
	take: (path: string) => Promise<unknown>,
) {
	if (!folder) return;
	await mkdir(folder, { recursive: true });
	// What lies below the mouse would show a hint, or be marked.
	await page.mouse.move(page.viewportSize()!.width - 2, 2);
	for (const { colorScheme, suffix } of colours) {
		await page.emulateMedia({ colorScheme });
		await settled(page);
		await take(join(folder, `${name}${suffix}.png`));
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

/** Icons that changed with the colours have been loaded, and nothing fades in or out any more. */
async function settled(page: Page) {
	await page.waitForFunction(
		() =>
			[...document.images].every(({ complete }) => complete) &&
			!document.querySelector('[class*="-enter-active"], [class*="-leave-active"]'),
	);
	await page.evaluate(
		() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
	);
}

/**
 * The rectangle around elements.
 *
 * @param below the margin below, where names may hang out of their elements
 */
async function areaOf(elements: Locator[], margin = 0, below = margin) {
	const boxes = await Promise.all(elements.map((element) => element.boundingBox()));
	const seen = boxes.filter((box) => box !== null);
	const x = Math.min(...seen.map((box) => box.x)) - margin;
	const y = Math.min(...seen.map((box) => box.y)) - margin;
	const right = Math.max(...seen.map((box) => box.x + box.width)) + margin;
	const bottom = Math.max(...seen.map((box) => box.y + box.height)) + below;
	return { x, y, width: right - x, height: bottom - y };
}
