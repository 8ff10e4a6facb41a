import { expect, test } from 'vitest';

import { seed, type Simulator } from '../../simulator/index.mts';
import type { Json } from '../../simulator/json.mts';
import { examples } from '../../simulator/otherService/examples.mts';
import type { Client } from './client.mts';
import { startForTest } from './start.mts';

let simulator: Simulator;

const { staleTheatre } = seed.proposals;
const proposal = `/public/proposals/${staleTheatre}`;

async function start(name: string): Promise<Client> {
	const started = await startForTest(examples[name]);
	({ simulator } = started);
	return started.client;
}

// the client of these tests does not sign query strings
const others = Object.keys(examples).filter((name) => name !== 'signedQuery');

test.each(others)('%s: reads work, and a misnamed write has no effect', async (name) => {
	const client = await start(name);
	const before = simulator.control.proposal(staleTheatre);
	const reads = [
		'/public/users',
		'/public/proposals?PageSize=5',
		'/public/people',
		'/public/catalog?SearchText=a',
		'/public/catalog/categories',
		'/public/webhook/subscriptions',
		`${proposal}/changeorders`,
		proposal,
	];
	for (const target of reads) expect((await client.get(target)).status, target).toBe(200);
	const area = await client.form(`${proposal}/items/move`, { Nonsense: 1 });
	expect(area.status).toBe(examples[name]!.service.validation === 'none' ? 200 : 400);
	expect(simulator.control.proposal(staleTheatre)).toEqual(before);
});

test('everything at once: each correction works', async () => {
	const client = await start('everything');
	const theatre = (): Json => simulator.control.proposal(staleTheatre);
	const option = theatre().areas[0].options[0];
	const [item] = option.items;

	const quantity = `${proposal}/items/${item.id}/quantity`;
	expect((await client.form(quantity, { Qty: 5 })).status).toBe(400);
	expect((await client.json(quantity, { Quantity: 5 })).status).toBe(400);
	expect((await client.json(quantity, { qty: 5 })).status).toBe(200);
	expect(theatre().areas[0].options[0].items[0].quantity).toBe(5);

	const added = await client.json(`${proposal}/items`, {
		optionId: option.id,
		proposalItems: [{ catalogItemId: item.referencedItemId, itemType: item.itemType }],
	});
	expect(added.status).toBe(201);
	expect(theatre().areas[0].options[0].items).toHaveLength(option.items.length + 1);

	const contact = { givenName: 'Ada', partyType: 'Individual', contactType: 'Vendor' };
	const made = await client.json('/public/people', contact);
	expect(made.status).toBe(201);
	expect(made.json).toMatchObject({ partyType: 'Individual', contactType: 'Vendor' });
	const assigned = await client.form(`${proposal}/contact/${made.json.id}`);
	expect([assigned.status, assigned.text]).toEqual([200, '']);
	expect(theatre().customer.id).toBe(made.json.id);

	const hook = { url: `${simulator.url}/hook`, events: 'ProposalStatusChanged,ContactModified' };
	const subscription = await client.json('/public/webhook/subscribe', hook);
	expect(subscription.status).toBe(201);
	expect(subscription.json.events).toHaveLength(2);

	const found = (query: string) => client.get(`/public/catalog?PageSize=50&${query}`);
	const brands = [...new Set((await found('')).json.items.map((one: Json) => one.brand))];
	const [first, second] = brands.filter(Boolean).map(String);
	const both = await found(`Brands=${encodeURIComponent(JSON.stringify([first, second]))}`);
	expect(new Set(both.json.items.map((one: Json) => one.brand))).toEqual(new Set([first, second]));

	expect((await client.get('/public/proposals?PageSize=51')).status).toBe(400);
	const former = client.userKey;
	await client.signIn();
	const again = await client.raw('GET', proposal, undefined, { userKey: former });
	expect(again.status).toBe(401);
	const { json } = await client.get(proposal);
	expect(json.number).toBe(String(theatre().number));
	expect('projectTerms' in json).toBe(false);
});

test('strict: refuses every format but the documented one', async () => {
	const client = await start('strict');
	expect((await client.json(proposal, { name: 'x' })).status).toBe(415);
	expect((await client.form(proposal, { Name: 'x' })).status).toBe(200);
	const { id } = simulator.control.proposal(staleTheatre).customer;
	const target = `${proposal}/contact/${id}`;
	expect((await client.form(target)).status).toBe(415);
	const body = { proposalId: staleTheatre, contactId: id };
	expect((await client.json(target, body)).status).toBe(204);
	const date = new Date(Date.now() - 45_000).toUTCString();
	expect((await client.raw('GET', proposal, undefined, { date })).status).toBe(401);
});
