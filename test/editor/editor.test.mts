/**
 * A dealer at n8n's own editor, in a real browser: from the nodes panel to a published workflow. What
 * the screen shows is compared with what the service has and with what reached it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import { acceptAsCustomer } from '../../testbed/mainJob/customer.mts';
import { installN8n } from '../../testbed/n8n/install.mts';
import { owner, until } from '../../testbed/n8n/n8n.mts';
import { root } from '../../testbed/paths.mts';
import { makeRunFolder } from '../../testbed/runs.mts';
import type { RunFolder } from '../../testbed/runs.mts';
import { credentialData, setStage } from '../../testbed/stage.mts';
import type { Stage } from '../../testbed/stage.mts';
import { seed } from '../../simulator/index.mts';
import type { Json } from '../../simulator/json.mts';
import { openWindow } from './browser.mts';
import type { Window } from './browser.mts';
import { Editor } from './editor.mts';
import { takeCanvasPicture, takePicture, withWideOutput } from './pictures.mts';

let folder: RunFolder;
let stage: Stage;
let window: Window;
let editor: Editor;

beforeAll(async () => {
	if (!existsSync(join(root, 'dist'))) throw new Error('Run `npm run build` first.');
	await installN8n();
	folder = await makeRunFolder();
	stage = await setStage({
		folder: folder.path,
		step: (_title, work) => work(() => {}),
		scheduleSeconds: 3600,
	});
	window = await openWindow();
	editor = new Editor(window.page, stage.n8n.url);
	await editor.logIn(owner);
});

afterAll(async () => {
	await window?.close();
	await stage?.stop();
	await folder?.discard();
});

beforeEach(({ task }) => {
	// What the editor showed says more than the line of the test.
	onTestFailed(async () => {
		const name = task.name.replace(/\W+/g, '-');
		await window.page.screenshot({ path: join(root, 'coverage', `editor-${name}.png`) });
	});
});

/** The operations that the service was asked for since the last time. */
function newOperations(): () => (string | undefined)[] {
	const { control } = stage.simulator;
	const before = control.requests.length;
	return () => control.requests.slice(before).map(({ operationId }) => operationId);
}

test('the nodes panel finds the nodes by name and by what dealers call them', async () => {
	await editor.newWorkflow();
	for (const text of ['Portal.io', 'quote', 'CPQ', 'smart home']) {
		await editor.searchNodes(text);
		await expect
			.poll(() => editor.entries())
			.toEqual([
				['Portal.io', expect.stringContaining('proposal')],
				['Portal.io Polling', expect.any(String)],
			]);
	}
	await editor.openNode('Portal.io');
	expect(await editor.entries()).toEqual([
		['On build status changed'],
		['On outline status changed'],
		['On proposal status changed'],
	]);
	await editor.unfoldActions();
	for (const action of ['Add items', 'Get proposal', 'Search catalog', 'Upload AI content']) {
		await expect.poll(() => editor.entries()).toContainEqual([action]);
	}
});

test('the credential says what is wrong, and accepts what is right', async () => {
	const { control } = stage.simulator;
	const data = credentialData(stage.simulator);
	// The others are texts to type.
	delete data.environment;
	await editor.newWorkflow();
	await editor.searchNodes('Portal.io');
	await editor.openNode('Portal.io');
	await editor.unfoldActions();
	await editor.place('Get many items');
	await editor.newCredential();
	await editor.chooseInCredential('environment', 'Custom');
	await editor.fillCredential({ ...data, password: 'not the password' });
	let operations = newOperations();
	await editor.saveCredential();
	const refused = await editor.connectionTest();
	expect(refused.succeeded).toBe(false);
	expect(refused.text).toMatch(/email or password/i);
	expect(operations()).toEqual(['authentication.exchangeKey']);

	await editor.fillCredential({ password: data.password! });
	operations = newOperations();
	await editor.saveCredential();
	// n8n closes the dialog of a credential that works.
	await editor.credentialDialog.waitFor({ state: 'hidden' });
	expect(operations()).toEqual(['authentication.exchangeKey', 'proposal.getMany']);
	expect(control.requests.at(-1)!.status).toBe(200);

	await editor.editCredential();
	expect((await editor.connectionTest()).succeeded).toBe(true);
	await takePicture(editor.page, 'credential');
});

test('an operation runs on a proposal from the list, and shows its table', async () => {
	const { control } = stage.simulator;
	const proposal = control.proposal(seed.proposals.viewed);
	await editor.newWorkflow();
	await editor.searchNodes('quote');
	await editor.openNode('Portal.io');
	await editor.unfoldActions();
	await editor.place('Get many items');
	expect(await editor.shownIn('resource')).toBe('Item');
	expect(await editor.shownIn('operation')).toBe('Get Many');

	await editor.searchList('proposalId', '');
	await expect.poll(async () => (await editor.choices()).length).toBeGreaterThan(1);
	await editor.searchList('proposalId', proposal.name);
	const choice = `${proposal.number} ${proposal.name} (Viewed By Client)`;
	await expect.poll(() => editor.choices()).toEqual([choice]);
	await editor.choose(choice);

	const operations = newOperations();
	await editor.executeStep();
	const rows = await editor.outputTable();
	const shown = rows.map(({ name, quantity, cost, sellPrice }) => [
		name,
		quantity,
		cost,
		sellPrice,
	]);
	const items: Record<string, unknown>[] = proposal.areas.flatMap((area: { options: Json[] }) =>
		area.options.flatMap((option) => option.items),
	);
	expect(items.length).toBeGreaterThan(1);
	expect(shown).toEqual(
		items.map(({ brand, model, name, quantity, cost, sellPrice }) => [
			name ?? `${brand} ${model}`,
			...[quantity, cost, sellPrice].map(String),
		]),
	);
	expect(operations()).toEqual(['proposal.get']);
	await withWideOutput(editor.page, () => takePicture(editor.page, 'operation'));
	await editor.closeDetails();
	expect(await editor.caption('Get many items').innerText()).toContain('get many: item');
});

test('the trigger hears the test event for which the editor listens', async () => {
	const { simulator } = stage;
	const proposalId = seed.proposals.submittedToo;
	// Viewed before, so that accepting it is the only change that is heard.
	simulator.control.setStatus(proposalId, 'ViewedByClient');
	await editor.newWorkflow();
	await editor.searchNodes('accepted');
	await editor.openNode('Portal.io');
	await editor.place('On proposal status changed');
	await editor.executeStep();
	await editor.listening.waitFor();
	expect(await editor.listening.innerText()).toContain('Go to Portal.io and create an event');
	const subscription = await until('the subscription', () => simulator.control.subscriptions()[0]);
	expect(subscription).toMatchObject({ url: expect.stringContaining('/webhook-test/') });
	await takePicture(editor.page, 'trigger-listening');
	await editor.closeDetails();
	await editor.page.getByText('Waiting for you to change the status of a proposal').waitFor();
	await editor.openDetails('Portal.io Trigger');

	await acceptAsCustomer(simulator, proposalId);
	const [event, ...others] = await editor.outputTable();
	expect(others).toEqual([]);
	expect(event).toMatchObject({ type: 'proposal.status_changed' });
	expect(event!.data).toContain(`id:${proposalId}\n`);
	expect(event!.data).toContain('status:Accepted\n');
	await withWideOutput(editor.page, () => takePicture(editor.page, 'trigger-event'));
	await until('the end of the subscription', () =>
		simulator.control.subscriptions().length === 0 ? true : undefined,
	);
});

test('publishing subscribes, and events come to executions', async () => {
	const { n8n, simulator } = stage;
	await editor.newWorkflow();
	await editor.searchNodes('Portal.io');
	await editor.openNode('Portal.io');
	await editor.place('On proposal status changed');
	await editor.closeDetails();
	const caption = editor.caption('Portal.io Trigger');
	expect(await caption.innerText()).toContain('proposal status changed');
	await editor.searchNodes('Portal.io');
	await editor.openNode('Portal.io');
	await editor.entry('Get proposal').scrollIntoViewIfNeeded();
	await takePicture(editor.page, 'nodes-panel');
	await editor.page.keyboard.press('Escape');
	expect(await editor.publish()).toMatch(/Portal\.io will now tell n8n/);
	const workflowId = editor.workflowId();

	const [subscription, ...others] = await until('the subscription', () => {
		const subscriptions = simulator.control.subscriptions();
		return subscriptions.length > 0 ? subscriptions : undefined;
	});
	expect(others).toEqual([]);
	expect(subscription!.url).toMatch(new RegExp(`^${n8n.url}/webhook/`));
	await acceptAsCustomer(simulator, seed.proposals.submitted);
	const execution = await until('the execution', () =>
		n8n.executions({ workflowId }).find(({ stoppedAt }) => stoppedAt !== null),
	);
	expect(execution).toMatchObject({ mode: 'webhook', status: 'success' });
	await n8n.deactivate({ id: workflowId });
	expect(simulator.control.subscriptions()).toEqual([]);
});

test.for(['Proposal accepted', 'Nightly cost refresh'])(
	'the example "%s" opens with every node known',
	async (name) => {
		const { id, nodes } = stage.workflows[name]!;
		await editor.openWorkflow(id);
		const steps = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
		for (const { name: step } of steps) {
			expect(await editor.caption(step).innerText()).not.toMatch(/install|undefined|\?/i);
		}
		await takeCanvasPicture(editor.page, name.toLowerCase().replaceAll(' ', '-'));
	},
);
