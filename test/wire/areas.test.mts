/** Tests areas by name. test/unit/lookupOfAreas tests how names are compared. */
import { beforeEach, describe, expect, it } from 'vitest';
import { loadWorker } from '../../dev/testbed/nodeRunner.mts';
import { until } from '../../dev/testbed/until.mts';
import { by, restoredService, seed } from './account.mts';
import type { Json } from '../../dev/simulator/contract.mts';

const service = restoredService();
const { count, fail, respond, run, sent } = service;
const byName = (value: string) => by('name', value);
const row = { item: [{ itemType: 'Part', catalogItemId: seed.catalogItems.mount, quantity: 1 }] };
const createMissingArea = true;

let proposalId: number;
const areas = (): Json[] => service.control.proposal(proposalId).areas;
const namesOf = () => areas().map(({ name }) => name);
const add = async (name: string, options: object = {}, more: object = {}) =>
	await run('item.add', { proposalId, areaOptionId: byName(name), items: row, options }, more);

beforeEach(async () => {
	[proposalId] = service.control.addProposals(1, { like: seed.proposals.empty }) as [number];
	for (const name of ['Living Room', 'Den']) await run('area.create', { proposalId, name });
	await run('areaOption.create', { proposalId, areaId: areas()[1]!.id });
	service.control.clearRequests();
});

describe('Reuse Existing Area', () => {
	it('creates an area only once for many input items', async () => {
		const names = ['Kitchen', ' kitchen', 'living room', 'Kitchen'];
		const given = { proposalId, name: '={{ $json.name }}', options: { reuseExisting: true } };
		const output = await run('area.create', given, { items: names.map((name) => ({ name })) });
		expect(namesOf()).toEqual(['Living Room', 'Den', 'Kitchen']);
		const [livingRoom, , kitchen] = areas().map(({ id }) => id);
		expect(output.map(({ areaId, reused }) => [areaId, reused])).toEqual([
			[kitchen, false],
			[kitchen, true],
			[livingRoom, true],
			[kitchen, true],
		]);
	});

	it('prefers the area with exactly the same name, even if another differs only in a non-breaking space', async () => {
		for (const name of ['Hall\u00a01', 'Hall 1']) await run('area.create', { proposalId, name });
		const options = { reuseExisting: true };
		const [reused] = await run('area.create', { proposalId, name: 'Hall 1', options });
		expect(reused).toMatchObject({ areaId: areas().at(-1)!.id, areaName: 'Hall 1' });
	});

	it('reuses the same option that the name identifies in other operations', async () => {
		const [first, second] = areas()[1]!.options;
		const reuse = async (name: string) => {
			const given = { proposalId, name, options: { reuseExisting: true } };
			return (await run('area.create', given))[0]!.areaOptionId;
		};
		expect(await reuse('Den / 2')).toBe(second.id);
		await expect(reuse('Den')).rejects.toThrow("'Name' is ambiguous: 'Den' has 2 options.");
		await expect(reuse('Attic / 1')).rejects.toThrow("the proposal has no area 'Attic'.");
		service.control.update('area_options', { id: first.id }, { status: 'Declined' });
		expect(await reuse('Den')).toBe(second.id);
		expect(await add('Den')).toMatchObject([{ areaName: 'Den' }]);
		expect(service.control.items(proposalId)).toMatchObject([{ option_id: second.id }]);
		expect(namesOf()).toEqual(['Living Room', 'Den']);
	});

	it('looks up an area and its option with only one read', async () => {
		const option = { areaId: byName(' DEN'), areaOptionId: byName('den / 2') };
		const updateFields = { installerNotes: 'Two' };
		await run('areaOption.update', { proposalId, ...option, updateFields });
		expect(areas()[1]!.options[1].installerDescription).toBe('Two');
		expect(sent()).toEqual(['proposal.get', 'areaOption.updateInstallerNotes']);
		const [{ itemId: itemIds }] = (await add('Den / 1')) as [{ itemId: number }];
		await run('item.move', { proposalId, itemIds, areaOptionId: byName('living\u00a0room') });
		const filters = { areaId: byName('LIVING ROOM') };
		expect(await run('item.getMany', { proposalId, filters })).toHaveLength(1);
	});

	it('fails only the input item whose model is not found, even while another one is running', async () => {
		const gate = service.control.hold('item.add');
		const item = [{ ...row.item[0], catalogItemId: by('model', '={{ $json.model }}') }];
		const given = { proposalId, areaOptionId: byName('Living Room'), items: { item } };
		const items = [{ model: 'CV-6C' }, { model: 'None' }];
		const running = run('item.add', given, { items, continueOnFail: true });
		await gate.arrived(1);
		// Wait for both searches, because an unhandled rejection in one of them would end n8n.
		await until('two searches', () => count('catalog.search') >= 2 || undefined, 10_000);
		gate.release();
		expect(await running).toMatchObject([
			{ areaName: 'Living Room' },
			{ error: expect.stringContaining('no part') },
		]);
	});
});

describe('Create Missing Area', () => {
	it('creates a missing area only once', async () => {
		const name = 'Apt 2/3';
		const added = [await add(name, { createMissingArea }), await add(name, { createMissingArea })];
		expect(added).toMatchObject([[{ areaName: name }], [{ areaName: name }]]);
		expect(namesOf()).toEqual(['Living Room', 'Den', name]);
	});

	it('creates the area to which items are moved', async () => {
		const [{ itemId: itemIds }] = (await add('Den / 1')) as [{ itemId: number }];
		const target = { areaOptionId: byName('Attic'), options: { createMissingArea } };
		const output = await run('item.move', { proposalId, itemIds, ...target });
		expect(output).toMatchObject([{ itemId: itemIds, areaName: 'Attic' }]);
	});

	it('creates an area only once across all tries of Retry On Fail', async () => {
		fail('item.add', { status: 409 });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		await expect(add('Attic', { createMissingArea }, { settings })).rejects.toMatchObject({
			description: expect.stringMatching(/The step created the area\..*\n'Retry On Fail' did not/s),
		});
		expect(count('area.create')).toBe(1);
		expect(count('item.add')).toBe(1);
	});

	it('reports the created area if adding the items fails', async () => {
		const description = expect.stringContaining(
			'The step created the area. If you run the step again, it will use this area.',
		);
		fail('item.add', { status: 400 });
		await expect(add('Attic', { createMissingArea })).rejects.toMatchObject({ description });
		const target = { areaOptionId: byName('Loft'), options: { createMissingArea } };
		const moving = run('item.move', { proposalId, itemIds: 1, ...target });
		await expect(moving).rejects.toMatchObject({ description });
		expect(namesOf()).toEqual(['Living Room', 'Den', 'Attic', 'Loft']);
		fail('item.add', { status: 400 });
		const again = add('Attic', { createMissingArea });
		await expect(again).rejects.not.toMatchObject({ description });
	});

	it('uses an existing area', async () => {
		const [item] = await add('den / 2', { createMissingArea });
		const [placed] = service.control.items(proposalId);
		expect(item).toMatchObject({ itemId: placed!.id, areaName: 'Den' });
		expect(placed!.option_id).toBe(areas()[1]!.options[1].id);
		await expect(add('Living Room / 2', { createMissingArea })).rejects.toThrow(
			"'Area Option' was not found: 'Living Room' has only one option",
		);
		expect(namesOf()).toEqual(['Living Room', 'Den']);
		expect(service.changes()).toEqual(['item.add']);
	});
});

describe('unclear responses', () => {
	/** Returns the proposal without its areas. */
	const shortForm = () => ({ ...service.control.proposal(proposalId), areas: undefined });
	const shorten = (operation: string) =>
		respond(operation, shortForm(), { when: 'after', times: 2 });

	it('returns the area or option if the response lacks the areas', async () => {
		const operations = ['area.create', 'areaOption.create', 'areaOption.updateInstallerNotes'];
		for (const operation of operations) shorten(operation);
		const [attic] = await run('area.create', { proposalId, name: 'Attic' });
		const { id: areaId, options } = areas()[2]!;
		const name = 'Attic';
		const place = { areaId, areaName: name, areaOptionId: options[0].id };
		expect(attic).toMatchObject({ proposalId, ...place });
		const additionalFields = { clientDescription: 'In oak' };
		const [second] = await run('areaOption.create', { proposalId, areaId, additionalFields });
		const { id } = areas()[2]!.options[1];
		expect(second).toMatchObject({ proposalId, areaId, areaOptionId: id, areaName: name });
		const updateFields = { installerNotes: 'Two' };
		const ids = { proposalId, areaId, areaOptionId: id };
		const [updated] = await run('areaOption.update', { ...ids, updateFields });
		expect(updated).toMatchObject({ ...ids, areaName: name, installerNotes: 'Two' });
		expect(await add('Loft', { createMissingArea })).toMatchObject([{ areaName: 'Loft' }]);
	});

	it('gives each of two workers the area or option that it added, even if both add one at the same time', async () => {
		const worker = loadWorker();
		const runBoth = async (operation: string, first: object, second: object) => {
			shorten(operation);
			const requests = service.control.hold(operation, 'before');
			const responses = service.control.hold(operation, 'after');
			const running = [run(operation, first), run(operation, second, { worker })];
			await requests.arrived(2);
			requests.release();
			await responses.arrived(2);
			responses.release();
			return (await Promise.all(running)).flat();
		};
		const named = (name: string) => ({ proposalId, name });
		const made = await runBoth('area.create', named('Attic'), named('Garage'));
		expect(made.map(({ areaName }) => areaName)).toEqual(['Attic', 'Garage']);
		const areaId = areas()[0]!.id;
		const withText = (clientDescription: string) => ({
			proposalId,
			areaId,
			additionalFields: { clientDescription },
		});
		const options = await runBoth('areaOption.create', withText('In oak'), withText('In elm'));
		expect(options.map((option) => option.clientDescription)).toEqual(['In oak', 'In elm']);
		const ids = options.map(({ areaOptionId }) => areaOptionId);
		expect(ids).not.toContain(areas()[0]!.options[0].id);
	});

	it('reports an added area as unconfirmed if it cannot be read', async () => {
		shorten('area.create');
		const gate = service.control.hold('area.create', 'after');
		const requestOptions = { requestAttempts: 1 };
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const running = run('area.create', { proposalId, name: 'Attic', requestOptions }, { settings });
		const outcome = running.catch((error: Error) => error);
		await gate.arrived(1);
		fail('proposal.get', { status: 500 });
		gate.release();
		expect(await outcome).toMatchObject({
			description: expect.stringContaining(
				'Portal.io accepted the request, but the change could not be confirmed. Open the proposal before you run the step again.',
			),
		});
		expect(namesOf()).toEqual(['Living Room', 'Den', 'Attic']);
	});

	it('creates no area if the proposal cannot be read', async () => {
		for (const body of [{ maintenance: true }, { id: proposalId, areas: 'none' }]) {
			respond('proposal.get', body);
			await expect(add('Attic', { createMissingArea })).rejects.toThrow(
				/^Unexpected response: Portal.io did not return (a proposal|the list 'areas')$/,
			);
		}
		expect(namesOf()).toEqual(['Living Room', 'Den']);
	});

	it('looks for an area again after its creation failed', async () => {
		fail('area.create', { status: 500, when: 'after' });
		const more = { items: [{}, {}], continueOnFail: true };
		const output = await add('Attic', { createMissingArea }, more);
		expect(output.map(({ areaName }) => areaName)).toEqual([undefined, 'Attic']);
		expect(namesOf()).toEqual(['Living Room', 'Den', 'Attic']);
	});

	it('creates each of four areas only once for 60 input items', async () => {
		const items = Array.from({ length: 60 }, (_, index) => ({ room: `Room ${index % 4}` }));
		const item = [{ itemType: 'Part', catalogItemId: by('model', 'CV-6C') }];
		const options = { createMissingArea };
		const areaOptionId = byName('={{ $json.room }}');
		const given = { proposalId, areaOptionId, items: { item }, options };
		const output = await run('item.add', given, { items });
		expect(output.map(({ areaName }) => areaName)).toEqual(items.map(({ room }) => room));
		expect(areas()).toHaveLength(2 + 4);
		const counts = ['item.add', 'area.create', 'proposal.get', 'catalog.search'].map(count);
		// The node reads the proposal before each of the 4 new areas and each of the 60 additions.
		expect(counts).toEqual([60, 4, 4 + 60, 1]);
		expect(sent()).toHaveLength(129);
	});
});
