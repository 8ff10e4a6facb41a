/**
 * The pictures of the README and the docs, taken while the tests run. They are written only when the
 * environment variable SCREENSHOTS names a folder (`npm run screenshots`).
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { root } from '../../dev/testbed/paths.mts';
import { windowSize } from './session.mts';

const folder = process.env.SCREENSHOTS && resolve(root, process.env.SCREENSHOTS);

/** n8n's overlays on the canvas and on the details of a node, and temporary messages. */
const hidden =
	'[role="alert"]:not(.notice), [class*="toast"], .n8n-tooltip, [data-test-id="floating-nodes"], [data-test-id^="canvas-controls"], :has(> [data-test-id="execute-workflow-button"]), [data-test-id^="execute-workflow-button-"], [class*="_chevron_"], [data-test-id="workflow-chat-button"], [class*="nodeButtonsWrapper"], .vue-flow__minimap';

interface Picture {
	/** The name of the file, without `.png`. */
	name: string;
	/** The elements in the picture; the whole window by default. */
	elements?: Locator[];
	/** The margin around the elements, and below them for names that extend past them. */
	margins?: { around: number; below: number };
	/** By CSS pixels, or by those of the device, which has more. */
	scale?: 'css' | 'device';
}

async function take(
	page: Page,
	{ name, elements, margins, scale = 'css' }: Picture,
): Promise<void> {
	if (!folder) return;
	await mkdir(folder, { recursive: true });
	// An element under the mouse would show a hint, or be highlighted.
	await page.mouse.move(page.viewportSize()!.width - 2, 2);
	await settled(page);
	await page.screenshot({
		path: join(folder, `${name}.png`),
		clip: elements && (await areaOf(elements, margins)),
		scale,
		animations: 'disabled',
		style: `:is(${hidden}) { display: none !important; }`,
	});
}

/** Takes a picture of the window. */
export async function takePicture(page: Page, name: string) {
	await take(page, { name });
}

/** Takes a picture of all that lies on the canvas, with more pixels than the window has. */
export async function takeCanvasPicture(page: Page, name: string) {
	if (!folder) return;
	// n8n shows a large workflow small.
	await page.setViewportSize({ width: 1600, height: 900 });
	await page.getByTestId('zoom-to-fit').click();
	// Elements that scroll out of sight are missing for a moment.
	await settled(page);
	const elements = await page.getByTestId(/^(canvas-node|canvas-handle-plus|sticky)$/).all();
	const margins = { around: 50, below: 65 };
	await take(page, { name, elements, margins, scale: 'device' });
	await page.setViewportSize(windowSize);
}

/**
 * Takes a picture of the parameters and the output of the node whose details are open.
 *
 * @param open opens the list that the picture shows
 */
export async function takeOutputPicture(page: Page, name: string, open?: () => Promise<void>) {
	if (!folder) return;
	// The panels of most nodes leave little room for the table.
	await page.getByTestId('panel-drag-button').hover();
	await page.mouse.down();
	await page.mouse.move(0, windowSize.height / 2, { steps: 8 });
	await page.mouse.up();
	await open?.();
	const elements = ['node-parameters', 'output-panel'].map((panel) => page.getByTestId(panel));
	await take(page, { name, elements });
	// n8n would remember the place for the other nodes.
	await page.evaluate(() => {
		const keys = Object.keys(localStorage).filter((key) => key.includes('NDV_PANEL_WIDTH'));
		for (const key of keys) localStorage.removeItem(key);
	});
}

/** Takes a picture of the input and the parameters of the node whose details are open. */
export async function takeInputPicture(page: Page, name: string) {
	const elements = ['ndv-input-panel', 'node-parameters'].map((panel) => page.getByTestId(panel));
	await take(page, { name, elements });
}

/** Icons that changed with the colors have been loaded, and nothing fades in or out any more. */
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

/** The rectangle around elements. */
async function areaOf(elements: Locator[], { around, below } = { around: 0, below: 0 }) {
	const boxes = await Promise.all(elements.map((element) => element.boundingBox()));
	const seen = boxes.filter((box) => box !== null);
	const x = Math.min(...seen.map((box) => box.x)) - around;
	const y = Math.min(...seen.map((box) => box.y)) - around;
	const right = Math.max(...seen.map((box) => box.x + box.width)) + around;
	const bottom = Math.max(...seen.map((box) => box.y + box.height)) + below;
	return { x, y, width: right - x, height: bottom - y };
}
