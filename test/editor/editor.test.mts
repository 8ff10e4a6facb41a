/**
 * A dealer at n8n's own editor, in a real browser: from the nodes panel to a published workflow. What
 * the screen shows is compared with what the service has and with what reached it.
 */
import { expect, onTestFinished } from 'vitest';
import { until } from '../../dev/testbed/until.mts';
import type { StoredCredential } from '../../dev/testbed/n8n/n8n.mts';
import { credentialData, type Environment } from '../../dev/testbed/environment.mts';
import { seed } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/json.mts';
import { takeOutputPicture, takePicture } from './pictures.mts';
import { newOperations, openEditor, test } from './session.mts';

const session = openEditor();

/** Deletes all credentials for Portal.io but the one that the environment came with. */
async function deleteOtherCredentials({ n8n, credential }: Environment): Promise<void> {
	const stored = await n8n.rest<StoredCredential[]>('GET', '/credentials');
	for (const { id, type } of stored) {
		if (type === credential.type && id !== credential.id) {
			await n8n.rest('DELETE', `/credentials/${id}`);
		}
	}
}

test('the nodes panel finds the nodes by what people look for', async () => {
	const { editor } = session;
	await editor.newWorkflow();
	for (const text of ['Portal.io', 'quote', 'CPQ', 'smart home']) {
		await editor.searchNodes(text);
		await expect
			.poll(() => editor.entries(), { message: text })
			.toEqual([
				['Portal.io', expect.stringContaining('proposal')],
				['Portal.io Polling', expect.any(String)],
			]);
	}
	for (const text of ['create proposal', 'proposal accepted', 'catalog', 'items', 'labor']) {
		await editor.searchNodes(text);
		await expect
			.poll(async () => (await editor.entries()).slice(0, 5), { message: text })
			.toContainEqual(['Portal.io', expect.any(String)]);
	}
	await editor.searchNodes('Portal.io');
	await editor.openNode('Portal.io');
	expect(await editor.entries()).toEqual([
		['On AI build status changed'],
		['On AI outline status changed'],
		['On proposal status changed'],
	]);
	await editor.unfoldActions();
	for (const action of ['Add items to proposal', 'Get proposal', 'Search catalog']) {
		await expect.poll(() => editor.entries()).toContainEqual([action]);
	}
});

test('the credential says what is wrong, and accepts what is right', async () => {
	const { editor, environment } = session;
	const { control } = environment.simulator;
	const data = credentialData(environment.simulator);
	// The others are texts to type.
	delete data.environment;
	// n8n would choose it in the tests that follow.
	onTestFinished(() => deleteOtherCredentials(environment));
	await editor.startWith('Get many items in proposal');
	await editor.newCredential();
	await editor.chooseInCredential('environment', 'Custom');
	await editor.fillCredential({ ...data, password: 'not the password' });
	let operations = newOperations(session);
	await editor.saveCredential();
	const refused = await editor.connectionTest();
	expect(refused.succeeded).toBe(false);
	expect(refused.text).toMatch(/email or password/i);
	expect(operations()).toEqual(['authentication.exchangeKey']);

	await editor.fillCredential({ password: data.password! });
	operations = newOperations(session);
	await editor.saveCredential();
	// n8n closes the dialog of a credential that works.
	await editor.credentialDialog.waitFor({ state: 'hidden' });
	expect(operations()).toEqual(['authentication.exchangeKey', 'proposal.getMany']);
	expect(control.requests.at(-1)!.status).toBe(200);

	await editor.editCredential();
	expect((await editor.connectionTest()).succeeded).toBe(true);
	await takePicture(editor.page, 'credential');
	await editor.closeCredential();
});

test('an operation runs on a proposal from the list, and shows its table', async () => {
	const { editor, environment } = session;
	const { fields } = editor;
	const proposal = environment.simulator.control.proposal(seed.proposals.viewed);
	await editor.startWith('Get many items in proposal');
	expect(await fields.shownIn('resource')).toBe('Item');
	expect(await fields.shownIn('operation')).toBe('Get Many');

	await fields.searchList('proposalId', '');
	await expect.poll(async () => (await fields.choices()).length).toBeGreaterThan(1);
	await fields.searchList('proposalId', proposal.name);
	const { firstName, lastName } = proposal.customer;
	const choice = `#${proposal.number} ${proposal.name} (Viewed By Client) – ${firstName} ${lastName}`;
	await expect.poll(() => fields.choices()).toEqual([choice]);
	await fields.choose(choice);

	const operations = newOperations(session);
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
	await editor.closeDetails();
	expect(await editor.caption('Get many items in proposal').innerText()).toContain(
		'Get Many: Item',
	);
});

test('the trigger hears the test event with a chosen status', async () => {
	const { editor, environment } = session;
	const { fields } = editor;
	const { control } = environment.simulator;
	const proposalId = seed.proposals.submittedToo;
	const proposal = control.proposal(proposalId);
	await editor.newWorkflow();
	await editor.searchNodes('accepted');
	await editor.openNode('Portal.io');
	await editor.place('On proposal status changed');
	await fields.chooseSeveral('statuses', ['Accepted', 'Declined']);
	await editor.executeStep();
	await editor.listening.waitFor();
	expect(await editor.listening.innerText()).toContain('Go to Portal.io and create an event');
	const subscription = await until('the subscription', () => control.subscriptions()[0]);
	expect(subscription).toMatchObject({ url: expect.stringContaining('/webhook-test/') });
	await editor.closeDetails();
	await editor.page
		.getByText('Waiting for an event in Portal.io, such as a proposal that you submit')
		.waitFor();
	await editor.openDetails('Portal.io Trigger');

	// A status that was not chosen: delivered, and n8n goes on listening.
	control.setStatus(proposalId, 'ViewedByClient');
	await control.whenDelivered();
	control.setStatus(proposalId, 'Accepted');
	const [event, ...others] = await editor.outputTable();
	expect(others).toEqual([]);
	expect(event).toMatchObject({
		proposalId: String(proposalId),
		number: String(proposal.number),
		name: proposal.name,
		status: 'Accepted',
		eventType: 'proposal.status_changed',
	});
	await takeOutputPicture(editor.page, 'trigger-event');
	await until('the end of the subscription', () =>
		control.subscriptions().length === 0 ? true : undefined,
	);
});

test('publishing says what Portal.io does from then on, and the panel shows the actions', async () => {
	const { editor, environment } = session;
	const { n8n, simulator } = environment;
	await editor.newWorkflow();
	await editor.searchNodes('Portal.io');
	await editor.openNode('Portal.io');
	await editor.place('On proposal status changed');
	await editor.closeDetails();
	expect(await editor.caption('Portal.io Trigger').innerText()).toContain(
		'Proposal Status Changed',
	);
	// The icon of the node keeps the colors in which the panel was opened.
	await takePicture(editor.page, 'nodes-panel', async () => {
		await editor.page.keyboard.press('Escape');
		await editor.searchNodes('Portal.io');
		await editor.openNode('Portal.io');
		await editor.entry('Get proposal').scrollIntoViewIfNeeded();
	});
	await editor.page.keyboard.press('Escape');
	expect(await editor.publish()).toContain(
		'Portal.io now sends the chosen events to this workflow.',
	);
	await until('the subscription', () => simulator.control.subscriptions()[0]);
	await n8n.deactivate({ id: editor.workflowId() });
	expect(simulator.control.subscriptions()).toEqual([]);
});
