/**
 * A dealer at n8n's own editor, in a real browser: from the nodes panel to a published workflow. What
 * the screen shows is compared with what the service has and with what reached it.
 */
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../dev/testbed/until.mts';
import type { StoredCredential } from '../../dev/testbed/n8n/n8n.mts';
import { credentialData, type Environment } from '../../dev/testbed/environment.mts';
import { seed, type RecordedRequest } from '../../dev/simulator/index.mts';
import { newRequests } from '../n8n/handRuns.mts';
import { takeOutputPicture, takePicture } from './pictures.mts';
import { openEditor } from './session.mts';

const session = openEditor();

/** Deletes all credentials for Portal.io but the one that the environment came with. */
async function deleteOtherCredentials({ n8n, credential }: Environment): Promise<void> {
	const stored = await n8n.rest<StoredCredential[]>('GET', '/credentials');
	const others = stored.filter(({ id, type }) => type === credential.type && id !== credential.id);
	for (const { id } of others) await n8n.rest('DELETE', `/credentials/${id}`);
}

test('finds the nodes in the panel by what people look for', async () => {
	const { editor } = session;
	await editor.load();
	for (const text of ['Portal.io', 'quote', 'CPQ', 'smart home']) {
		await editor.searchNodes(text);
		await expect
			.poll(() => editor.entries(), { message: text })
			.toEqual([
				['Portal.io', expect.stringContaining('proposal')],
				['Portal.io Polling', expect.any(String)],
			]);
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

test('shows the fields of the credential, and tests it as it is saved', async () => {
	const { editor, environment } = session;
	const texts = credentialData(environment.simulator);
	// The only one that is chosen from a list.
	delete texts.environment;
	// n8n would choose it in the tests that follow.
	onTestFinished(() => deleteOtherCredentials(environment));
	await editor.startWith('Get many items in proposal');
	await editor.newCredential();
	await editor.chooseInCredential('environment', 'Custom');
	await editor.fillCredential(texts);
	const requests = newRequests(environment);
	await editor.saveCredential();
	// The list of proposals may still be loading in the step behind the dialog.
	const isOfTest = ({ operationId, query }: RecordedRequest) =>
		operationId === 'authentication.exchangeKey' || query === 'PageNumber=1&PageSize=1';
	const answers = () => requests().filter(isOfTest);
	await expect
		.poll(() => answers().map(({ operationId, status }) => [operationId, status]))
		.toEqual([
			['authentication.exchangeKey', 200],
			['proposal.getMany', 200],
		]);

	await editor.editCredential();
	// What a reader has there. It is not saved.
	await editor.chooseInCredential('environment', 'Production');
	await takePicture(editor.page, 'credential');
});

test('receives the test event with a chosen status', async () => {
	const { editor, environment } = session;
	const { fields } = editor;
	const { control } = environment.simulator;
	const proposalId = seed.proposals.submittedToo;
	const proposal = control.proposal(proposalId);
	// A dialog is still open.
	await editor.load();
	await editor.searchNodes('accepted');
	await editor.openNode('Portal.io');
	await editor.place('On proposal status changed');
	await fields.chooseSeveral('statuses', ['Accepted', 'Declined']);
	await editor.executeStep();
	await editor.listening.waitFor();
	expect(await editor.listening.innerText()).toContain('Go to Portal.io and create an event');
	const subscription = await until('the subscription', () => control.subscriptions()[0]);
	expect(subscription).toMatchObject({ url: expect.stringContaining('/webhook-test/') });

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
	await until('its end', () => control.subscriptions().length === 0 || undefined);
});

test('says on publishing what Portal.io does from then on, and lists the actions in the panel', async () => {
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
	await editor.page.keyboard.press('Escape');
	await editor.searchNodes('Portal.io');
	await editor.openNode('Portal.io');
	await editor.entry('Get proposal').scrollIntoViewIfNeeded();
	await takePicture(editor.page, 'nodes-panel');
	await editor.page.keyboard.press('Escape');
	expect(await editor.publish()).toContain(
		'Portal.io now sends the chosen events to this workflow.',
	);
	await until('the subscription', () => simulator.control.subscriptions()[0]);
	await n8n.deactivate({ id: editor.workflowId() });
	expect(simulator.control.subscriptions()).toEqual([]);
});
