import { beforeEach, expect, test } from 'vitest';

import { seed, type Simulator } from '../../simulator/index.mts';
import type { Json } from '../../simulator/json.mts';
import { type Client, fieldsOf } from './client.mts';
import { startForTest } from './start.mts';

let simulator: Simulator;
let client: Client;

beforeEach(async () => {
	({ simulator, client } = await startForTest());
});

const { proposals, catalogItems } = seed;
const theatre = `/public/proposals/${proposals.staleTheatre}`;
const wholeHome = `/public/proposals/${proposals.staleWholeHome}`;
const optionOf = (id: number, area = 0, option = 0): Json =>
	simulator.control.proposal(id).areas[area].options[option];
const add = (target: string, areaOptionId: number, items: unknown) =>
	client.form(`${target}/items`, {
		AreaOptionId: areaOptionId,
		Items: typeof items === 'string' ? items : JSON.stringify(items),
	});

// Every expected number below is worked out on paper from the prices in seed/, not by our code.

test('add: all four kinds, one nested under what is there, at catalog prices', async () => {
	const id = proposals.staleTheatre;
	const before = optionOf(id);
	const reply = await add(theatre, before.id, [
		{ itemId: catalogItems.mount, itemType: 'Part', quantity: 2, parentId: before.items[0].id },
		{ itemId: catalogItems.programming, itemType: 'Labor', quantity: 1.5 },
		{ itemId: catalogItems.prewireKit, itemType: 'CustomItem' },
		{ itemId: catalogItems.permit, itemType: 'Fee', quantity: 1, parentId: null },
	]);
	expect(reply.status).toBe(200);
	const [option] = reply.json.areas[0].options;
	const added = option.items.slice(6);
	expect(added).toMatchObject([
		{
			parentId: before.items[0].id,
			itemType: 'Part',
			referencedItemId: 9006,
			brand: 'Stillgrip',
			model: 'SG-T80',
			msrp: 149.95,
			sellPrice: 149.95,
			cost: 71.5,
			supplier: 'Northgate Distribution',
			quantity: 2,
			total: { amount: 299.9, isCombinedPrice: false },
		},
		{ itemType: 'Labor', name: 'Programming', sellPrice: 160, quantity: 1.5, cost: 74 },
		{ itemType: 'CustomItem', name: 'Prewire kit', sellPrice: 240, quantity: 1, cost: 118.75 },
		{ itemType: 'Fee', name: 'Permit', sellPrice: 180, quantity: 1, cost: 180 },
	]);
	expect(new Set(option.items.map((one: Json) => one.id)).size).toBe(10);
	// parts 3295.95 + 299.90 + 240 = 3835.85; labour 812.50 + 240 = 1052.50; fees 95 + 180 = 275
	// tax 7.65 %: 293.442525 -> 293.44 and 80.51625 -> 80.52
	expect(reply.json.financialSummary).toMatchObject({
		partsSubtotal: 3835.85,
		laborTotal: 1052.5,
		feeTotal: 275,
		proposalSubtotal: 5163.35,
		proposalTotal: 5537.31,
		salesTax: { total: 373.96 },
	});
	expect(option.total).toBe(5163.35);
	expect(option.lastModifiedDate > before.lastModifiedDate).toBe(true);
	expect(reply.json.lastModifiedDate).toBe(reply.json.lastModifiedByUserDate);
});

test('add: what is off is named, and then nothing is added', async () => {
	const id = proposals.staleTheatre;
	const { id: option, items } = optionOf(id);
	const tv = { itemId: catalogItems.television, itemType: 'Part', quantity: 1 };
	const other = optionOf(proposals.staleWholeHome);
	const cases: [number, number, unknown, string][] = [
		[404, option, [tv, { ...tv, itemId: 1 }], 'Items[1].itemId'],
		[
			404,
			option,
			[{ itemId: catalogItems.laborOfOtherDealer, itemType: 'Labor' }],
			'Items[0].itemId',
		],
		[400, option, [tv, { ...tv, itemType: 'Labor' }], 'Items[1].itemType'],
		[400, option, [{ ...tv, itemType: 'part' }], 'Items[0].itemType'],
		[400, option, [{ ...tv, quantity: -1_000_000 }], 'Items[0].quantity'],
		[400, option, [{ ...tv, quantity: '1' }], 'Items[0].quantity'],
		[400, option, [{ ...tv, itemId: '9001' }], 'Items[0].itemId'],
		[400, option, [{ ...tv, parentId: other.items[0].id }], 'Items[0].parentId'],
		[400, option, [{ ...tv, price: 5 }], 'Items[0].price'],
		[400, option, [5], 'Items[0]'],
		[400, option, [], 'Items'],
		[400, option, tv, 'Items'],
		[400, option, 'not json', 'Items'],
		[404, other.id, [tv], 'AreaOptionId'],
	];
	for (const [status, areaOptionId, list, field] of cases) {
		const reply = await add(theatre, areaOptionId, list);
		expect([reply.status, fieldsOf(reply)], JSON.stringify(list)).toEqual([status, [field]]);
	}
	const missing = await client.form(`${theatre}/items`, { AreaOptionId: option });
	expect([missing.status, fieldsOf(missing)]).toEqual([400, ['Items']]);
	expect(optionOf(id).items).toEqual(items);
	expect((await add(theatre, option, [{ ...tv, quantity: 0 }])).status).toBe(200);
	expect((await add(theatre, option, [{ ...tv, quantity: -1 }])).status).toBe(200);
});

test('delete: nested items go with their parent', async () => {
	const rack = optionOf(proposals.staleWholeHome, 1);
	const [parent, surge, hold, amplifier] = rack.items;
	const gone = { ProposalItemIds: [surge.id, amplifier.id] };
	const some = await client.form(`${wholeHome}/items`, gone, 'DELETE');
	expect(some.json.areas[1].options[0].items.map((one: Json) => one.id)).toEqual([
		parent.id,
		hold.id,
		rack.items[4].id,
	]);
	// 829 + 949; labour 8 x 160 stays
	expect(some.json.areas[1].options[0]).toMatchObject({ total: 3058 });
	expect(some.json.areas[1].options[0].items[0].total.amount).toBe(1778);
	const again = await client.form(`${wholeHome}/items`, gone, 'DELETE');
	expect([again.status, fieldsOf(again)]).toEqual([404, ['ProposalItemIds']]);
	const rest = await client.form(`${wholeHome}/items`, { ProposalItemIds: parent.id }, 'DELETE');
	expect(rest.json.areas[1].options[0]).toMatchObject({
		total: 1280,
		items: [{ name: 'Programming' }],
	});
	expect((await client.form(`${wholeHome}/items`, {}, 'DELETE')).status).toBe(400);
});

test('replace: id, place, quantity, note and nesting stay, the rest is the new item', async () => {
	const { items } = optionOf(proposals.staleTheatre);
	const speakers = items[2];
	await add(theatre, optionOf(proposals.staleTheatre).id, [
		{ itemId: catalogItems.mount, itemType: 'Part', quantity: 1, parentId: speakers.id },
	]);
	const reply = await client.form(`${theatre}/items/${speakers.id}/replace`, { ItemId: 9009 });
	const after = reply.json.areas[0].options[0].items;
	expect(after[2]).toMatchObject({
		id: speakers.id,
		referencedItemId: 9009,
		brand: 'Corvane',
		model: 'CV-8C',
		shortDescription: '8-inch in-ceiling speaker',
		clientNote: 'Left, centre and right',
		quantity: 3,
		msrp: 329,
		sellPrice: 329,
		cost: 178.2,
		supplier: 'Meridian AV Supply',
		createdDate: speakers.createdDate,
	});
	expect(after.at(-1)).toMatchObject({ parentId: speakers.id, model: 'SG-T80' });
	// 1799 + 149.95 + 3 x 329 + 149.95
	expect(reply.json.financialSummary.partsTotal).toBe(3085.9);
	const labor = await client.form(`${theatre}/items/${speakers.id}/replace`, { ItemId: 8002 });
	const changed = labor.json.areas[0].options[0].items[2];
	expect(changed).toMatchObject({ itemType: 'Labor', name: 'Programming', quantity: 3 });
	for (const gone of ['brand', 'model', 'msrp', 'supplier', 'imageUrl']) {
		expect(changed).not.toHaveProperty(gone);
	}
	const unknown = await client.form(`${theatre}/items/${speakers.id}/replace`, { ItemId: 5 });
	expect([unknown.status, fieldsOf(unknown)]).toEqual([404, ['ItemId']]);
});

test('move: really, with what is nested; a nested one alone becomes top-level', async () => {
	const [rack, lobby] = [
		optionOf(proposals.staleWholeHome, 1),
		optionOf(proposals.staleWholeHome, 0, 1),
	];
	const [parent, surge, hold] = rack.items;
	const move = (ids: number[], areaOptionId: number) =>
		client.form(`${wholeHome}/items/move`, { ProposalItemIds: ids, AreaOptionId: areaOptionId });
	const first = await move([hold.id], lobby.id);
	expect(first.json.areas[1].options[0].items.map((one: Json) => one.id)).not.toContain(hold.id);
	const alone = first.json.areas[0].options[1].items.find((one: Json) => one.id === hold.id);
	expect(alone).not.toHaveProperty('parentId');
	// 9376 + 14 x 125 + 949, and 829 + 399 + 2650 + 1280
	expect(first.json.areas[0].options[1].total).toBe(12075);
	expect(first.json.areas[1].options[0].total).toBe(5158);
	const second = await move([parent.id], lobby.id);
	const there = second.json.areas[0].options[1].items;
	expect(there.find((one: Json) => one.id === surge.id).parentId).toBe(parent.id);
	expect(there.find((one: Json) => one.id === parent.id).total).toMatchObject({
		amount: 1228,
		isCombinedPrice: true,
	});
	expect(second.json.areas[0].options[1].total).toBe(13303);
	expect(second.json.areas[1].options[0].total).toBe(3930);
	// nothing was added or lost by moving between counted options
	expect(second.json.financialSummary.partsSubtotal).toBe(23852);
	const declined = optionOf(proposals.staleWholeHome, 0, 2);
	const third = await move([surge.id], declined.id);
	expect(third.json.financialSummary.partsSubtotal).toBe(23453);
	const foreign = await move([surge.id], optionOf(proposals.staleTheatre).id);
	expect([foreign.status, fieldsOf(foreign)]).toEqual([404, ['AreaOptionId']]);
	const both = await move([surge.id, optionOf(proposals.staleTheatre).items[0].id], lobby.id);
	expect([both.status, fieldsOf(both)]).toEqual([404, ['ProposalItemIds']]);
});

test('copy: new items with new ids, nested ones once, on each option', async () => {
	const id = proposals.staleWholeHome;
	const rack = optionOf(id, 1);
	const terrace = optionOf(id, 2);
	const [parent, surge, hold] = rack.items;
	await client.form(`${wholeHome}/items/${surge.id}/sellprice`, { SellPrice: 350 });
	const reply = await client.form(`${wholeHome}/items/copy`, {
		ProposalItemIds: [parent.id, surge.id],
		AreaOptionIds: [rack.id, terrace.id],
	});
	const [own] = reply.json.areas[1].options;
	const [other] = reply.json.areas[2].options;
	expect(own.items.slice(0, 5).map((one: Json) => one.id)).toEqual(
		rack.items.map((one: Json) => one.id),
	);
	for (const copies of [own.items.slice(5), other.items.slice(4)]) {
		expect(copies).toMatchObject([
			{ model: 'Rack 27', total: { amount: 2128, isCombinedPrice: true } },
			{ parentId: copies[0].id, model: 'Surge 12', sellPrice: 350, cost: 209.5 },
			{ parentId: copies[0].id, model: 'Hold 1500', sellPrice: 949, cost: 588 },
		]);
		for (const one of copies) expect([parent.id, surge.id, hold.id]).not.toContain(one.id);
	}
	// 6107 - 49 + 829 + 350 + 949
	expect(own.total).toBe(8186);
	const alone = await client.form(`${wholeHome}/items/copy`, {
		ProposalItemIds: hold.id,
		AreaOptionIds: terrace.id,
	});
	expect(alone.json.areas[2].options[0].items.at(-1)).not.toHaveProperty('parentId');
	const foreign = await client.form(`${wholeHome}/items/copy`, {
		ProposalItemIds: hold.id,
		AreaOptionIds: [terrace.id, 1],
	});
	expect([foreign.status, fieldsOf(foreign)]).toEqual([404, ['AreaOptionIds']]);
	expect(optionOf(id, 2).items).toHaveLength(8);
});

test('suppliers of an item; setting one sets its cost', async () => {
	const [tv, , , labor] = optionOf(proposals.staleTheatre).items;
	const reply = await client.get(`${theatre}/items/${tv.id}/suppliers`);
	expect(reply.json.suppliers).toMatchObject([
		{ id: 71, name: 'Meridian AV Supply', cost: { value: 1240, isPromo: false, isInStock: true } },
		{ id: 72, name: 'Northgate Distribution', cost: { value: 1265, currency: { code: 'USD' } } },
	]);
	const none = await client.get(`${theatre}/items/${labor.id}/suppliers`);
	expect(none.json).toEqual({ suppliers: [] });
	expect((await client.get(`${theatre}/items/1/suppliers`)).status).toBe(404);
	const set = await client.form(`${theatre}/items/${tv.id}/supplier/72`);
	expect(set.json.areas[0].options[0].items[0]).toMatchObject({
		supplier: 'Northgate Distribution',
		cost: 1265,
		sellPrice: 1799,
	});
	// 1823.70 + 1180 - 1265
	expect(set.json.profit.total).toBe(1738.7);
	for (const [item, supplier] of [
		[tv.id, 73],
		[tv.id, 9],
		[labor.id, 71],
	]) {
		const refused = await client.form(`${theatre}/items/${item}/supplier/${supplier}`);
		expect([refused.status, refused.json.message]).toEqual([404, 'Supplier not found.']);
	}
});
