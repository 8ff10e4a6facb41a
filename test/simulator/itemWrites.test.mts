import { beforeEach, expect, test } from 'vitest';

import { operations } from '../../dev/simulator/openapi.mts';
import { seed, type Simulator } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/json.mts';
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

test('refuses values that are none', async () => {
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
const fitting = (proposalId: number, operation: (typeof writes)[number]) => {
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
	const form = Object.keys(operation.form ?? {}).map((name): [string, unknown] => [
		name,
		name === 'Items' ? JSON.stringify(fields.Items) : fields[name],
	]);
	return (one: Client) =>
		one.form(target, { ...Object.fromEntries(form), SomethingElse: 'x' }, operation.method);
};

test('answers every write with 403 for the restricted, 404 for strangers, 409 when decided, else 200', async () => {
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
	// The one that deletes last.
	for (const operation of writes.toSorted((one) => (one.method === 'DELETE' ? 1 : -1))) {
		const reply = await fitting(proposals.staleTheatre, operation)(client);
		expect([reply.status, reply.json.id], operation.id).toEqual([200, proposals.staleTheatre]);
	}
});
