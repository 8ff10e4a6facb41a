/** Catalog items given by their model, and items given as JSON. */
import { beforeEach, describe, expect, it } from 'vitest';
import { execute } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;
const byModel = (value: string) => ({ __rl: true as const, mode: 'model', value });
const requests = (operationId: string) =>
	service.control.requests.filter((one) => one.operationId === operationId);
/** The parts that a search can find. */
const parts = () =>
	service.control
		.catalogItems(seed.accounts.dealer)
		.filter((one) => one.item_type === 'Part' && one.is_discontinued !== 1);
const partWith = (model: string) => parts().find((one) => one.model === model)!;

describe('a catalog item by its model', () => {
	it.each([
		...['CV-6C', 'cv6c', 'Corvane CV-6C', ' corvane  cv 6c ', 'CORVANE-CV6C'],
		// What other programs make of it: a minus sign, a space that nobody sees, wide letters.
		...['CV\u22126C', 'C\u200bV-6C\ufeff', '\uff23\uff36\uff0d6C', 'CV\u20136C'],
		...['Corvane: CV-6C', 'Corvane › CV-6C', 'Corvane® CV-6C', 'Corvane | CV-6C'],
	])('finds a catalog item by the model %j', async (model) => {
		const [found] = await run('catalog.get', { catalogItemId: byModel(model) });
		expect(found).toMatchObject({ id: partWith('CV-6C').id });
	});

	/** Runs with models of a catalog that the simulator does not have; returns the IDs that are asked for. */
	const idsFor = async (given: object[], items: object[]) => {
		const body = { items, totalItemCount: items.length };
		const found = { operationId: 'catalog.search', status: 200, body, times: given.length };
		service.control.failNext(found);
		const parameters = {
			itemType: '={{ $json.itemType }}',
			catalogItemId: byModel('={{ $json.model }}'),
		};
		const rows = given.map((one) => ({ itemType: 'Part', ...one }));
		// None of them exists.
		await run('catalog.get', parameters, { items: rows, continueOnFail: true });
		return requests('catalog.get').map(({ path }) => Number(path.split('/').at(-1)));
	};

	it.each([
		['ML-8RLC', 'ML8RLC'],
		['ML8RLC', 'ML-8RLC'],
		['ml8rlc', 'ml-8rlc'],
	])('tells two models apart that differ in a hyphen: %j and then %j', async (...models) => {
		const twins = ['ML-8RLC', 'ML8RLC'].map((model, index) => ({ id: 901 + index, model }));
		const expected = models.map((model) => (model.includes('-') ? 901 : 902));
		expect(
			await idsFor(
				models.map((model) => ({ model })),
				twins,
			),
		).toEqual(expected);
	});

	it('finds a model with quotation marks of inches in any form', async () => {
		const items = [{ id: 903, model: '32" Mount' }];
		expect(await idsFor([{ model: '32\u201d Mount' }], items)).toEqual([903]);
	});

	it('remembers the ID of a model with its type', async () => {
		await idsFor([{ model: 'X5' }, { model: 'X5', itemType: 'Labor' }], [{ id: 904, model: 'X5' }]);
		const types = requests('catalog.search').map(({ query }) =>
			new URLSearchParams(query).get('ItemType'),
		);
		expect(types).toEqual(['Part', 'Labor']);
	});

	/** A catalog that answers a search in pages of 100. */
	const answer = (items: object[]) => {
		for (let page = 0; page * 100 < Math.min(items.length, 600); page++) {
			const body = {
				items: items.slice(page * 100, (page + 1) * 100),
				totalItemCount: items.length,
			};
			service.control.failNext({ operationId: 'catalog.search', status: 200, body });
		}
	};
	const others = (count: number) =>
		Array.from({ length: count }, (_, id) => ({ id: id + 1, model: `Mount for X5 ${id}` }));

	it.each([
		['X5', [...others(130), { id: 905, model: 'X5' }]],
		['X5', [{ id: 901, model: 'X-5' }, ...others(130), { id: 905, model: 'X5' }]],
		['x 5', [{ id: 901, model: 'X-5' }, ...others(130), { id: 905, model: 'X 5' }]],
		['Acme X5', [...others(20), { id: 905, brand: 'Acme', model: 'X5' }, ...others(2000)]],
	])('finds the model %j that is behind similar ones', async (model, items) => {
		answer(items);
		await expect(run('catalog.get', { catalogItemId: byModel(model) })).rejects.toThrow();
		expect(requests('catalog.get')[0]!.path).toMatch(/\/905$/);
	});

	it.each([
		['X5', [{ id: 905, brand: 'Acme', model: 'X5' }, ...others(2000)]],
		['X5', [{ id: 905, model: 'X5' }, ...others(500)]],
		['Acme X5', [{ id: 901, brand: 'Acme', model: 'X-5' }, ...others(2000)]],
	])('asks for the brand where %j has more results than it reads', async (model, items) => {
		answer(items);
		await expect(run('catalog.get', { catalogItemId: byModel(model) })).rejects.toThrow(
			`'Catalog Item' was not found: '${model}' has more than 500 results. Put the brand in front`,
		);
		expect(requests('catalog.get')).toEqual([]);
	});

	it.each([
		[
			'CV',
			/no part has exactly the model 'CV', or it is discontinued\. Similar ones: Corvane CV-6C \(ID 9008\), /,
		],
		[
			'Sonos XYZ',
			/no part has the model 'Sonos XYZ', or it is discontinued\. Check the model, or enter the ID\./,
		],
		['', /'Catalog Item' is empty: choose or enter one/],
	])('finds no catalog item by the model %j', async (model, message) => {
		// By an expression: n8n itself refuses an empty field.
		const given = { catalogItemId: byModel('={{ $json.model }}') };
		const get = run('catalog.get', given, { items: [{ model }] });
		await expect(get).rejects.toThrow(message);
		expect(requests('catalog.get')).toEqual([]);
	});

	it('lists up to five candidates, with brand, model and ID, when several have it', async () => {
		const items = Array.from({ length: 7 }, (_, index) => ({
			id: 500 + index,
			brand: `Brand ${index}`,
			model: 'Twin-1',
		}));
		const body = { items, totalItemCount: 7 };
		service.control.failNext({ operationId: 'catalog.search', status: 200, body });
		const listed = items.slice(0, 5).map(({ id, brand }) => `${brand} Twin-1 (ID ${id})`);
		await expect(run('catalog.get', { catalogItemId: byModel('twin 1') })).rejects.toThrow(
			`'Catalog Item' matches 7 catalog items: ${listed.join(', ')}. Put the brand in front, or enter the ID.`,
		);
	});

	it('finds a model of the item type above, and no fee', async () => {
		const parameters = { itemType: 'Labor', catalogItemId: byModel('LX65') };
		await expect(run('catalog.get', parameters)).rejects.toThrow("no labor has the model 'LX65'");
		const [query] = requests('catalog.search').map((one) => new URLSearchParams(one.query));
		expect(query!.get('ItemType')).toBe('Labor');
		const item = [{ itemType: 'Fee', itemId: byModel('LX65') }];
		await expect(
			run('item.add', { proposalId: 1, areaOptionId: 1, items: { item } }),
		).rejects.toThrow("'Items', row 1: 'Catalog Item' cannot be a model: Portal.io has no list of");
	});

	it('replaces an item by its model, from an expression that gives the whole locator', async () => {
		const proposalId = seed.proposals.staleTheater;
		const itemId = Number(service.control.items(proposalId)[0]!.id);
		const given = `={{ { __rl: true, mode: 'model', value: 'lx 65' } }}`;
		await run('item.replace', { proposalId, itemId, catalogItemId: given });
		const after = service.control.items(proposalId).find(({ id }) => id === itemId);
		expect(after!.referenced_item_id).toBe(partWith('LX65').id);
	});

	it('searches a model once for many inputs, of which some fail alone', async () => {
		const models = ['LX65', 'CV-8C', 'NoSuchThing'];
		const items = Array.from({ length: 60 }, (_, index) => ({ model: models[index % 3]! }));
		const output = await execute({
			credential: service.account,
			parameters: {
				resource: 'catalog',
				operation: 'get',
				catalogItemId: byModel('={{ $json.model }}'),
			},
			items,
			continueOnFail: true,
		});
		for (const [index, { json, pairedItem }] of output.entries()) {
			expect(pairedItem).toEqual({ item: index });
			const { model } = items[index]!;
			if (model === 'NoSuchThing') expect(json.error).toContain("the model 'NoSuchThing'");
			else expect(json.model).toBe(model);
		}
		// What is not found is searched once more by its parts, where it has several.
		expect(requests('catalog.search')).toHaveLength(3);
	});

	it('changes a proposal for one input while the model of the next is not found', async () => {
		const proposalId = seed.proposals.viewed;
		const [item] = service.control.items(proposalId);
		const output = await execute({
			credential: service.account,
			parameters: {
				...{ resource: 'item', operation: 'replace', proposalId, itemId: item!.id },
				catalogItemId: byModel('={{ $json.model }}'),
			},
			items: [{ model: 'LX65' }, { model: 'NoSuchThing' }],
			continueOnFail: true,
		});
		// A failed look-up that nobody waits for yet would end n8n, and fails the run of the tests.
		expect(output.map(({ json }) => typeof json.error)).toEqual(['undefined', 'string']);
	});

	it('fails each input under its own index when the search for its model is refused', async () => {
		const output = await execute({
			credential: service.credential('restricted'),
			parameters: { resource: 'catalog', operation: 'get', catalogItemId: byModel('LX65') },
			items: [{}, {}],
			continueOnFail: true,
		});
		expect(output).toMatchObject(
			[0, 1].map((item) => ({ json: { details: { httpCode: '403' } }, pairedItem: { item } })),
		);
		expect(requests('catalog.search')).toHaveLength(1);
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
	const add = async (itemsJson: unknown, more: object = {}) =>
		await run('item.add', {
			proposalId,
			areaOptionId,
			specifyItems: 'json',
			itemsJson,
			...more,
		});

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
		const output = await add(JSON.stringify(lines));
		expect(requests('item.add')).toHaveLength(1);
		expect(requests('catalog.search')).toHaveLength(40);
		expect(service.control.requests).toHaveLength(41);
		expect(output).toHaveLength(500);
		const stored = service.control.items(proposalId);
		expect(stored.map(({ referenced_item_id: id, quantity }) => [id, quantity])).toEqual(
			lines.map(({ quantity }, index) => [ids[index % 40], quantity * STORED]),
		);
	});

	it('takes IDs, types and parents, from an expression that gives a list', async () => {
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

	it('takes the names of fields as spreadsheets have them', async () => {
		await add('\ufeff[{ "\ufeffmodel": "CV-6C", " Quantity ": "3", "Item Type": "Part" }]');
		expect(service.control.items(proposalId)).toMatchObject([
			{ referenced_item_id: partWith('CV-6C').id, quantity: 3 * STORED },
		]);
	});

	it('says of a list with something around it to remove that', async () => {
		await expect(add('={{ [{ model: "CV-6C" }] }} ')).rejects.toMatchObject({
			message: expect.stringContaining("it is '[object Object] '"),
			description: expect.stringContaining('remove the text and blanks around it'),
		});
	});

	it.each([
		['[{ "model": "CV-6C", "Model ": "LX65" }]', "row 1: 'model' is there twice"],
		['', "'Items (JSON)' is empty: add at least one item"],
		['[{', "'Items (JSON)' must be a JSON list such as"],
		['{ "itemId": 9001 }', "'Items (JSON)' must be a JSON list such as"],
		['={{ $json.nothing }}', "'Items (JSON)' has no value"],
		['[]', "'Items (JSON)' is empty: add at least one item"],
		['[9001]', "'Items (JSON)' must hold objects: row 1 is '9001'"],
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
	])('refuses %j before anything is sent', async (given, message) => {
		await expect(add(given)).rejects.toThrow(message);
		expect(service.control.requests).toEqual([]);
	});

	it('names every wrong entry, also where models are not found', async () => {
		const wrong = [
			{ itemId: 9001 },
			{ itemId: 9001, quantity: 'two' },
			{ itemId: 'LX65' },
			{ itemId: 9001, itemType: 'Cable' },
		];
		await expect(add(wrong)).rejects.toMatchObject({
			message: "'Items (JSON)' has 3 invalid entries",
			description: expect.stringMatching(
				/^'Items \(JSON\)', row 2: 'quantity' must be .+\n'Items \(JSON\)', row 3: 'itemId' must be .+\n'Items \(JSON\)', row 4: 'itemType' must be .+$/,
			),
		});
		const unknown = [{ model: 'LX65' }, { model: 'None A' }, { model: 'None B' }, { model: 'CV' }];
		await expect(add(unknown)).rejects.toMatchObject({
			message: "'Items (JSON)' has 3 invalid entries",
			description: expect.stringMatching(/row 2: 'model' .+\n.+row 3: 'model' .+\n.+row 4: /),
		});
		expect(requests('item.add')).toEqual([]);
	});
});
