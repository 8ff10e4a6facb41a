/** The page that the example *Pipeline report* writes, as a person sees it. */
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { itemsOf } from '../../testbed/n8n/database.mts';
import { seed } from '../../simulator/index.mts';
import { openWindow, type Window } from './browser.mts';
import { takePicture } from './pictures.mts';
import { openEditor, test } from './session.mts';

const session = openEditor();

/** The narrowest phones that people still have. */
const PHONE = { width: 320, height: 640 };

let window: Window | undefined;
beforeAll(async () => {
	window = await openWindow().catch(() => undefined);
});
afterAll(() => window?.close());

/** Runs the example and opens its page; returns what the page has requested. */
async function openReport(page: Page): Promise<string[]> {
	const { n8n, workflows } = session.stage;
	const execution = await n8n.runManually(workflows['Pipeline report']!, 'Every Morning at 07:00');
	const [file] = itemsOf<{ fileName: string }>(execution, 'Write Page');
	const url = pathToFileURL(n8n.writtenFile(file!.fileName)).href;
	const others: string[] = [];
	page.on('request', (request) => void (request.url() !== url && others.push(request.url())));
	await page.goto(url);
	return others;
}

async function forgetReports() {
	const { n8n, tables } = session.stage;
	const { id: project } = await n8n.rest<{ id: string }>('GET', '/projects/personal');
	const all = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };
	const path = `/projects/${project}/data-tables/${tables.portal_pipeline}/rows`;
	await n8n.rest('DELETE', `${path}?filter=${encodeURIComponent(JSON.stringify(all))}`);
}

/** Makes the report of today one of yesterday, so that the next one has something to compare with. */
async function ageReport() {
	const { n8n, tables } = session.stage;
	const { id: project } = await n8n.rest<{ id: string }>('GET', '/projects/personal');
	const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
	const today = { columnName: 'day', condition: 'eq', value: dayOf(Date.now()) };
	await n8n.rest('PATCH', `/projects/${project}/data-tables/${tables.portal_pipeline}/rows`, {
		filter: { type: 'and', filters: [today] },
		data: { day: dayOf(Date.now() - 86_400_000) },
	});
}

test('fits a window and a phone, in light and dark, with a bar for each status', async () => {
	const { page } = window!;
	const { control } = session.stage.simulator;
	// Other files of this n8n have changed proposals, and left reports.
	await forgetReports();
	control.setStatus(seed.proposals.declined, 'Declined');
	control.setStatus(seed.proposals.submitted, 'Submitted');
	control.setStatus(seed.proposals.submittedToo, 'Submitted');
	await openReport(page);
	await ageReport();
	control.setStatus(seed.proposals.declined, 'Submitted');
	control.setStatus(seed.proposals.submitted, 'ViewedByClient');
	control.setStatus(seed.proposals.submittedToo, 'Accepted');
	expect(await openReport(page)).toEqual([]);
	expect(await page.locator('.changes .pill').allTextContents()).toEqual([
		'New',
		'Changed',
		'Accepted',
	]);

	const bars = page.locator('.row .track td[bgcolor]');
	const widths = await bars.evaluateAll((cells) => cells.map((cell) => cell.clientWidth));
	const shares = await bars.evaluateAll((cells) =>
		cells.map((cell) => parseInt(cell.getAttribute('width')!)),
	);
	expect(Math.max(...shares)).toBe(100);
	const longest = Math.max(...widths);
	for (const [index, share] of shares.entries()) {
		expect(Math.abs(widths[index]! - (longest * share) / 100)).toBeLessThan(4);
	}
	await page.setViewportSize({ width: 680, height: 1450 });
	await takePicture(page, 'pipeline-report-page');

	const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const light = await background();
	await page.emulateMedia({ colorScheme: 'dark' });
	expect(await background()).not.toBe(light);
	await page.setViewportSize(PHONE);
	const width = await page.evaluate(() => document.documentElement.scrollWidth);
	expect(width).toBe(PHONE.width);
});

test('shows a name that looks like HTML as it is', async () => {
	const { page } = window!;
	const name = '<script>document.title = "changed"</script><img src="x.png"> & Co.';
	session.stage.simulator.control.addProposals(1, { like: seed.proposals.freshLighting, name });
	expect(await openReport(page)).toEqual([]);
	expect(await page.locator('.changes').innerText()).toContain(name);
	expect(await page.title()).toMatch(/^Pipeline of /);
	expect(await page.locator('script, img').count()).toBe(0);
});
