/**
 * Takes the pictures in the README and docs while the tests run. Writes them only if the environment variable
 * SCREENSHOTS is set to a folder (`npm run screenshots`).
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { root } from '../../dev/testbed/paths.mts';
import { windowSize } from './session.mts';

const folder = process.env.SCREENSHOTS && resolve(root, process.env.SCREENSHOTS);

/** n8n's overlays on the canvas and node details, and its temporary messages. */
const hidden =
	'[role="alert"]:not(.notice), [class*="toast"], .n8n-tooltip, [data-test-id="floating-nodes"], [data-test-id^="canvas-controls"], :has(> [data-test-id="execute-workflow-button"]), [data-test-id^="execute-workflow-button-"], [class*="_chevron_"], [data-test-id="workflow-chat-button"], [class*="nodeButtonsWrapper"], .vue-flow__minimap';

interface Picture {
	/** File name without `.png`. */
	name: string;
	/** Elements in the picture. By default, it shows the whole window. */
	elements?: Locator[];
	/** Margin around the elements, and below them for names that extend past them. */
	margins?: { around: number; below: number };
	/** Pixels of the picture: CSS pixels, or the device's pixels, which are smaller. */
	scale?: 'css' | 'device';
}

async function take(
	page: Page,
	{ name, elements, margins, scale = 'css' }: Picture,
): Promise<void> {
	if (!folder) return;
	await mkdir(folder, { recursive: true });
	// Move the mouse away, because the element below it would be highlighted or show a hint.
	await page.mouse.move(page.viewportSize()!.width - 2, 2);
	await settled(page);
	await page.screenshot({
		path: join(folder, `${name}.png`),
		clip: elements && (await computeArea(elements, margins)),
		scale,
		animations: 'disabled',
		style: `:is(${hidden}) { display: none !important; }`,
	});
}

/** Takes a picture of the window. */
export async function takePicture(page: Page, name: string) {
	await take(page, { name });
}

/** Takes a picture of the whole canvas, with more pixels than the window has. */
export async function takeCanvasPicture(page: Page, name: string) {
	if (!folder) return;
	// Use a larger window, because n8n zooms out for a large workflow.
	await page.setViewportSize({ width: 1600, height: 900 });
	await page.getByTestId('zoom-to-fit').click();
	// Wait, because elements that scroll out of sight are missing for a moment.
	await settled(page);
	const elements = await page.getByTestId(/^(canvas-node|canvas-handle-plus|sticky)$/).all();
	const margins = { around: 50, below: 65 };
	await take(page, { name, elements, margins, scale: 'device' });
	await page.setViewportSize(windowSize);
}

/**
 * Takes a picture of the open node's parameters and output.
 *
 * @param open opens the list that the picture shows
 */
export async function takeOutputPicture(page: Page, name: string, open?: () => Promise<void>) {
	if (!folder) return;
	// Move the panels, because most nodes leave little room for the table.
	await page.getByTestId('panel-drag-button').hover();
	await page.mouse.down();
	await page.mouse.move(0, windowSize.height / 2, { steps: 8 });
	await page.mouse.up();
	await open?.();
	const elements = ['node-parameters', 'output-panel'].map((panel) => page.getByTestId(panel));
	await take(page, { name, elements });
	// Restore the position, because n8n would use it for other nodes.
	await page.evaluate(() => {
		const keys = Object.keys(localStorage).filter((key) => key.includes('NDV_PANEL_WIDTH'));
		for (const key of keys) localStorage.removeItem(key);
	});
}

/** Takes a picture of the open node's input and parameters. */
export async function takeInputPicture(page: Page, name: string) {
	const elements = ['ndv-input-panel', 'node-parameters'].map((panel) => page.getByTestId(panel));
	await take(page, { name, elements });
}

/** Waits until icons that changed with the colors have been loaded and nothing is fading. */
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

/** Returns the smallest rectangle around elements. */
async function computeArea(elements: Locator[], { around, below } = { around: 0, below: 0 }) {
	const boxes = await Promise.all(elements.map((element) => element.boundingBox()));
	const seen = boxes.filter((box) => box !== null);
	const x = Math.min(...seen.map((box) => box.x)) - around;
	const y = Math.min(...seen.map((box) => box.y)) - around;
	const right = Math.max(...seen.map((box) => box.x + box.width)) + around;
	const bottom = Math.max(...seen.map((box) => box.y + box.height)) + below;
	return { x, y, width: right - x, height: bottom - y };
}
