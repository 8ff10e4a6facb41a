/**
 * A dealer at n8n's own editor, in a real browser: from the nodes panel to a published workflow. What
 * the screen shows is compared with what the service has and with what reached it.
 */
import { expect, test } from 'vitest';
import { until } from '../../dev/testbed/until.mts';
import { seed } from '../../dev/simulator/index.mts';
import { takeOutputPicture, takePicture } from './pictures.mts';
import { openEditor } from './session.mts';

const session = openEditor();

test('loads the nodes with their credential into n8n, and makes a tool of the resource node', async () => {
	const types = await session.environment.n8n.nodeTypes();
	const ours = types.filter(({ name }) => name.startsWith('n8n-nodes-portal-io.'));
	expect(ours.map(({ name }) => name.split('.')[1]).sort()).toEqual([
		'portalIo',
		'portalIoPollingTrigger',
		'portalIoTool',
		'portalIoTrigger',
	]);
	for (const { credentials } of ours) {
		expect(credentials?.map(({ name }) => name)).toContain('portalIoApi');
	}
});

test('finds the nodes in the panel by what people look for', async () => {
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
	await editor.searchNodes('Portal.io');
	await editor.openNode('Portal.io');
	expect(await editor.entries()).toEqual([
		['On proposal status changed'],
		['On AI build status changed'],
		['On AI outline status changed'],
	]);
	await editor.unfoldActions();
	for (const action of ['Add items to proposal', 'Get proposal', 'Search catalog']) {
		await expect.poll(() => editor.entries()).toContainEqual([action]);
	}
});

test('receives the test event with a chosen status, and says on publishing what Portal.io does', async () => {
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
	const listening = editor.mark('trigger-listening');
	expect(await listening.innerText()).toContain('Go to Portal.io and create an event');
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
	await until('the subscription', () => control.subscriptions()[0]);
	await environment.n8n.deactivate({ id: editor.workflowId });
	expect(control.subscriptions()).toEqual([]);
});
