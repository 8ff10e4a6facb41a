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

const { proposals } = seed;
const at = (id: number, rest = '') => `/public/proposals/${id}${rest}`;

test('areas: unique names, a first option; options: at most three', async () => {
	const id = proposals.empty;
	const created = await client.form(at(id, '/area'), { Name: 'Den' });
	const [area] = created.json.areas;
	expect(area).toMatchObject({ name: 'Den', options: [{ status: 'Draft', items: [], total: 0 }] });
	const again = await client.form(at(id, '/area'), { Name: 'den' });
	expect([again.status, fieldsOf(again)]).toEqual([400, ['Name']]);
	const target = at(id, `/area/${area.id}/option`);
	const second = await client.form(target, {
		ClientDescription: 'Better',
		InternalNotes: 'Longer cable',
	});
	expect(second.json.areas[0].options[1]).toMatchObject({
		clientDescription: 'Better',
		installerDescription: 'Longer cable',
	});
	expect((await client.form(target)).status).toBe(200);
	expect((await client.form(target)).status).toBe(400);
	expect((await client.form(at(id, '/area/1/option'))).status).toBe(404);
});

test('option texts by both documented paths', async () => {
	const id = proposals.staleTheatre;
	const [area] = simulator.control.proposal(id).areas;
	const [option] = area.options;
	const first = at(id, `/area/${area.id}/option/${option.id}`);
	const other = at(id, `/area-options/${option.id}`);
	const read = (reply: Json) => reply.json.areas[0].options[0];
	const client1 = await client.form(`${first}/clientdescription`, { ClientDescription: 'one' });
	expect(read(client1).clientDescription).toBe('one');
	const client2 = await client.form(`${other}/clientdescription`, { ClientDescription: '' });
	expect(read(client2)).not.toHaveProperty('clientDescription');
	const notes = await client.form(`${other}/installernotes`, { InstallerNotes: 'two' });
	expect(read(notes).installerDescription).toBe('two');
	const wrong = at(id, `/area/1/option/${option.id}/installernotes`);
	expect((await client.form(wrong, { InstallerNotes: 'x' })).status).toBe(404);
});

test.each(['specification', 'alternate'] as const)(
	'routes: %s leaves the other path out',
	async (routes) => {
		const { simulator: one, client: visitor } = await startForTest({ routes });
		const [area] = one.control.proposal(proposals.staleTheatre).areas;
		const option = area.options[0].id;
		const paths = {
			specification: `/area/${area.id}/option/${option}/clientdescription`,
			alternate: `/area-options/${option}/clientdescription`,
		};
		for (const [name, path] of Object.entries(paths)) {
			const reply = await visitor.form(at(proposals.staleTheatre, path), {
				ClientDescription: 'x',
			});
			expect(reply.status).toBe(name === routes ? 200 : 404);
			expect(reply.json === undefined).toBe(name !== routes);
		}
	},
);

test('refreshing costs: all items, some items, an unknown one changes nothing', async () => {
	const id = proposals.staleTheatre;
	const target = at(id, '/items/costupdate');
	const cost = (reply: Json) => reply.json.areas[0].options[0].items.map((one: Json) => one.cost);
	const items = simulator.control.proposal(id).areas[0].options[0].items;
	const unknown = await client.form(target, [
		['ProposalItemIds', String(items[0].id)],
		['ProposalItemIds', '1'],
	]);
	expect(unknown.status).toBe(404);
	expect(simulator.control.proposal(id).areas[0].options[0].items).toEqual(items);
	const some = await client.form(target, { ProposalItemIds: items[1].id });
	expect(cost(some)).toEqual([1180, 71.5, 231.5, 58, 60, 12]);
	simulator.control.setCatalogCost(9001, 1299.99);
	const all = await client.form(target);
	expect(cost(all)).toEqual([1299.99, 71.5, 243, 58, 60, 12]);
	// 4203.45 - (1299.99 + 71.50 + 729 + 377 + 60)
	expect(all.json.profit.total).toBe(1665.96);
});

test('refreshing what is up to date changes no margin', async () => {
	for (const id of [proposals.freshLighting, proposals.freshNetwork]) {
		const { profit } = simulator.control.proposal(id);
		expect((await client.form(at(id, '/items/costupdate'))).json.profit).toEqual(profit);
	}
});
