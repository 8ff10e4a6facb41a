/**
 * Catalog items by their model, and items as JSON. Which of several models is meant:
 * test/unit/lookups.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;
const byModel = (value: string) => ({ __rl: true as const, mode: 'model', value });
const requests = (operationId: string) =>
	service.control.requests.filter((one) => one.operationId === operationId);
/** The parts that a search can find. */
const parts = () =>
	service.control.rows('catalog_items', { item_type: 'Part', is_discontinued: 0 });
const partWith = (model: string) => parts().find((one) => one.model === model)!;

describe('a catalog item by its model', () => {
	it.each([
		...['CV-6C', 'cv6c', ' corvane  cv 6c ', 'CORVANE-CV6C'],
		// Variants from other programs: a minus sign, an invisible space, wide letters.
		...['CV\u22126C', 'C\u200bV-6C\ufeff', '\uff23\uff36\uff0d6C', 'Corvane® CV-6C'],
	])('finds a catalog item by the model %j', async (model) => {
		const [found] = await run('catalog.get', { catalogItemId: byModel(model) });
		expect(found).toMatchObject({ id: partWith('CV-6C').id });
	});

	/** A catalog that answers searches in pages of 100, whose items only a search knows. */
	const answer = (items: object[], times = 1) => {
		const totalItemCount = items.length;
		for (let start = 0; start < Math.min(totalItemCount, 600); start += 100) {
			const body = { items: items.slice(start, start + 100), totalItemCount };
			service.control.failNext({ operationId: 'catalog.search', status: 200, body, times });
		}
	};
	/** Runs with models; returns the IDs that they have. */
	const idsFor = async (...rows: { model: string; itemType?: string }[]) => {
		const parameters = {
			itemType: "={{ $json.itemType ?? 'Part' }}",
			catalogItemId: byModel('={{ $json.model }}'),
		};
		await run('catalog.get', parameters, { items: rows, continueOnFail: true });
		return requests('catalog.get').map(({ path }) => Number(path.split('/').at(-1)));
	};

	it.each([
		['ML-8RLC', 'ML8RLC'],
		['ml8rlc', 'ml-8rlc'],
	])('distinguishes two models that differ in a hyphen: %j and then %j', async (...models) => {
		const twins = ['ML-8RLC', 'ML8RLC'].map((model, index) => ({ id: 901 + index, model }));
		answer(twins, 2);
		const expected = models.map((model) => (model.includes('-') ? 901 : 902));
		expect(await idsFor(...models.map((model) => ({ model })))).toEqual(expected);
	});

	it('finds a model with the quotation mark of inches in another form', async () => {
		answer([{ id: 903, model: '32" Mount' }]);
		expect(await idsFor({ model: '32\u201d Mount' })).toEqual([903]);
	});

	it('searches a model once for each item type', async () => {
		answer([{ id: 904, model: 'X5' }], 2);
		await idsFor({ model: 'X5' }, { model: 'X5', itemType: 'Labor' }, { model: 'X5' });
		const types = requests('catalog.search').map(({ query }) =>
			new URLSearchParams(query).get('ItemType'),
		);
		expect(types).toEqual(['Part', 'Labor']);
	});

	const others = (count: number) =>
		Array.from({ length: count }, (_, id) => ({ id: id + 1, model: `Mount for X5 ${id}` }));

	it.each([
		['X5', [{ id: 901, model: 'X-5' }, ...others(130), { id: 905, model: 'X5' }]],
		['x 5', [{ id: 901, model: 'X-5' }, ...others(130), { id: 905, model: 'X 5' }]],
		['Acme X5', [...others(20), { id: 905, brand: 'Acme', model: 'X5' }, ...others(2000)]],
	])('finds the exact model %j behind similar ones', async (model, items) => {
		answer(items);
		expect(await idsFor({ model })).toEqual([905]);
	});

	it.each([
		['X5', [{ id: 905, model: 'X5' }, ...others(500)]],
		['Acme X5', [{ id: 901, brand: 'Acme', model: 'X-5' }, ...others(2000)]],
	])('asks for the brand where %j has more results than it reads', async (model, items) => {
		answer(items);
		await expect(run('catalog.get', { catalogItemId: byModel(model) })).rejects.toThrow(
			`'Catalog Item' was not found: '${model}' has more than 500 results. Add the brand before the model`,
		);
	});

	it('lists up to five candidates, with brand, model and ID, where several have the model', async () => {
		const brands = Array.from({ length: 7 }, (_, index) => `Brand ${index}`);
		answer(brands.map((brand, index) => ({ id: 500 + index, brand, model: 'Twin-1' })));
		const listed = brands.slice(0, 5).map((brand, index) => `${brand} Twin-1 (ID ${500 + index})`);
		await expect(run('catalog.get', { catalogItemId: byModel('twin 1') })).rejects.toThrow(
			`'Catalog Item' matches 7 catalog items: ${listed.join(', ')}. Add the brand before the model, or enter the ID.`,
		);
	});

	it('finds no fee by a model', async () => {
		const items = { item: [{ itemType: 'Fee', itemId: byModel('LX65') }] };
		await expect(run('item.add', { proposalId: 1, areaOptionId: 1, items })).rejects.toThrow(
			"'Items', row 1: 'Catalog Item' cannot be a model: Portal.io has no list of",
		);
	});

	it('replaces an item by a model, from an expression with the whole locator', async () => {
		const proposalId = seed.proposals.staleTheater;
		const itemId = Number(service.control.items(proposalId)[0]!.id);
		const catalogItemId = `={{ { __rl: true, mode: 'model', value: 'lx 65' } }}`;
		await run('item.replace', { proposalId, itemId, catalogItemId });
		const after = service.control.items(proposalId).find(({ id }) => id === itemId);
		expect(after!.referenced_item_id).toBe(partWith('LX65').id);
	});

	it('searches a model once for many inputs, and fails those alone whose model is not found', async () => {
		const models = ['LX65', 'CV-8C', 'NoSuchThing'];
		const items = Array.from({ length: 60 }, (_, index) => ({ model: models[index % 3]! }));
		const catalogItemId = byModel('={{ $json.model }}');
		const output = await run('catalog.get', { catalogItemId }, { items, continueOnFail: true });
		for (const [index, { error, model }] of output.entries()) {
			if (index % 3 === 2) expect(error).toContain("the model 'NoSuchThing'");
			else expect(model).toBe(items[index]!.model);
		}
		expect(requests('catalog.search')).toHaveLength(3);
	});
});

describe('items as JSON', () => {
	/** As the simulator stores a quantity of one. */
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

	it('adds 500 lines with 40 models: one request to add, 40 searches', async () => {
		// All models with their brand, and one without.
		const sold = parts();
		const models = [...sold.map(({ brand, model }) => `${brand} ${model}`), 'LX65'];
		expect(models).toHaveLength(40);
		const ids = [...sold.map(({ id }) => id), partWith('LX65').id];
		const lines = Array.from({ length: 500 }, (_, index) => ({
			model: models[index % 40],
			quantity: index + 1,
		}));
		expect(await add(JSON.stringify(lines))).toHaveLength(500);
		expect(requests('item.add')).toHaveLength(1);
		expect(requests('catalog.search')).toHaveLength(40);
		expect(service.control.requests).toHaveLength(41);
		const stored = service.control.items(proposalId);
		expect(stored.map(({ referenced_item_id: id, quantity }) => [id, quantity])).toEqual(
			lines.map(({ quantity }, index) => [ids[index % 40], quantity * STORED]),
		);
	});

	it('accepts IDs, types and parents, from an expression with a list', async () => {
		const [parent] = await add('={{ [{ itemId: 9001 }] }}');
		await add(
			`={{ [{ itemId: '8001', itemType: 'Labor', quantity: '1.5', parentId: ${Number(parent!.id)} },
				{ model: 'CV-6C', itemId: null, parentId: null }] }}`,
		);
		expect(
			service.control.items(proposalId).map((one) => [one.item_type, one.quantity, one.parent_id]),
		).toEqual([
			['Part', STORED, null],
			['Labor', 1.5 * STORED, parent!.id],
			['Part', STORED, null],
		]);
	});

	it('accepts the names of fields as spreadsheets write them', async () => {
		await add('\ufeff[{ "\ufeffmodel": "CV-6C", " Quantity ": "3", "Item Type": "Part" }]');
		expect(service.control.items(proposalId)).toMatchObject([
			{ referenced_item_id: partWith('CV-6C').id, quantity: 3 * STORED },
		]);
	});

	it.each([
		['={{ [{ model: "CV-6C" }] }} ', "it is '[object Object] '"],
		['[{ "model": "CV-6C", "Model ": "LX65" }]', "row 1: 'model' appears twice"],
		['', "'Items (JSON)' is empty: add at least one item"],
		['[{', "'Items (JSON)' must be a JSON list such as"],
		['{ "itemId": 9001 }', "'Items (JSON)' must be a JSON list such as"],
		['={{ $json.nothing }}', "'Items (JSON)' has no value"],
		['[]', "'Items (JSON)' is empty: add at least one item"],
		['[null]', "'Items (JSON)' must hold objects: row 1 is 'null'"],
		['[{ "itemId": 9001 }, {}]', "'Items (JSON)', row 2: 'itemId' is empty"],
		[
			'[{ "itemId": 9001, "qty": 2 }]',
			"'Items (JSON)', row 1: 'qty' is not a field of an item. Use 'itemId' or 'model'",
		],
		['[{ "itemId": 9001, "model": "LX65" }]', "row 1: 'model' cannot be combined with 'itemId'"],
		['[{ "model": "LX65", "itemType": "part" }]', "row 1: 'itemType' must be one of"],
		['[{ "model": "LX65", "itemType": "Fee" }]', "row 1: 'model' cannot be a model"],
		['={{ [{ itemId: 9001, quantity: $json.nothing }] }}', "row 1: 'quantity' has no value"],
	])('sends nothing for %j', async (given, message) => {
		await expect(add(given)).rejects.toThrow(message);
		expect(service.control.requests).toEqual([]);
	});

	it.each([
		[[{ itemId: 9001, quantity: 'two' }, { itemId: 'LX65' }, { itemId: 9001, itemType: 'Cable' }]],
		[[{ model: 'None A' }, { model: 'None B' }, { model: 'CV' }]],
	])('names every wrong entry of %j', async (wrong) => {
		await expect(add([{ itemId: 9001 }, ...wrong])).rejects.toMatchObject({
			message: "'Items (JSON)' has 3 invalid entries",
			description: expect.stringMatching(/row 2: '.+' .+\n.+row 3: '.+' .+\n.+row 4: /),
		});
		expect(requests('item.add')).toEqual([]);
	});
});
