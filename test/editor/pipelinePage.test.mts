/** The email of the example *Pipeline report*, as a person sees it. */
import { expect, onTestFinished, test } from 'vitest';
import { takePicture } from './pictures.mts';
import { openEditor } from './session.mts';

const session = openEditor();

test('fits the page of the pipeline into a narrow window, bars and all', async () => {
	const { n8n, workflows, others } = session.environment;
	await n8n.runManually(workflows['Pipeline report']!, 'Every Morning at 07:00');
	const page = await session.editor.page.context().newPage();
	onTestFinished(() => page.close());
	await page.setViewportSize({ width: 760, height: 1100 });
	await page.setContent(others.systems.email.messages.at(-1)!.html);
	expect(await page.locator('.bar').count()).toBeGreaterThan(1);
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(760);
	await takePicture(page, 'pipeline-report-page');
});
