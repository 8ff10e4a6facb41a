/** The email of the example *Pipeline report*, as a person sees it. */
import { afterAll, beforeAll, expect } from 'vitest';
import { openWindow, type Window } from './browser.mts';
import { takePicture } from './pictures.mts';
import { openEditor, test } from './session.mts';

const session = openEditor();

let window: Window | undefined;
beforeAll(async () => {
	window = await openWindow().catch(() => undefined);
});
afterAll(() => window?.close());

test('shows a bar for each status, in the scale of the sums', async () => {
	const { n8n, workflows, others } = session.environment;
	await n8n.runManually(workflows['Pipeline report']!, 'Every Morning at 07:00');
	const { page } = window!;
	await page.setViewportSize({ width: 760, height: 1100 });
	await page.setContent(others.systems.email.messages.at(-1)!.html);
	const sums = await page.locator('table').first().locator('td:last-child').allInnerTexts();
	const amounts = sums.map((sum) => Number(sum.replace(/[$,]/g, '')));
	const widths = await page
		.locator('.bar')
		.evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
	for (const [index, width] of widths.entries()) {
		const share = amounts[index]! / Math.max(...amounts);
		expect(Math.abs(width - share * Math.max(...widths))).toBeLessThan(4);
	}
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(760);
	await takePicture(page, 'pipeline-report-page');
});
