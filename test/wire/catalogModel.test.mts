/** Tests catalog items by model, and items as JSON. test/unit/lookupOfModels tests how models are compared. */
import { beforeEach, describe, expect, it } from 'vitest';
import { by, restoredService, seed } from './account.mts';

const service = restoredService();
const { count, run } = service;
const byModel = (value: string) => by('model', value);
const parts = () =>
	service.control.rows('catalog_items', { item_type: 'Part', is_discontinued: 0 });
const partWith = (model: string) => parts().find((one) => one.model === model)!;

it('rejects a model for a fee', async () => {
	const items = { item: [{ itemType: 'Fee', catalogItemId: byModel('LX65') }] };
	await expect(run('item.add', { proposalId: 1, areaOptionId: 1, items })).rejects.toThrow(
		"Row 1: 'Catalog Item' cannot be a model, because Portal.io has no list of",
	);
});

it('finds the replacement part by its model even if an expression returns the whole locator', async () => {
	const proposalId = seed.proposals.staleTheater;
	const itemId = Number(service.control.items(proposalId)[0]!.id);
	const catalogItemId = `={{ { __rl: true, mode: 'model', value: 'lx 65' } }}`;
	await run('item.replace', { proposalId, itemId, catalogItemId });
	const after = service.control.items(proposalId).find(({ id }) => id === itemId);
	expect(after!.referenced_item_id).toBe(partWith('LX65').id);
});

describe('items as JSON', () => {
	/** Quantity of one, as the simulator stores it. */
	const STORED = 10_000;
	let proposalId: number;
	let areaOptionId: number;
	beforeEach(async () => {
		[proposalId] = service.control.addProposals(1, { like: seed.proposals.empty }) as [number];
		const [area] = await run('area.create', { proposalId, name: 'Den' });
		areaOptionId = area!.areaOptionId as number;
		service.control.clearRequests();
	});
	const add = async (itemsJson: unknown) =>
		await run('item.add', { proposalId, areaOptionId, specifyItems: 'json', itemsJson });

	it('adds 500 lines with 40 models in exactly one read, one change, and 40 searches', async () => {
		const sold = parts();
		const models = [...sold.map(({ brand, model }) => `${brand} ${model}`), 'LX65'];
		expect(models).toHaveLength(40);
		const ids = [...sold.map(({ id }) => id), partWith('LX65').id];
		const lines = Array.from({ length: 500 }, (_, index) => ({
			model: models[index % 40],
			quantity: index + 1,
		}));
		expect(await add(JSON.stringify(lines))).toHaveLength(500);
		expect([count('item.add'), count('catalog.search')]).toEqual([1, 40]);
		expect(service.control.requests).toHaveLength(42);
		const stored = service.control.items(proposalId);
		expect(stored.map(({ referenced_item_id: id, quantity }) => [id, quantity])).toEqual(
			lines.map(({ quantity }, index) => [ids[index % 40], quantity * STORED]),
		);
	});

	it('accepts IDs, types, and parents from an expression with a list', async () => {
		const [parent] = await add('={{ [{ catalogItemId: 9001 }] }}');
		await add(
			`={{ [{ catalogItemId: '8001', itemType: 'Labor', quantity: '1.5', parentId: ${Number(parent!.itemId)} },
				{ model: 'CV-6C', catalogItemId: null, parentId: null }] }}`,
		);
		const stored = service.control.items(proposalId);
		expect(stored.map((one) => [one.item_type, one.quantity, one.parent_id])).toEqual([
			['Part', STORED, null],
			['Labor', 1.5 * STORED, parent!.itemId],
			['Part', STORED, null],
		]);
	});

	it('adds labor by its name', async () => {
		const [labor] = await add('[{ "model": "installation", "itemType": "Labor" }]');
		expect(labor).toMatchObject({ name: 'Installation', model: null });
	});

	it('accepts the names of fields as spreadsheets write them', async () => {
		await add('\ufeff[{ "\ufeffmodel": "CV-6C", " Quantity ": "3", "Item Type": "Part" }]');
		expect(service.control.items(proposalId)).toMatchObject([
			{ referenced_item_id: partWith('CV-6C').id, quantity: 3 * STORED },
		]);
	});

	it.each([
		['{ "catalogItemId": 9001 }'],
		['```json\n[{ "catalogItemId": 9001 }]\n```'],
		['```\n{ "catalogItemId": 9001 }```\n'],
	])('accepts a single item and a code block, as AI models write them: %j', async (given) => {
		await add(given);
		expect(service.control.items(proposalId)).toMatchObject([{ referenced_item_id: 9001 }]);
	});

	it.each([
		['={{ [{ model: "CV-6C" }] }} ', "it is '[object Object] '"],
		['[{ "model": "CV-6C", "Model ": "LX65" }]', "Row 1: 'model' appears twice"],
		['', "'Items (JSON)' is empty: add at least one item"],
		['[{', "'Items (JSON)' must be a JSON list such as"],
		['={{ $json.nothing }}', "'Items (JSON)' has no value"],
		['[]', "'Items (JSON)' is empty: add at least one item"],
		[
			'[null]',
			'Row 1: \'Entry\' must be an object with named values, such as { "model": "Sonos AMPG1US1", "quantity": 2 }; it is \'null\'',
		],
		['[{ "catalogItemId": 9001 }, {}]', "Row 2: 'catalogItemId' is empty"],
		[
			'[{ "catalogItemId": 9001, "qty": 2 }]',
			"Row 1: 'qty' is not a field of an item. Use 'catalogItemId' or 'model'",
		],
		[
			'[{ "catalogItemId": "LX65" }]',
			"Row 1: 'catalogItemId' must be a numeric ID, such as 12345; it is 'LX65'. For a model, use 'model' instead of 'catalogItemId'.",
		],
		[
			'[{ "catalogItemId": 9001, "model": "LX65" }]',
			"Row 1: 'model' cannot be combined with 'catalogItemId'",
		],
		['[{ "model": "LX65", "itemType": "parts" }]', "Row 1: 'itemType' must be one of"],
		['[{ "model": "LX65", "itemType": "Fee" }]', "Row 1: 'model' cannot be a model"],
		['={{ [{ catalogItemId: 9001, quantity: $json.nothing }] }}', "Row 1: 'quantity' has no value"],
	])('rejects %j before any request', async (given, message) => {
		await expect(add(given)).rejects.toThrow(message);
		expect(service.control.requests).toEqual([]);
	});

	it.each([
		[
			[
				{ catalogItemId: 9001, quantity: 'two' },
				{ catalogItemId: 'LX65' },
				{ catalogItemId: 9001, itemType: 'Cable' },
			],
		],
		[[{ model: 'None A' }, { model: 'None B' }, { model: 'CV' }]],
	])('lists every invalid entry of %j', async (wrong) => {
		await expect(add([{ catalogItemId: 9001 }, ...wrong])).rejects.toMatchObject({
			message: '3 values are invalid',
			description: expect.stringMatching(/^Row 2: '.+' .+\nRow 3: '.+' .+\nRow 4: /),
		});
		expect(count('item.add')).toBe(0);
	});
});
