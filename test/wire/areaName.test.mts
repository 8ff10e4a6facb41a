/** An area, or one of its options, given by the name of the area: what a spreadsheet has of a room. */
import { beforeEach, describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
import type { Json } from '../../dev/simulator/json.mts';

const service = restoredService();
const { run } = service;
const byName = (value: string) => ({ __rl: true as const, mode: 'name', value });
const row = { item: [{ itemType: 'Part', itemId: seed.catalogItems.mount, quantity: 1 }] };
const asked = () => service.control.requests.map(({ operationId }) => operationId);
const count = (operationId: string) => asked().filter((one) => one === operationId).length;

let proposalId: number;
const areas = (): Json[] => service.control.proposal(proposalId).areas;
const namesOf = () => areas().map(({ name }) => name);
const add = async (name: string, options: object = {}) =>
	await run('item.add', { proposalId, areaOptionId: byName(name), items: row, options });

beforeEach(async () => {
	[proposalId] = service.control.addProposals(1, { like: seed.proposals.empty }) as [number];
	for (const name of ['Living Room', 'Den']) await run('area.create', { proposalId, name });
	const areaId = areas()[1]!.id;
	await run('areaOption.create', { proposalId, areaId });
	service.control.clearRequests();
});

describe('an area option by name', () => {
	it.each([
		['Living Room', 0, 0],
		['  living\u00a0 ROOM ', 0, 0],
		['Living Room / 1', 0, 0],
		['den / 2', 1, 1],
		['Den / 1', 1, 0],
	])('finds the option of an area by the name %j', async (name, area, option) => {
		const [added] = await add(name);
		const { items } = areas()[area]!.options[option];
		expect(items.map(({ id }: Json) => id)).toEqual([added!.id]);
		expect(asked()).toEqual(['proposal.get', 'item.add']);
	});

	it.each([
		[
			'Den',
			"'Area Option' is ambiguous: 'Den' has 2 options. Add the option number, as in 'Den / 1'.",
		],
		['Den / 3', "'Area Option' was not found: 'Den' has only 2 options"],
		[
			'Attic',
			"'Area Option' was not found: the proposal has no area 'Attic'. It has 'Living Room',",
		],
		['Living', "the proposal has no area 'Living'"],
	])('finds no option by the name %j, and adds nothing', async (name, message) => {
		await expect(add(name)).rejects.toThrow(message);
		expect(count('item.add')).toBe(0);
	});

	it('updates items by an option of their area, and moves them to one of any area', async () => {
		await run('areaOption.update', {
			proposalId,
			areaId: byName('den'),
			areaOptionId: byName('Den / 2'),
			updateFields: { installerNotes: 'Two' },
		});
		expect(areas()[1]!.options[1].installerDescription).toBe('Two');
		// One read for both names.
		expect(asked()).toEqual(['proposal.get', 'areaOption.updateInstallerNotes']);
		const [{ id: itemIds }] = (await add('Den / 1')) as [{ id: number }];
		await run('item.move', { proposalId, itemIds, areaOptionId: byName('living room') });
		const filters = { areaId: byName('LIVING ROOM') };
		expect(await run('item.getMany', { proposalId, filters })).toHaveLength(1);
	});
});

it('fails alone with a name that is not found while it waits for another change', async () => {
	const gate = service.control.hold('item.add');
	const item = [{ ...row.item[0], itemId: { mode: 'model', value: '={{ $json.model }}' } }];
	const running = run(
		'item.add',
		{ proposalId, areaOptionId: byName('Living Room'), items: { item } },
		{ items: [{ model: 'CV-6C' }, { model: 'None' }], continueOnFail: true },
	);
	await gate.arrived(1);
	while (count('catalog.search') < 2) await new Promise(setImmediate);
	gate.release();
	expect(await running).toMatchObject([
		{ areaName: 'Living Room' },
		{ error: expect.stringContaining('no part') },
	]);
});

describe('a missing area', () => {
	const createMissingArea = true;

	it('creates no missing area for a model that is not found', async () => {
		const item = [{ ...row.item[0], itemId: { mode: 'model', value: 'None' } }];
		const parameters = { proposalId, areaOptionId: byName('Attic'), items: { item } };
		await expect(
			run('item.add', { ...parameters, options: { createMissingArea } }),
		).rejects.toThrow(/was not found/);
		expect(namesOf()).toEqual(['Living Room', 'Den']);
	});

	it.each(['Apt 2/3', 'Den / 2'])(
		'is created by the name %j, which may have a slash',
		async (name) => {
			for (let time = 0; time < 2; time++) {
				expect(await add(name, { createMissingArea })).toMatchObject([{ areaName: name }]);
			}
			expect(namesOf()).toEqual(['Living Room', 'Den', name]);
		},
	);

	it('names another way where an area that may be created has several options', async () => {
		await expect(add('Den', { createMissingArea })).rejects.toThrow(
			"'Area Option' is ambiguous: 'Den' has 2 options. Choose one from the list, or enter its ID.",
		);
	});

	it('creates no area where something else came than the proposal', async () => {
		for (const body of [{ maintenance: true }, { id: proposalId, areas: 'none' }]) {
			service.control.failNext({ operationId: 'proposal.get', status: 200, body });
			await expect(add('Attic', { createMissingArea })).rejects.toThrow(
				/^Unexpected response: Portal.io did not return (a proposal|the list 'areas')$/,
			);
		}
		expect(namesOf()).toEqual(['Living Room', 'Den']);
	});

	it('looks for a missing area again after its creation failed', async () => {
		service.control.failNext({ operationId: 'area.create', status: 500, when: 'after' });
		const output = await run(
			'item.add',
			{ proposalId, areaOptionId: byName('Attic'), items: row, options: { createMissingArea } },
			{ items: [{}, {}], continueOnFail: true },
		);
		expect(output.map(({ areaName }) => areaName)).toEqual([undefined, 'Attic']);
		expect(namesOf()).toEqual(['Living Room', 'Den', 'Attic']);
	});
});
