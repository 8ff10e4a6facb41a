/**
 * A dealer works on the items of proposals in n8n's own editor, and types no ID. What the screen shows
 * is compared with what the service then has.
 */
import { expect } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/json.mts';
import { takeInputPicture, takeOutputPicture } from './pictures.mts';
import { newChanges, newOperations, openEditor, test } from './session.mts';

const session = openEditor();

const { catalogItems, proposals } = seed;

/** The names of the areas of a proposal, in its order. */
const areaNames = (proposal: Json): string[] => proposal.areas.map(({ name }: Json) => name);

test('adds a part and labor that are chosen from lists', async () => {
	const { editor, environment } = session;
	const { fields } = editor;
	const { control } = environment.simulator;
	const proposalId = proposals.freshNetwork;
	const before = control.items(proposalId);
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
	const added = control.items(proposalId).filter(({ id }) => !before.some((one) => one.id === id));
	expect(added).toMatchObject([
		{ referenced_item_id: catalogItems.television, area_name: areas[1].name },
		{ referenced_item_id: catalogItems.programming, area_name: areas[1].name },
	]);
	const optionId = String(areas[1].options[0].id);
	expect(rows).toMatchObject([
		{ id: String(added[0]!.id), areaOptionId: optionId, itemType: 'Part', quantity: '1' },
		{ id: String(added[1]!.id), areaOptionId: optionId, itemType: 'Labor', quantity: '3.5' },
	]);
	await takeOutputPicture(editor.page, 'operation', async () => {
		await fields.field('resource').scrollIntoViewIfNeeded();
		await fields.searchList('itemId', 'television', 0);
		await expect.poll(async () => (await fields.choices()).length).toBeGreaterThan(2);
	});
});

test('clears the catalog item when the type of its row changes, and only there', async () => {
	const { fields } = session.editor;
	await session.editor.startWith('Add items to proposal');
	for (const row of [0, 1]) {
		await fields.addRow('Add item');
		await fields.chooseRecord('itemId', 'Lumenfold LX77', row);
	}
	await fields.chooseOption('itemType', 'Custom Item', 1);
	await expect.poll(() => fields.chosenIn('itemId', 1)).toBe('');
	expect(await fields.chosenIn('itemId', 0)).toContain('Lumenfold LX77');
});

test('moves three items that are picked from the list of a proposal by its number', async () => {
	const { editor, environment } = session;
	const { fields } = editor;
	const { control } = environment.simulator;
	const proposalId = proposals.staleWholeHome;
	const proposal = control.proposal(proposalId);
	const [lobby, , terrace] = areaNames(proposal);
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
	const operations = newOperations(session);
	await editor.executeStep();
	const rows = await editor.outputTable();
	expect(changes()).toEqual(['item.move']);
	expect(operations()).toContain('proposal.getMany');
	const moved = proposal.areas[0].options[0].items.map(({ id }: Json) => id);
	expect(moved).toHaveLength(3);
	const target = proposal.areas[2].options[0].id;
	expect(rows.map(({ id }) => Number(id)).sort()).toEqual(moved);
	expect(control.items(proposalId)).toEqual(
		before.map((item) =>
			moved.includes(item.id)
				? expect.objectContaining({ id: item.id, option_id: target, area_name: terrace })
				: item,
		),
	);
});

test('changes quantity and price in one step, and sends no field without a value', async () => {
	const { editor, environment } = session;
	const { fields } = editor;
	const { control } = environment.simulator;
	const proposalId = proposals.staleSecurity;
	const [camera, ...others] = control.items(proposalId);
	await editor.startWith('Update item in proposal');
	await fields.chooseRecord('proposalId', control.proposal(proposalId).name);
	await fields.chooseRecord('itemId', 'Sentrava Dome 8');
	await fields.addField('Add field', 'Sell Price');

	let changes = newChanges(session);
	await editor.executeStep();
	expect(await editor.failed.innerText()).toContain("'Sell Price' is empty: enter a number");
	expect(changes()).toEqual([]);
	expect(control.items(proposalId)).toEqual([camera, ...others]);

	await fields.fill('sellPrice', '449.50');
	await fields.addField('Add field', 'Quantity');
	await fields.fill('quantity', '6');
	changes = newChanges(session);
	await editor.executeStep();
	await editor.failed.waitFor({ state: 'hidden' });
	const rows = await editor.outputTable();
	expect(changes()).toEqual(['item.updateQuantity', 'item.updateSellPrice']);
	expect(rows).toMatchObject([{ id: String(camera!.id), quantity: '6', sellPrice: '449.5' }]);
	const [changed, ...same] = control.items(proposalId);
	// The simulator counts in ten-thousandths of a unit, and in cents.
	expect(changed).toMatchObject({ id: camera!.id, quantity: 60_000, sell_price_cents: 44_950 });
	expect(changed!.cost_cents).toBe(camera!.cost_cents);
	expect(same).toEqual(others);
	await takeOutputPicture(editor.page, 'update');
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
	await editor.addStep('Add items to proposal');
	await expect
		.poll(() => editor.expectedInput())
		.toEqual(['id', 'proposalId', 'name', 'areaOptionId']);
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
