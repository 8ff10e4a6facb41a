import { beforeEach, expect, test } from 'vitest';

import { operations } from '../../simulator/contract.mts';
import { seed, type Simulator } from '../../simulator/index.mts';
import type { Json } from '../../simulator/json.mts';
import { Client, fieldsOf, type Reply } from './client.mts';
import { startForTest } from './start.mts';

let simulator: Simulator;
let client: Client;

beforeEach(async () => {
	({ simulator, client } = await startForTest());
});

const { proposals } = seed;
const theatre = `/public/proposals/${proposals.staleTheatre}`;
const optionOf = (id: number): Json => simulator.control.proposal(id).areas[0].options[0];
const itemId = (index: number) => optionOf(proposals.staleTheatre).items[index].id;
const set = (index: number, path: string, fields: Record<string, unknown>): Promise<Reply> =>
	client.form(`${theatre}/items/${itemId(index)}/${path}`, fields);

// The start: parts 3295.95, labour 812.50, fee 95, tax 252.14 + 62.16, total 4517.75, profit 1823.70.
// Every expected number below is worked out on paper, not by our code.

test('quantity and prices recalculate totals, tax and profit', async () => {
	const quantity = await set(0, 'qty', { Quantity: 2 });
	// parts 5094.95, tax 389.763675 -> 389.76
	expect(quantity.json.financialSummary).toMatchObject({
		partsTotal: 5094.95,
		salesTax: { total: 451.92 },
		proposalTotal: 6454.37,
	});
	const price = await set(3, 'sellprice', { SellPrice: 99.99 });
	// labour 6.5 x 99.99 = 649.935 -> 649.94; tax 49.72041 -> 49.72
	expect(price.json.financialSummary).toMatchObject({
		laborTotal: 649.94,
		salesTax: { total: 439.48 },
	});
	const cost = await set(0, 'cost', { Cost: 1000.005 });
	// 5839.89 - (2 x 1000.01 + 68.25 + 694.50 + 377 + 60)
	expect(cost.json.profit.total).toBe(2640.12);
	const item = cost.json.areas[0].options[0].items[0];
	expect(item.cost).toBe(1000.01);
	expect(item.costUpdateDate).toBe(item.lastModifiedDate);
	const msrp = await set(0, 'msrp', { Msrp: 2000 });
	expect(msrp.json.areas[0].options[0].items[0]).toMatchObject({ msrp: 2000, sellPrice: 1799 });
	const zero = await set(0, 'qty', { Quantity: 0 });
	expect(zero.json.financialSummary.partsTotal).toBe(1496.95);
	// A negative quantity takes back: 1496.95 - 1799.00
	const back = await set(0, 'qty', { Quantity: -1 });
	expect(back.json.financialSummary.partsTotal).toBe(-302.05);
});

test('texts and image: set, and cleared by empty text', async () => {
	const fields: [string, string, string, string][] = [
		['shortdescription', 'ShortDescription', 'shortDescription', 'Größer & besser'],
		['note', 'ClientNote', 'clientNote', 'On the left'],
		['image', 'ImageUrl', 'imageUrl', 'https://images.example/a%20b.png'],
	];
	for (const [path, field, key, value] of fields) {
		const reply = await set(2, path, { [field]: value });
		expect(reply.json.areas[0].options[0].items[2][key]).toBe(value);
		const cleared = await set(2, path, { [field]: '' });
		expect(cleared.json.areas[0].options[0].items[2]).not.toHaveProperty(key);
	}
	for (const value of ['picture.png', 'ftp://images.example/a', 'javascript:alert(1)']) {
		const reply = await set(2, 'image', { ImageUrl: value });
		expect([reply.status, fieldsOf(reply)], value).toEqual([400, ['ImageUrl']]);
	}
});

test('exempt from tax, recurring, combined price', async () => {
	const exempt = await set(0, 'taxexempt', { IsTaxExempt: true });
	// taxable parts 1496.95 x 7.65 % = 114.516675 -> 114.52
	expect(exempt.json.financialSummary).toMatchObject({
		partsTotal: 3295.95,
		salesTax: { total: 176.68 },
	});
	const recurring = await set(2, 'recurringservice', { IsRecurringService: true });
	// 3 x 449 no longer one-time: parts 1948.95, taxable 149.95 x 7.65 % = 11.471175 -> 11.47
	expect(recurring.json.financialSummary).toMatchObject({
		partsTotal: 1948.95,
		salesTax: { total: 73.63 },
	});
	expect(recurring.json.recurringServices.totalRecurringService).toBe(1396);
	const back = await set(2, 'recurringservice', { IsRecurringService: false });
	expect(back.json.financialSummary.partsTotal).toBe(3295.95);
	const id = proposals.staleWholeHome;
	const [rack] = simulator.control.proposal(id).areas[1].options[0].items;
	const target = `/public/proposals/${id}/items/${rack.id}/combineprice`;
	const apart = await client.form(target, { IsCombinedPrice: false });
	const [option] = apart.json.areas[1].options;
	expect(option.items[0].total).toMatchObject({ amount: 829, isCombinedPrice: false });
	expect(option.total).toBe(6107);
	const together = await client.form(target, { IsCombinedPrice: true });
	expect(together.json.areas[1].options[0].items[0].total.amount).toBe(2177);
});

test('values that are none', async () => {
	for (const [path, field, values] of [
		['qty', 'Quantity', ['', '-1000000', 'two', '1,5', '1000000']],
		['sellprice', 'SellPrice', ['', '-0.01', '$5', '1e3']],
		['cost', 'Cost', ['x']],
		['msrp', 'Msrp', ['x']],
		['combineprice', 'IsCombinedPrice', ['', '1', 'True']],
		['taxexempt', 'IsTaxExempt', ['yes']],
		['recurringservice', 'IsRecurringService', ['0']],
	] as const) {
		for (const value of values) {
			const reply = await set(0, path, { [field]: value });
			expect([reply.status, fieldsOf(reply)], `${field}=${value}`).toEqual([400, [field]]);
		}
		const missing = await set(0, path, { Other: 1 });
		expect([missing.status, fieldsOf(missing)], path).toEqual([400, [field]]);
	}
});

const writes = operations.filter((one) => one.id.startsWith('item.') && one.method !== 'GET');

/** A request that fits the contract, for any of the writing item operations. */
const fitting = (proposalId: number, operation: (typeof writes)[number], json = false) => {
	const [item] = optionOf(proposalId).items;
	const fields: Record<string, unknown> = {
		AreaOptionId: optionOf(proposalId).id,
		AreaOptionIds: [optionOf(proposalId).id],
		Items: [{ itemId: 9001, itemType: 'Part', quantity: 1 }],
		ProposalItemIds: [item.id],
		ItemId: 9002,
		...{ Quantity: 2, SellPrice: 5, Cost: 5, Msrp: 5, IsCombinedPrice: true },
		...{ ShortDescription: 'a', ClientNote: 'b', ImageUrl: 'https://images.example/c' },
		...{ IsTaxExempt: true, IsRecurringService: false },
	};
	const target = operation.path
		.replace('{ProposalId}', String(proposalId))
		.replace('{ProposalItemId}', String(item.id))
		.replace('{SupplierId}', '71');
	const names = Object.keys(operation.form ?? {});
	const { method } = operation;
	if (!json) {
		const form = names.map((name): [string, unknown] => [
			name,
			name === 'Items' ? JSON.stringify(fields.Items) : fields[name],
		]);
		return (one: Client) =>
			one.form(target, { ...Object.fromEntries(form), SomethingElse: 'x' }, method);
	}
	const body = Object.fromEntries(
		names.map((name) => [name[0]!.toLowerCase() + name.slice(1), fields[name]]),
	);
	return (one: Client) =>
		one.raw(method, target, JSON.stringify({ ...body, somethingElse: 'x' }), {
			contentType: 'application/json',
		});
};

test('every write: 403 for the restricted, 404 for strangers, 409 when decided, else 200', async () => {
	const restricted = await new Client(simulator, seed.restricted).signIn();
	const stranger = await new Client(simulator, seed.otherDealer).signIn();
	expect(writes).toHaveLength(17);
	for (const operation of writes) {
		const send = fitting(proposals.staleTheatre, operation);
		expect((await send(restricted)).status, operation.id).toBe(403);
		expect((await send(stranger)).json.message, operation.id).toBe('Proposal not found.');
		for (const id of [proposals.accepted, proposals.completed, proposals.declined]) {
			const before = simulator.control.proposal(id);
			expect((await fitting(id, operation)(client)).status, operation.id).toBe(409);
			expect(simulator.control.proposal(id)).toEqual(before);
		}
	}
	// the one that deletes last
	for (const operation of writes.toSorted((one) => (one.method === 'DELETE' ? 1 : -1))) {
		const reply = await fitting(proposals.staleTheatre, operation)(client);
		expect([reply.status, reply.json.id], operation.id).toEqual([200, proposals.staleTheatre]);
	}
});

test('forms by default: JSON is a 415; with assumedBodies json the other way round', async () => {
	const { simulator: jsonSimulator, client: jsonClient } = await startForTest({
		assumedBodies: 'json',
	});
	for (const operation of writes.toSorted((one) => (one.method === 'DELETE' ? 1 : -1))) {
		const id = proposals.staleTheatre;
		expect((await fitting(id, operation, true)(client)).status, operation.id).toBe(415);
		// an empty body cannot be wrong in its fields: there a form still does
		const isEmpty = Object.keys(operation.form ?? {}).length === 0;
		const form = await fitting(id, operation)(jsonClient);
		expect(form.status, operation.id).toBe(isEmpty ? 200 : 415);
		const reply = await fitting(id, operation, true)(jsonClient);
		expect([reply.status, reply.json.id], operation.id).toEqual([200, id]);
	}
	const { id, items } = jsonSimulator.control.proposal(proposals.staleAudio).areas[0].options[0];
	const target = `/public/proposals/${proposals.staleAudio}/items`;
	const post = (path: string, body: unknown) => jsonClient.json(`${target}${path}`, body);
	const wrong: [Reply, string][] = [
		[
			await post('', { areaOptionId: id, items: [{ itemId: 5, itemType: 'Part' }] }),
			'items[0].itemId',
		],
		[await post('', { areaOptionId: id, items: '[]' }), 'items'],
		[await post('/move', { proposalItemIds: [items[0].id], areaOptionId: 1 }), 'areaOptionId'],
		[await post(`/${items[0].id}/qty`, { quantity: '2' }), 'quantity'],
		[await post(`/${items[0].id}/qty`, { Quantity: 2 }), 'quantity'],
	];
	for (const [reply, field] of wrong) expect(fieldsOf(reply)).toEqual([field]);
});
