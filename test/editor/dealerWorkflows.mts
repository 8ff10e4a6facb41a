/**
 * Works in n8n's own editor as a dealer who types no ID, from the nodes panel to a published workflow. Compares what
 * the screen shows with the service's data and requests.
 */
import { expect, it } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/contract.mts';
import { until } from '../../dev/testbed/until.mts';
import {
	byId,
	chain,
	editFields,
	manualStart,
	portal,
} from '../../dev/testbed/workflowBuilder.mts';
import { takeInputPicture, takeOutputPicture } from './pictures.mts';
import { newChanges, openEditor } from './session.mts';

const session = openEditor();

const { catalogItems, proposals } = seed;

it('loads the nodes and the tool with their credential', async () => {
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

it('finds the nodes by common search terms', async () => {
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

it('receives a test event with a chosen status, then publishes the workflow', async () => {
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
	const listening = editor.findById('trigger-listening');
	expect(await listening.innerText()).toContain('Go to Portal.io and create an event');
	const subscription = await until('the subscription', () => control.subscriptions()[0]);
	expect(subscription).toMatchObject({ url: expect.stringContaining('/webhook-test/') });

	// Set a status that isn't chosen. Its event is delivered, but n8n keeps listening.
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
	expect(await editor.publish()).toContain(
		'Portal.io now sends the chosen events to this workflow.',
	);
	await until('the subscription', () => control.subscriptions()[0]);
	await environment.n8n.deactivate({ id: editor.workflowId });
	expect(control.subscriptions()).toEqual([]);
});

it('adds a part and labor that are chosen from lists', async () => {
	const { editor, environment } = session;
	const { fields } = editor;
	const { control } = environment.simulator;
	const proposalId = proposals.freshNetwork;
	const { name, areas } = control.proposal(proposalId);
	await editor.startWith('Add items to proposal');
	await fields.chooseRecord('proposalId', name);
	await fields.chooseRecord('areaOptionId', areas[1].name);

	await fields.addRow('Add item');
	await fields.searchList('catalogItemId', 'Lumenfold LX65', 0);
	const part = 'Lumenfold LX65 – 65-inch 4K television';
	await expect.poll(() => fields.choices()).toEqual([part]);
	await fields.choose(part);
	await fields.addRow('Add item');
	await fields.chooseOption('itemType', 'Labor', 1);
	await fields.searchList('catalogItemId', '', 1);
	await expect
		.poll(() => fields.choices())
		.toEqual(['Installation, per hour', 'Programming, per hour', 'Project management, per hour']);
	await fields.choose('Programming');
	await fields.fill('quantity', '3.5', 1);
	expect(await fields.readRecord('catalogItemId', 0)).toBe(part);

	const changes = newChanges(session);
	await editor.executeStep();
	const rows = await editor.outputTable();
	expect(changes()).toEqual(['item.add']);
	const newItems = control.items(proposalId).slice(-2);
	expect(newItems).toMatchObject([
		{ referenced_item_id: catalogItems.television, area_name: areas[1].name },
		{ referenced_item_id: catalogItems.programming, area_name: areas[1].name },
	]);
	expect(rows).toMatchObject([
		{ itemId: String(newItems[0]!.id), quantity: '1' },
		{ itemId: String(newItems[1]!.id), quantity: '3.5' },
	]);
	await takeOutputPicture(editor.page, 'operation', async () => {
		await fields.field('resource').scrollIntoViewIfNeeded();
		await fields.searchList('catalogItemId', 'television', 0);
		await expect.poll(async () => (await fields.choices()).length).toBeGreaterThan(2);
	});
});

it("enters a proposal's number, then moves three of the proposal's items", async () => {
	const { editor, environment } = session;
	const { fields } = editor;
	const { control } = environment.simulator;
	const proposalId = proposals.staleWholeHome;
	const proposal = control.proposal(proposalId);
	const [lobby, , terrace] = proposal.areas.map(({ name }: Json) => name);
	const before = control.items(proposalId);
	await editor.startWith('Move items in proposal');
	await fields.chooseRecord('proposalId', control.proposal(proposals.staleOffice).name);
	await expect.poll(() => fields.openOptions('itemIds')).toHaveLength(3);
	await fields.closeList();

	// Wait for the list, because n8n reloads it when the proposal or its mode changes, and ignores changes until then.
	const listAfterMode = editor.page.waitForResponse(/dynamic-node-parameters\/options/);
	await fields.chooseMode('proposalId', 'Number');
	await listAfterMode;
	await fields.fill('proposalId', `#${proposal.number}`);
	await expect.poll(() => fields.openOptions('itemIds')).toHaveLength(before.length);
	await fields.closeList();
	const picked = [
		`${lobby}, option 1: Lumenfold LX77 × 2 – $2999.00`,
		`${lobby}, option 1: Stillgrip SG-A90 × 2 – $389.00`,
		`${lobby}, option 1: Installation × 12 – $125.00`,
	];
	await fields.chooseSeveral('itemIds', picked);
	await fields.chooseRecord('areaOptionId', `${terrace} – option 1`);

	const changes = newChanges(session);
	await editor.executeStep();
	const rows = await editor.outputTable();
	expect(changes()).toEqual(['item.move']);
	const moved = proposal.areas[0].options[0].items.map(({ id }: Json) => id);
	expect(moved).toHaveLength(3);
	expect(rows.map(({ itemId }) => Number(itemId)).sort()).toEqual(moved);
	const target = proposal.areas[2].options[0].id;
	const after = control.items(proposalId).filter(({ option_id: option }) => option === target);
	expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(moved));
});

it("maps an area's output fields into new items before the first run", async () => {
	const { editor, environment } = session;
	const { fields } = editor;
	const { control } = environment.simulator;
	const proposalId = proposals.empty;
	await editor.startWith('Create area in proposal');
	await fields.chooseRecord('proposalId', control.proposal(proposalId).name);
	await fields.fill('name', 'Media Room');
	await editor.closeDetails();
	expect(await editor.caption('Create area in proposal').innerText()).toContain(
		'Create: Media Room',
	);
	await editor.addStep('Add items to proposal');
	// The panel shows the area's fields and n8n's collapsed variables.
	const names = editor.findById('ndv-input-panel').getByTestId('run-data-schema-node-name');
	const expected = async () =>
		(await names.allInnerTexts())
			.map((text) => text.trim())
			.filter((text) => !text.startsWith('$'));
	await expect
		.poll(expected)
		.toEqual([
			'areaOptionId',
			'areaId',
			'areaName',
			'proposalId',
			'status',
			'total',
			'itemCount',
			'clientDescription',
			'installerNotes',
			'reused',
		]);
	await fields.map('proposalId', 'proposalId');
	await fields.map('areaOptionId', 'areaOptionId');
	expect(await fields.readExpression('proposalId')).toBe('{{ $json.proposalId }}');
	expect(await fields.readExpression('areaOptionId')).toBe('{{ $json.areaOptionId }}');
	await fields.addRow('Add item');
	await fields.chooseRecord('catalogItemId', 'Lumenfold LX85');
	await takeInputPicture(editor.page, 'mapping');

	const changes = newChanges(session);
	await editor.executeStep();
	const [row, ...others] = await editor.outputTable();
	expect(others).toEqual([]);
	expect(changes()).toEqual(['area.create', 'item.add']);
	expect(row).toMatchObject({ proposalId: String(proposalId), areaName: 'Media Room' });
	expect(control.items(proposalId)).toMatchObject([
		{ id: Number(row!.itemId), area_name: 'Media Room', quantity: 10_000 },
	]);
});

const id = '={{ $json.id }}';
const proposalId = byId(id);
const itemType = '={{ $json.type }}';

/**
 * Fields whose lists depend on another field, one of each kind, by operation. test/unit/ux checks that no resource
 * locator has `loadOptionsDependsOn`.
 */
const mappings: [operation: string, fields: string[], parameters: object][] = [
	['item.copy', ['itemIds', 'areaOptionIds'], { proposalId, itemIds: id, areaOptionIds: id }],
	[
		'item.add',
		['areaOptionId', 'catalogItemId', 'parentId'],
		{
			proposalId,
			areaOptionId: byId(id),
			items: { item: [{ itemType, catalogItemId: byId(id), quantity: 1, parentId: byId(id) }] },
		},
	],
];

it.for(mappings)(
	'preserves a mapping when the previous step runs again: %s %j',
	async (mapping) => {
		const [operationOf, names, parameters] = mapping;
		const { editor, environment } = session;
		await editor.newWorkflow();
		const [resource, operation] = operationOf.split('.');
		const before = editFields('={{ { id: $now.toMillis(), type: "Labor" } }}');
		const steps = [manualStart, before, portal({ resource, operation, ...parameters })];
		await editor.importWorkflow(chain('Mapping', steps, environment.credential));
		await editor.openStep('Portal.io');
		// Run the step, which fails because no record has this ID. Only the fields afterward matter.
		await editor.executeStep();
		await editor.failed.waitFor();
		for (const name of names) {
			const expression = editor.fields.field(name).locator('.cm-content');
			const [fieldText = 'nothing'] = await expression.allInnerTexts();
			expect(fieldText, name).toContain('{{ $json.id }}');
		}
		await editor.closeDetails();
	},
);
