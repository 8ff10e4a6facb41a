/**
 * Follows `docs/first-workflow.md` word for word, and clicks *Execute step* in every step. Each name in bold on the
 * page must appear on the screen, and every entered value must be kept.
 */
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { credentialData } from '../../dev/testbed/environment.mts';
import { isFinished } from '../../dev/testbed/activeWorkflow.mts';
import type { StoredCredential } from '../../dev/testbed/n8n/n8n.mts';
import { until } from '../../dev/testbed/until.mts';
import { takeOutputPicture, takePicture } from './pictures.mts';
import { openEditor } from './session.mts';

const session = openEditor();

const page = readFileSync(new URL('../../docs/first-workflow.md', import.meta.url), 'utf8');
const [first = '', second = ''] = page.split(/^## .*$/m);

/** Returns the bold names in a part of the page. */
const namedIn = (part: string) =>
	[...part.replace(/\s+/g, ' ').matchAll(/\*\*([^*]+)\*\*/g)].map(([, text]) =>
		text!.toLowerCase(),
	);

/** Opens a new workflow and records everything that the screen shows from then on. */
async function begin(): Promise<() => Promise<Set<string>>> {
	const { editor } = session;
	await editor.newWorkflow();
	await editor.page.evaluate(() => {
		const shown = new Set<string>();
		Object.assign(globalThis, { shown });
		const remember = (node: Node) => {
			if (node instanceof HTMLInputElement) shown.add(node.placeholder);
			if (node instanceof Text) shown.add(node.data);
			node.childNodes.forEach(remember);
		};
		remember(document.body);
		const added = ({ type, target, addedNodes }: MutationRecord) =>
			type === 'childList' ? [...addedNodes] : [target];
		new MutationObserver((changes) => changes.flatMap(added).forEach(remember)).observe(
			document.body,
			{ childList: true, characterData: true, attributeFilter: ['placeholder'], subtree: true },
		);
	});
	return async () => {
		const texts = await editor.page.evaluate(() => [
			...(globalThis as unknown as { shown: Set<string> }).shown,
		]);
		return new Set(texts.map((text) => text.trim().toLowerCase()));
	};
}

/** Clicks *Execute step*, and expects success. */
async function execute(): Promise<void> {
	const { editor, environment } = session;
	const executions = () => environment.n8n.executions({ workflowId: editor.workflowId });
	const { length } = await executions();
	await editor.executeStep();
	// Wait, because the previous run's output is shown until the end.
	await until('the end of the execution', async () =>
		(await executions()).slice(length).find(isFinished),
	);
	await editor.page
		.getByTestId('output-panel')
		.getByText(/^\d+ items?$/)
		.waitFor();
	expect(await editor.failed.isVisible()).toBe(false);
}

/**
 * Clicks the **+** after the last step, adds a step, and opens it. Calls `beforeAction` while the actions are listed.
 */
async function addNext(
	node: string,
	action: string,
	beforeAction: () => Promise<void> = async () => {},
): Promise<void> {
	const { editor } = session;
	const { page } = editor;
	if (await editor.details.isVisible()) await editor.closeDetails();
	await page.keyboard.press('Shift+Alt+T');
	await page.getByTestId('zoom-to-fit').click();
	await page.getByTestId('canvas-handle-plus').last().click();
	await editor.searchNodes(node);
	await editor.entry(node).click();
	await beforeAction();
	await editor.place(action);
}

it('builds the workflow that emails the open proposals', async () => {
	const { editor, environment } = session;
	const { n8n, others, simulator } = environment;
	const { fields, page } = editor;
	// Hide the existing credentials, because a new user has none, and the node then shows another button.
	const credentials = /\/rest\/credentials\/for-workflow/;
	await page.route(credentials, (route) => route.fulfill({ json: { data: [] } }));
	const shown = await begin();
	await editor.searchNodes('');
	await editor.entry('Trigger manually').click();
	await addNext('Portal.io', 'Get many proposals', async () => {
		await editor.entry('Get proposal').scrollIntoViewIfNeeded();
		await takePicture(page, 'nodes-panel');
	});

	const texts = credentialData(simulator);
	delete texts.environment;
	onTestFinished(async () => {
		const stored = await n8n.rest<StoredCredential[]>('GET', '/credentials');
		const mine = stored.filter(({ name }) => name === 'Portal.io account');
		for (const { id } of mine) await n8n.rest('DELETE', `/credentials/${id}`);
		// Reload, because the page remembers the credential and the dialog in which it was changed.
		await editor.load();
	});
	await page.getByRole('button', { name: 'Connect to Portal.io' }).click();
	await page.unroute(credentials);
	await editor.chooseInCredential('environment', 'Custom');
	await editor.fillCredential({ ...texts, password: 'wrong' });
	await page.getByTestId('credential-save-button').getByRole('button').click();
	await page.getByText('Couldn’t connect with these settings').waitFor();
	await editor.fillCredential({ password: seed.dealer.password });
	await editor.saveCredential();
	await page.getByTestId('node-credentials-select').click();
	await page.getByText('Create new credential').waitFor();
	await page.keyboard.press('Escape');

	await fields.addField('Add filter', 'Statuses');
	await fields.chooseSeveral('statuses', ['Submitted', 'Viewed By Client']);
	await execute();
	expect((await editor.outputTable())[0]).not.toHaveProperty('salesPersonName');
	await expect.poll(() => fields.openOptions('output')).toHaveLength(3);
	await fields.closeList();
	await page.getByRole('button', { name: 'Add option' }).first().click();
	await fields.chooseOption('output', 'Selected Fields');
	await fields.chooseSeveral('fields', ['Salesperson Name']);
	await execute();
	const firstRow = async () => (await editor.outputTable())[0];
	await expect.poll(firstRow).toMatchObject({ salesPersonName: expect.stringContaining(' ') });
	await editor.closeDetails();

	await editor.caption('When clicking ‘Execute workflow’').click({ button: 'right' });
	await page.getByRole('menuitem', { name: 'Replace' }).click();
	await editor.entry('On a schedule').click();
	await editor.openStep('Schedule Trigger');
	await fields.chooseOption('triggerAtHour', '8am');
	await addNext('Convert to File', 'Convert to CSV');
	await execute();
	await addNext('Send Email', 'Send an Email');
	const entries = { 'From Email': 'fromEmail', 'To Email': 'toEmail', Subject: 'subject' };
	for (const [label, field] of Object.entries(entries)) {
		expect(first).toContain(`**${label}**`);
		await fields.fill(field, 'avery@cedarandcoil.example');
	}
	await fields.addField('Add option', 'Attachments (File)');
	await fields.fill('fileAttachments', 'data');
	await execute();
	expect(others.systems.email.messages.at(-1)!.attachments).toEqual(['File.csv']);
	await editor.closeDetails();
	await editor.publish();
	await n8n.deactivate({ id: editor.workflowId });

	const visibleTexts = await shown();
	const elsewhere = ['settings', 'community nodes', 'install a community node', 'install'];
	const boldNames = namedIn(first).filter((text) => !elsewhere.includes(text));
	expect(boldNames.filter((text) => !visibleTexts.has(text.replace("'", '’')))).toEqual([]);

	await editor.openStep('Get many proposals');
	await editor.editCredential();
	// For the picture, choose *Sandbox*, as a reader of the page would. The change is not saved.
	await editor.chooseInCredential('environment', 'Sandbox');
	await takePicture(page, 'credential');
});

it('builds the workflow that creates a proposal, executing every step', async () => {
	const { editor, environment } = session;
	const { fields, page } = editor;
	const shown = await begin();
	await editor.searchNodes('');
	await editor.entry('Trigger manually').click();
	await addNext('Portal.io', 'Create proposal');
	await fields.chooseRecord('salesPersonId', 'Jordan Okafor');
	await fields.fill('name', 'By the page');
	await execute();
	await addNext('Portal.io', 'Create area in proposal');
	await fields.mapValue('proposalId', 'proposalId');
	await fields.fill('name', 'Living Room');
	await page.getByRole('button', { name: 'Add option' }).first().click();
	await execute();
	await addNext('Portal.io', 'Add items to proposal');
	await fields.mapValue('proposalId', 'proposalId');
	await fields.mapValue('areaOptionId', 'areaOptionId');
	for (const [row, part] of ['Corvane CV-6C', 'Corvane CV-8C'].entries()) {
		await fields.addRow('Add item');
		await fields.chooseRecord('catalogItemId', part, row);
	}
	await execute();
	await addNext('Portal.io', 'Update item in proposal');
	await fields.mapValue('proposalId', 'proposalId');
	await fields.mapValue('itemId', 'itemId');
	await fields.addField('Add field', 'Quantity');
	await fields.fill('quantity', '2');
	await fields.addField('Add field', 'Sell Price');
	await fields.fill('sellPrice', '240.90');
	await execute();
	await takeOutputPicture(page, 'update');
	await addNext('Portal.io', 'Get proposal');
	await fields.mapValue('proposalId', 'proposalId');
	await page.getByTestId('tab-settings').click();
	await page.getByTestId('parameter-input-executeOnce').locator('.el-switch').click();
	await execute();
	await editor.closeDetails();

	await page.getByTestId('execute-workflow-button').first().click();
	const { control } = environment.simulator;
	const total = () => {
		const { id } = control.proposals().at(-1)!;
		return control.proposal(Number(id)).financialSummary.proposalTotal;
	};
	await expect.poll(total).toBe(2 * 2 * 240.9);
	await editor.openStep('Add items to proposal');
	for (const field of ['proposalId', 'areaOptionId'])
		expect(await fields.readExpression(field)).toContain('$json.');
	await editor.closeDetails();
	const seen = await shown();
	expect(namedIn(second).filter((text) => !seen.has(text))).toEqual([]);
});
