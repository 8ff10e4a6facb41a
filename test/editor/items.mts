/**
 * A dealer works on the items of proposals in n8n's own editor, and types no ID. What the screen shows
 * is compared with what the service then has.
 */
import { expect, test } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/contract.mts';
import { takeInputPicture, takeOutputPicture } from './pictures.mts';
import { newChanges, openEditor } from './session.mts';

const session = openEditor();

const { catalogItems, proposals } = seed;

test('adds a part and labor that are chosen from lists', async () => {
	const { editor, environment } = session;
	const { fields } = editor;
	const { control } = environment.simulator;
	const proposalId = proposals.freshNetwork;
	const { name, areas } = control.proposal(proposalId);
	await editor.startWith('Add items to proposal');
	await fields.chooseRecord('proposalId', name);
	await fields.chooseRecord('areaOptionId', areas[1].name);

	await fields.addRow('Add item');
	await fields.searchList('itemId', 'Lumenfold LX65', 0);
	const part = 'Lumenfold LX65 – 65-inch 4K television';
	await expect.poll(() => fields.choices()).toEqual([part]);
	await fields.choose(part);
	await fields.addRow('Add item');
	await fields.chooseOption('itemType', 'Labor', 1);
	await fields.searchList('itemId', '', 1);
	await expect
		.poll(() => fields.choices())
		.toEqual(['Installation, per hour', 'Programming, per hour', 'Project management, per hour']);
	await fields.choose('Programming');
	await fields.fill('quantity', '3.5', 1);
	expect(await fields.chosenIn('itemId', 0)).toBe(part);

	const changes = newChanges(session);
	await editor.executeStep();
	const rows = await editor.outputTable();
	expect(changes()).toEqual(['item.add']);
	const added = control.items(proposalId).slice(-2);
	expect(added).toMatchObject([
		{ referenced_item_id: catalogItems.television, area_name: areas[1].name },
		{ referenced_item_id: catalogItems.programming, area_name: areas[1].name },
	]);
	expect(rows).toMatchObject([
		{ id: String(added[0]!.id), itemType: 'Part', quantity: '1' },
		{ id: String(added[1]!.id), itemType: 'Labor', quantity: '3.5' },
	]);
	await takeOutputPicture(editor.page, 'operation', async () => {
		await fields.field('resource').scrollIntoViewIfNeeded();
		await fields.searchList('itemId', 'television', 0);
		await expect.poll(async () => (await fields.choices()).length).toBeGreaterThan(2);
	});
});

test('moves three items that are picked from the list of a proposal by its number', async () => {
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

	// The list is read anew when the proposal changes.
	await fields.chooseMode('proposalId', 'By Number');
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
	expect(rows.map(({ id }) => Number(id)).sort()).toEqual(moved);
	const target = proposal.areas[2].options[0].id;
	const after = control.items(proposalId).filter(({ option_id: option }) => option === target);
	expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(moved));
});

test('maps what an area will return into its items before anything has run', async () => {
	const { editor, environment } = session;
	const { fields } = editor;
	const { control } = environment.simulator;
	const proposalId = proposals.empty;
	await editor.startWith('Create area in proposal');
	await fields.chooseRecord('proposalId', control.proposal(proposalId).name);
	await fields.fill('name', 'Media Room');
	await editor.closeDetails();
	expect(await editor.caption('Create area in proposal').innerText()).toContain('Create: Area');
	await editor.addStep('Add items to proposal');
	// The fields of the area, and n8n's folded variables.
	const names = editor.mark('ndv-input-panel').getByTestId('run-data-schema-node-name');
	const expected = async () =>
		(await names.allInnerTexts())
			.map((text) => text.trim())
			.filter((text) => !text.startsWith('$'));
	await expect.poll(expected).toEqual(['id', 'proposalId', 'name', 'areaOptionId']);
	await fields.map('proposalId', 'proposalId');
	await fields.map('areaOptionId', 'areaOptionId');
	expect(await fields.expressionIn('proposalId')).toBe('{{ $json.proposalId }}');
	expect(await fields.expressionIn('areaOptionId')).toBe('{{ $json.areaOptionId }}');
	await fields.addRow('Add item');
	await fields.chooseRecord('itemId', 'Lumenfold LX85');
	await takeInputPicture(editor.page, 'mapping');

	const changes = newChanges(session);
	await editor.executeStep();
	const [row, ...others] = await editor.outputTable();
	expect(others).toEqual([]);
	expect(changes()).toEqual(['area.create', 'item.add']);
	expect(row).toMatchObject({ proposalId: String(proposalId), areaName: 'Media Room' });
	expect(control.items(proposalId)).toMatchObject([
		{ id: Number(row!.id), area_name: 'Media Room', quantity: 10_000 },
	]);
});
