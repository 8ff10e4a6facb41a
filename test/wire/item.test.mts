/** Tests outputs of item operations. */
import axios from 'axios';
import { beforeEach, describe, expect, it } from 'vitest';
import { by, restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;
const proposalId = seed.proposals.staleTheater;

interface Item {
	id: number;
	[field: string]: unknown;
}
interface Area {
	id: number;
	name: string;
	options: { id: number; status: string; items: Item[] }[];
}
const areas = (): Area[] => service.control.proposal(proposalId).areas;
const items = (): Item[] =>
	areas().flatMap(({ name, options }) =>
		options.flatMap(({ items: own }) => own.map((item) => ({ ...item, areaName: name }))),
	);
const idsOf = (records: object[]) => records.map((one) => (one as { id: number }).id);
const itemIdsOf = (output: object[]) => output.map((one) => (one as { itemId: number }).itemId);
/** Returns the simplified output of an item, calculated from the whole proposal. */
const flat = (id: number) => {
	const item: Item = items().find((one) => one.id === id)!;
	return {
		itemId: id,
		name: item.brand ? `${String(item.brand)} ${String(item.model)}` : item.name,
		quantity: item.quantity,
		cost: item.cost,
		sellPrice: item.sellPrice,
		areaName: item.areaName,
		supplier: item.supplier ?? null,
		brand: item.brand ?? null,
		model: item.model ?? null,
		proposalId,
	};
};

let areaOptionId: number;
let first: number;
let target: number;
beforeEach(async () => {
	[first] = idsOf(items()) as [number];
	areaOptionId = areas()[0]!.options[0]!.id;
	const [attic] = await run('area.create', { proposalId, name: 'Attic' });
	target = attic!.areaOptionId as number;
	service.control.clearRequests();
});

const add = async (...item: object[]) =>
	await run('item.add', { proposalId, areaOptionId, items: { item } });

it('returns the items that match the filters', async () => {
	const whole = seed.proposals.staleWholeHome;
	const rows = service.control.items(whole);
	const { area_id: areaId, option_id: areaOptionId } = rows[0]!;
	const idsWhere = (isWanted: (row: (typeof rows)[0]) => boolean) => idsOf(rows.filter(isWanted));
	for (const [filters, ids] of [
		[{}, idsOf(rows)],
		[{ areaId }, idsWhere((row) => row.area_id === areaId)],
		[{ areaOptionId }, idsWhere((row) => row.option_id === areaOptionId)],
		[{ excludeRecurringServices: true }, idsWhere((row) => row.is_recurring_service !== 1)],
		[{ searchText: 'lx65  LUMENFOLD' }, idsWhere((row) => row.model === 'LX65')],
		[{ itemTypes: ['Labor', 'Fee'] }, idsWhere((row) => /Labor|Fee/.test(String(row.item_type)))],
	] as const) {
		const options = { includeDeclinedOptions: true };
		const given = { proposalId: whole, returnAll: true, filters, options };
		const found = await run('item.getMany', given);
		expect(itemIdsOf(found).sort()).toEqual(ids.toSorted());
	}
	expect((await run('item.getMany', { proposalId }))[0]).toEqual(flat(first));
});

it('returns added items in the order of the rows', async () => {
	const before = idsOf(items());
	const output = await add(
		{ catalogItemId: 8001, itemType: 'Labor', quantity: 1 },
		{ catalogItemId: 9001, itemType: 'Part', quantity: 7, parentId: first },
		{ catalogItemId: 9003, itemType: 'Part', quantity: 1 },
		{ catalogItemId: 9001, itemType: 'Part', quantity: 8 },
	);
	const added = idsOf(items()).filter((id) => !before.includes(id));
	expect(output).toEqual(
		added.map((id) => {
			const fields: Record<string, unknown> = { ...flat(id), reused: false };
			delete fields.brand;
			return fields;
		}),
	);
	expect(output.map(({ quantity }) => quantity)).toEqual([1, 7, 1, 8]);
});

it('returns copied and moved items with those nested under them', async () => {
	const [nested] = await add({ catalogItemId: 8001, itemType: 'Labor', parentId: first });
	const before = idsOf(items());
	const areaOptionIds = [target, areaOptionId];
	const copies = await run('item.copy', { proposalId, itemIds: [first], areaOptionIds });
	const added = idsOf(items()).filter((id) => !before.includes(id));
	expect(added).toHaveLength(4);
	expect(copies).toEqual(added.toSorted((one, other) => one - other).map(flat));
	const moved = await run('item.move', { proposalId, itemIds: [first], areaOptionId: target });
	expect(moved).toEqual([first, nested!.itemId as number].map(flat));
	expect(moved[0]).toMatchObject({ areaName: 'Attic' });
});

it('returns the item that was replaced, updated, or given another supplier', async () => {
	const ids = { proposalId, itemId: first };
	const [supplier] = await run('item.getSuppliers', ids);
	expect(supplier).toMatchObject(ids);
	const changes: [name: string, parameters: object][] = [
		['item.setSupplier', { supplierId: supplier!.supplierId }],
		['item.update', { updateFields: { quantity: 5 } }],
		['item.replace', { catalogItemId: 9003 }],
	];
	for (const [name, parameters] of changes) {
		expect(await run(name, { ...ids, ...parameters })).toEqual([flat(first)]);
	}
	expect(items()[0]).toMatchObject({ referencedItemId: 9003, quantity: 5 });
});

const options = { skipIfPresent: true };
const addAll = async (...item: object[]) =>
	await run('item.add', { proposalId, areaOptionId: target, items: { item }, options });
const posts = () =>
	service.control.requests
		.filter(({ method }) => method === 'POST')
		.map(({ bodyText }) =>
			JSON.parse(new URLSearchParams(bodyText).get('Items')!).map(
				({ itemId, quantity }: { itemId: number; quantity: number }) => [itemId, quantity],
			),
		);
const [amp, mount] = [
	{ catalogItemId: 9001, quantity: 2 },
	{ catalogItemId: 9003, quantity: 4 },
];

it('with Skip If Present, adds only the missing items', async () => {
	const [first] = await addAll(amp);
	const [both, again] = [await addAll(amp, mount), await addAll(mount, amp, amp)];
	expect(both).toMatchObject([{ itemId: first!.itemId }, { quantity: 4 }]);
	expect(itemIdsOf(again).slice(0, 2)).toEqual(itemIdsOf(both));
	expect(posts()).toEqual([[[9001, 2]], [[9003, 4]], [[9001, 2]]]);
	expect([both, again].map((items) => items.map(({ reused }) => reused))).toEqual([
		[true, false],
		[true, true, false],
	]);
	expect(await addAll(amp, mount, amp)).toEqual(again.map((one) => ({ ...one, reused: true })));
	expect(posts()).toHaveLength(3);
});

it('adds an item that only another option contains, even with Skip If Present', async () => {
	await add(amp);
	expect(await addAll(amp)).toMatchObject([{ areaName: 'Attic' }]);
});

it('with Skip If Present, fails if the quantity of an item differs', async () => {
	await addAll(mount);
	service.control.clearRequests();
	await expect(addAll({ ...mount, quantity: 3 })).rejects.toMatchObject({
		message: 'The item is already in Attic (quantity 4)',
	});
	await expect(addAll(amp, { ...mount, quantity: 3 })).rejects.toMatchObject({
		message: 'row 2: already in Attic (quantity 4)',
		description: expect.stringMatching(/^No items were added to the proposal\./),
	});
	await addAll(amp);
	service.control.clearRequests();
	const both = [amp, mount].map((one) => ({ ...one, quantity: 3 }));
	await expect(addAll(...both)).rejects.toMatchObject({
		message: '2 rows are already in the proposal with a different quantity',
		description: expect.stringMatching(
			/^row 1: .+\(quantity 2\)\.\nrow 2: .+\(quantity 4\)\.\nNo items/,
		),
	});
	expect(posts()).toEqual([]);
});

describe('an accepted proposal with two change orders', () => {
	const { submittedToo } = seed.proposals;
	beforeEach(async () => {
		for (const id of Object.values(seed.changeOrders)) {
			service.control.update('proposals', { id }, { parentId: submittedToo });
		}
		const [{ id, options }] = service.control.proposal(submittedToo).areas;
		// The client accepts the second option, which declines the first one.
		await axios.post(
			`${service.simulator.url}/client/proposals/${submittedToo}/accept`,
			String(new URLSearchParams({ [`area-${id}`]: options[1].id })),
			{ headers: { Origin: service.simulator.url } },
		);
	});

	it('returns the items of accepted options and change orders', async () => {
		const output = await run('item.getMany', {
			proposalId: submittedToo,
			filters: { acceptedOptionsOnly: true, itemTypes: ['Part'] },
			options: { includeChangeOrders: true },
			output: 'selected',
			fields: ['name', 'quantity', 'cost', 'sellPrice', 'changeOrderId'],
		});
		const { accepted: changeOrderId } = seed.changeOrders;
		expect(
			output.map((one) => [one.name, one.quantity, one.cost, one.sellPrice, one.changeOrderId]),
		).toEqual([
			['Lumenfold LX85-P', 1, 2950, 4299, null],
			['Hearthline Glass 7', 2, 512.6, 890, null],
			['Hearthline Handset', 1, 238, 420, changeOrderId],
		]);
	});

	describe('with a declined option', () => {
		const returned = async (filters: object, options: object = {}) => {
			const given = { proposalId: submittedToo, filters, options, output: 'selected' };
			const parameters = { ...given, fields: ['optionStatus'] };
			const { after, hints } = await service.workflow('item.getMany', parameters);
			return { statuses: new Set(after.map(({ json }) => json.optionStatus)), hints };
		};
		const includeDeclinedOptions = true;

		it('excludes the items of the declined option', async () => {
			const { statuses, hints } = await returned({});
			expect(statuses).not.toContain('Declined');
			expect(statuses).toContain('Accepted');
			expect(hints).toEqual([]);
		});

		it("returns the option's items with 'Include Declined Options'", async () => {
			expect((await returned({}, { includeDeclinedOptions })).statuses).toContain('Declined');
		});

		it("returns the option's items if the option is chosen", async () => {
			const [{ options }] = service.control.proposal(submittedToo).areas;
			const areaOptionId = by('id', options[0].id);
			expect((await returned({ areaOptionId })).statuses).toEqual(new Set(['Declined']));
		});

		it('suggests Include Declined Options if all other items are filtered out', async () => {
			const [{ options }] = service.control.proposal(submittedToo).areas;
			for (const { id } of options) {
				service.control.update('area_options', { id }, { status: 'Declined' });
			}
			const [{ id: areaId }] = service.control.proposal(submittedToo).areas;
			expect((await returned({ areaId })).hints).toContain(
				"All matching items belong to options that the client declined. To return them, turn on 'Include Declined Options'.",
			);
		});

		it("reports that 'Include Declined Options' has no effect with 'Accepted Options Only'", async () => {
			const { hints } = await returned({ acceptedOptionsOnly: true }, { includeDeclinedOptions });
			expect(hints).toEqual([
				"'Include Declined Options' has no effect with the filter 'Accepted Options Only'.",
			]);
		});
	});

	it('returns the items of an area from the proposal and from its change orders', async () => {
		const { accepted: changeOrderId, draft } = seed.changeOrders;
		const [{ id: areaId, name, options }] = service.control.proposal(submittedToo).areas;
		service.control.update('areas', { proposal_id: changeOrderId }, { name });
		service.control.update('areas', { proposal_id: draft }, { name: 'Attic' });
		const byName = by('name', name.toUpperCase());
		const sourcesOf = async (filters: object, includeChangeOrders = true) => {
			const fields = { output: 'selected', fields: ['changeOrderId'] };
			const given = {
				proposalId: submittedToo,
				filters,
				options: { includeChangeOrders },
				...fields,
			};
			const output = await run('item.getMany', given);
			return [...new Set(output.map((one) => one.changeOrderId ?? 'proposal'))];
		};
		for (const filters of [{ areaId }, { areaId: byName }, { areaOptionId: byName }]) {
			expect(await sourcesOf(filters)).toEqual(['proposal', changeOrderId]);
			expect(await sourcesOf({ changeOrderId, ...filters }, false)).toEqual([changeOrderId]);
		}
		expect(await sourcesOf({ areaId: by('name', 'Attic') })).toEqual([draft]);
		// Expect no items, because the draft changes nothing in this area.
		expect(await sourcesOf({ changeOrderId: draft, areaId: byName }, false)).toEqual([]);
		expect(await sourcesOf({ areaOptionId: options[1].id })).toEqual(['proposal']);
		for (const filters of [{ areaId: by('name', 'Loft') }, { areaId: 1 }, { areaOptionId: 1 }]) {
			await expect(sourcesOf(filters)).rejects.toThrow(/^'Area( Option)?' was not found: /);
		}
	});

	it('returns the items of one change order', async () => {
		const filters = { changeOrderId: seed.changeOrders.draft };
		const fields = { output: 'selected', fields: ['name', 'changeOrderId'] };
		expect(
			await run('item.getMany', { proposalId: submittedToo, filters, ...fields }),
		).toMatchObject(
			['Corvane Depth 12', 'Installation'].map((name) => ({
				name,
				changeOrderId: seed.changeOrders.draft,
			})),
		);
		const given = { proposalId: submittedToo, filters, options: { includeChangeOrders: true } };
		expect((await service.workflow('item.getMany', given)).hints).toEqual([
			"'Include Change Orders' has no effect with the filter 'Change Order'.",
		]);
	});
});

it('explains why an item nested under a deleted one is gone', async () => {
	const [nested] = await add({ catalogItemId: 8001, itemType: 'Labor', parentId: first });
	const { itemId } = nested!;
	const given = { proposalId, itemIds: '={{ $json.id }}' };
	const rows = [{ id: first }, { id: itemId as number }];
	const output = await run('item.delete', given, { items: rows, continueOnFail: true });
	expect(output).toMatchObject([
		{ deleted: true },
		{
			error: `Item ${String(itemId)} is not in this proposal`,
			message: expect.stringContaining('also deletes the items nested under it'),
		},
	]);
});

it("returns a proposal's items by model, with or without the brand", async () => {
	const { brand, model } = items().find((item) => item.model)!;
	const ids = idsOf(items().filter((item) => item.model === model));
	for (const text of [model, `${String(brand)} ${String(model)}`]) {
		const output = await run('item.getMany', { proposalId, filters: { models: text } });
		expect(itemIdsOf(output)).toEqual(ids);
	}
});
