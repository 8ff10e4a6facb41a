/** What comes out of the operations of items, and what becomes of a change that fails half-way. */
import axios from 'axios';
import { beforeEach, describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;
const proposalId = seed.proposals.staleTheater;

interface Area {
	id: number;
	name: string;
	options: { id: number; items: { id: number }[] }[];
}
const areas = (): Area[] => service.control.proposal(proposalId).areas;
const items = () =>
	areas().flatMap(({ options }) =>
		options.flatMap(({ id, items: inside }) => inside.map((one) => ({ ...one, option: id }))),
	);
const idsOf = (records: object[]) => records.map((one) => (one as { id: number }).id);
const of = (id: number) =>
	items().find((one) => one.id === id) as unknown as {
		total: { amount: number };
		[field: string]: unknown;
	};
/** An item as the simplified output has it, worked out from the whole proposal. */
const flat = (id: number) => {
	const item = of(id);
	const area = areas().find(({ options }) => options.some((one) => one.id === item.option))!;
	return {
		id,
		proposalId,
		areaName: area.name,
		itemType: item.itemType,
		name: item.brand ? `${String(item.brand)} ${String(item.model)}` : item.name,
		supplier: item.supplier ?? null,
		quantity: item.quantity,
		cost: item.cost,
		sellPrice: item.sellPrice,
		total: item.total.amount,
	};
};

let areaOptionId: number;
let first: number;
let second: number;
/** The option of another area. */
let target: number;
beforeEach(async () => {
	[first, second] = idsOf(items()) as [number, number];
	areaOptionId = areas()[0]!.options[0]!.id;
	const [attic] = await run('area.create', { proposalId, name: 'Attic' });
	target = attic!.areaOptionId as number;
	service.control.clearRequests();
});

const add = async (...item: object[]) =>
	await run('item.add', { proposalId, areaOptionId, items: { item } });

describe('the output', () => {
	it('returns items with their area and option, and narrows them by these', async () => {
		const whole = seed.proposals.staleWholeHome;
		const rows = service.control.items(whole);
		const read = async (more: object = {}) =>
			await run('item.getMany', { proposalId: whole, returnAll: true, simplify: false, ...more });
		const where = (await read()).map((one) => [
			one.id,
			one.itemType,
			one.areaOptionId,
			one.areaOptionStatus,
			one.areaId,
			one.areaName,
		]);
		expect(where.sort((one, other) => Number(one[0]) - Number(other[0]))).toEqual(
			rows.map((row) => [
				row.id,
				row.item_type,
				row.option_id,
				row.option_status,
				row.area_id,
				row.area_name,
			]),
		);
		const { area_id: areaId, option_id: areaOptionId } = rows[0]!;
		const countBy = (isWanted: (row: (typeof rows)[0]) => boolean) => rows.filter(isWanted).length;
		for (const [filters, count] of [
			[{ areaId }, countBy((row) => row.area_id === areaId)],
			[{ areaOptionId }, countBy((row) => row.option_id === areaOptionId)],
			[
				{ itemTypes: ['Labor', 'Fee'] },
				countBy((row) => ['Labor', 'Fee'].includes(String(row.item_type))),
			],
		] as const) {
			expect(await read({ filters })).toHaveLength(count);
		}
		expect((await run('item.getMany', { proposalId }))[0]).toEqual(flat(first));
	});

	it('returns added items in their order, also where there are others like them', async () => {
		const before = idsOf(items());
		const output = await add(
			{ itemId: 8001, itemType: 'Labor', quantity: 1 },
			{ itemId: 9001, itemType: 'Part', quantity: 7, parentId: first },
			{ itemId: 9003, itemType: 'Part', quantity: 1 },
			{ itemId: 9001, itemType: 'Part', quantity: 8 },
		);
		const added = idsOf(items()).filter((id) => !before.includes(id));
		expect(output).toEqual(added.map(flat));
		expect(output.map(({ quantity }) => quantity)).toEqual([1, 7, 1, 8]);
	});

	it('returns of copied and moved items what is nested under them too, and not the originals', async () => {
		const [nested] = await add({ itemId: 8001, itemType: 'Labor', parentId: first });
		const before = idsOf(items());
		const options = [target, areaOptionId];
		const copies = await run('item.copy', { proposalId, itemIds: [first], areaOptionIds: options });
		const added = idsOf(items()).filter((id) => !before.includes(id));
		expect(added).toHaveLength(4);
		expect(copies).toEqual(added.toSorted((one, other) => one - other).map(flat));
		const moved = await run('item.move', { proposalId, itemIds: [first], areaOptionId: target });
		expect(moved).toEqual([first, nested!.id as number].map(flat));
		expect(moved[0]).toMatchObject({ areaName: 'Attic' });
	});

	it('returns the item that is replaced, updated, or gets another supplier', async () => {
		const ids = { proposalId, itemId: first };
		const [supplier] = await run('item.getSuppliers', ids);
		expect(supplier).toMatchObject(ids);
		const changes: [name: string, parameters: object][] = [
			['item.setSupplier', { supplierId: supplier!.id }],
			['item.update', { updateFields: { quantity: 5 } }],
			['item.replace', { catalogItemId: 9003 }],
		];
		for (const [name, parameters] of changes) {
			expect(await run(name, { ...ids, ...parameters })).toEqual([flat(first)]);
		}
		expect(of(first)).toMatchObject({ referencedItemId: 9003, quantity: 5 });
	});
});

describe('Skip If Present', () => {
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
		{ itemId: 9001, quantity: 2 },
		{ itemId: 9003, quantity: 4 },
	];

	it('adds only what the option does not have, and returns all items', async () => {
		const [first] = await addAll(amp);
		const [both, again] = [await addAll(amp, mount), await addAll(mount, amp, amp)];
		expect(both).toMatchObject([{ id: first!.id }, { quantity: 4 }]);
		expect(again.map(({ id }) => id).slice(0, 2)).toEqual(both.map(({ id }) => id));
		expect(posts()).toEqual([[[9001, 2]], [[9003, 4]], [[9001, 2]]]);
		expect(await addAll(amp, mount, amp)).toEqual(again);
		expect(posts()).toHaveLength(3);
	});

	it('adds an item that only another option has', async () => {
		await run('item.add', { proposalId, areaOptionId, items: { item: [amp] } });
		expect(await addAll(amp)).toMatchObject([{ areaName: 'Attic' }]);
	});

	it('adds nothing where an item is there with another quantity, and names its row', async () => {
		await addAll(mount);
		service.control.clearRequests();
		await expect(addAll({ ...mount, quantity: 3 })).rejects.toMatchObject({
			message: 'The item is already in Attic (quantity 4)',
		});
		await expect(addAll(amp, { ...mount, quantity: 3 })).rejects.toMatchObject({
			message: 'row 2: already in Attic (quantity 4)',
			description: expect.stringMatching(/^Nothing was added\./),
		});
		expect(posts()).toEqual([]);
	});
});

it('continues after an update that fails half-way with the other inputs, and says what was set', async () => {
	const updateFields = { quantity: 3, sellPrice: 20, cost: 1 };
	service.control.failNext({ operationId: 'item.updateSellPrice', status: 409 });
	const output = await run(
		'item.update',
		{ proposalId, itemId: '={{ $json.id }}', updateFields },
		{ items: [{ id: first }, { id: second }], continueOnFail: true },
	);
	expect(output).toEqual([
		{
			error: "The proposal's state prevents this change",
			message: expect.stringMatching(
				/^Set: 'Quantity'\. Failed: 'Sell Price'\. Not sent: 'Cost'\.$/m,
			),
			details: { httpCode: '409', errorCode: expect.any(String) },
		},
		flat(second),
	]);
	expect(of(first)).toMatchObject({ quantity: 3 });
	expect(of(second)).toMatchObject(updateFields);
});

describe('the items to buy of an accepted proposal with two change orders', () => {
	const { submittedToo } = seed.proposals;
	beforeEach(async () => {
		for (const id of Object.values(seed.changeOrders)) {
			service.control.updateProposal(id, { parentId: submittedToo });
		}
		const [{ id, options }] = service.control.proposal(submittedToo).areas;
		// The client takes the second option, which declines the first.
		await axios.post(
			`${service.simulator.url}/customer/proposals/${submittedToo}/accept`,
			String(new URLSearchParams({ [`area-${id}`]: options[1].id })),
			{ headers: { Origin: service.simulator.url } },
		);
	});
	const read = async (parameters: object) =>
		await run('item.getMany', { proposalId: submittedToo, ...parameters });
	const quantities = (output: Awaited<ReturnType<typeof read>>) =>
		output.map(({ name, quantity, changeOrderId }) => [name, quantity, changeOrderId]);

	it('returns the items to buy: those of accepted options, and of the accepted change order', async () => {
		const output = await read({
			filters: { acceptedOptionsOnly: true, itemTypes: ['Part'] },
			options: { includeChangeOrders: true },
		});
		expect(quantities(output)).toEqual([
			['Lumenfold LX85-P', 1, null],
			['Hearthline Glass 7', 2, null],
			['Hearthline Handset', 1, seed.changeOrders.accepted],
		]);
		const sum = (field: 'cost' | 'sellPrice') =>
			output.reduce((total, one) => total + Number(one[field]) * Number(one.quantity), 0);
		// As the catalog of the seed has them.
		expect(sum('cost')).toBeCloseTo(2950 + 2 * 512.6 + 238, 2);
		expect(sum('sellPrice')).toBeCloseTo(4299 + 2 * 890 + 420, 2);
		expect(new Set(output.map(({ supplier }) => supplier))).toEqual(
			new Set(['Meridian AV Supply', 'Northgate Distribution']),
		);
	});

	it('leaves out recurring services if wanted', async () => {
		const { submitted: proposalId } = seed.proposals;
		const kept = await read({ proposalId, filters: { excludeRecurringServices: true } });
		const all = await read({ proposalId });
		expect(all.filter(({ id }) => !kept.some((one) => one.id === id))).toMatchObject([
			{ name: 'Care plan' },
		]);
	});

	it('returns the items of one change order, with the number of its proposal', async () => {
		const changeOrderId = seed.changeOrders.draft;
		const filters = { changeOrderId };
		expect(await read({ filters })).toMatchObject([
			{ name: 'Corvane Depth 12', total: 1199 },
			{ name: 'Installation', total: 156.25 },
		]);
		const [raw] = await read({ filters, simplify: false });
		const { number: proposalNumber } = service.control.proposal(submittedToo);
		expect(raw).toMatchObject({ proposalId: submittedToo, proposalNumber, changeOrderId });
	});
});
