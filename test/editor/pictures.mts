/**
 * The pictures of the README and the docs, taken while the tests run. They are written only when the
 * environment variable SCREENSHOTS names a folder (`npm run screenshots`).
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { root } from '../../testbed/paths.mts';
import { windowSize } from './browser.mts';

const folder = process.env.SCREENSHOTS && resolve(root, process.env.SCREENSHOTS);

/** Messages that come and go. */
const passing = '[role="alert"], [class*="toast"] { display: none !important; }';
/** What n8n lays over its canvas. */
const controls =
	'[data-test-id^="canvas-controls"], [data-test-id="execute-workflow-button"] { display: none !important; }';

/** Takes a picture of the window, in light and in dark: `<name>.png` and `<name>.dark.png`. */
export async function takePicture(page: Page, name: string): Promise<void> {
	await inBothColours(page, name, async (path) =>
		page.screenshot({ path, scale: 'css', animations: 'disabled', style: passing }),
	);
}

/** Takes pictures of all that lies on the canvas, with two pixels for each of the window. */
export async function takeCanvasPicture(page: Page, name: string): Promise<void> {
	const elements = page.getByTestId(/^(canvas-node|canvas-handle-plus|sticky)$/);
	await inBothColours(page, name, async (path) =>
		page.screenshot({
			path,
			clip: await areaOf(elements),
			animations: 'disabled',
			style: passing + controls,
		}),
	);
}

/** Does something while the output of a node's details is wide, as the pictures are about it. */
export async function withWideOutput(page: Page, work: () => Promise<void>): Promise<void> {
	if (!folder) return;
	const handle = page.getByTestId('panel-drag-button');
	const { x, y, width, height } = (await handle.boundingBox())!;
	const middle = x + width / 2;
	const drag = async (from: number, to: number) => {
		await page.mouse.move(from, y + height / 2);
		await page.mouse.down();
		await page.mouse.move(to, y + height / 2, { steps: 8 });
		await page.mouse.up();
	};
	await drag(middle, 0);
	await work();
	// n8n would remember the place for the other nodes.
	const moved = (await handle.boundingBox())!;
	await drag(moved.x + moved.width / 2, middle);
}

async function inBothColours(page: Page, name: string, take: (path: string) => Promise<unknown>) {
	if (!folder) return;
	await mkdir(folder, { recursive: true });
	// What lies below the mouse would show a hint, or be marked.
	await page.mouse.move(windowSize.width - 2, windowSize.height / 2);
	for (const [colorScheme, suffix] of [
		['light', ''],
		['dark', '.dark'],
	] as const) {
		await page.emulateMedia({ colorScheme });
		await settled(page);
		await take(join(folder, `${name}${suffix}.png`));
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

/** Icons that changed with the colours have been loaded, and what was to be drawn is drawn. */
async function settled(page: Page) {
	await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
	await page.evaluate(
		() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
	);
}

/** The rectangle around elements, with a margin. */
async function areaOf(elements: Locator) {
	const margin = 20;
	const boxes = await Promise.all((await elements.all()).map((element) => element.boundingBox()));
	const seen = boxes.filter((box) => box !== null);
	const x = Math.min(...seen.map((box) => box.x)) - margin;
	const y = Math.min(...seen.map((box) => box.y)) - margin;
	const right = Math.max(...seen.map((box) => box.x + box.width)) + margin;
	const bottom = Math.max(...seen.map((box) => box.y + box.height)) + margin;
	return { x, y, width: right - x, height: bottom - y };
}
