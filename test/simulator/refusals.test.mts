/** What the simulator refuses, as the specification has it: the nodes must never get away with it. */
import { beforeAll, expect, test } from 'vitest';

import { seed, startSimulator, type Simulator } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/json.mts';
import { Client, fieldsOf, type Reply } from './client.mts';

let simulator: Simulator;
let client: Client;
beforeAll(async () => {
	simulator = await startSimulator({ today: '2026-06-26' });
	client = await new Client(simulator, seed.dealer).signIn();
	return () => simulator.stop();
});

const { proposals, contacts, locations, users } = seed;
const theatre = `/public/proposals/${proposals.staleTheatre}`;
const empty = `/public/proposals/${proposals.empty}`;
const person = { PartyType: 'Person', ContactType: 'Client', FirstName: 'Odile' };
const subscription = { Url: 'https://hooks.example.com/', Events: 'proposal.status_changed' };

/** Expects a refusal that names these fields, and that nothing has changed. */
async function expectRefusal(send: () => Promise<Reply>, status: number, fields: string[]) {
	const before = simulator.control.state();
	const reply = await send();
	expect([reply.status, fieldsOf(reply).sort()]).toEqual([status, fields]);
	expect(simulator.control.state()).toEqual(before);
}

test.each<[target: string, status: number, ...fields: string[]]>([
	['/public/proposals?PageNumber=0', 400, 'PageNumber'],
	['/public/proposals?PageSize=101', 400, 'PageSize'],
	['/public/proposals?PageSize=0', 400, 'PageSize'],
	['/public/proposals?PageSize=ten', 400, 'PageSize'],
	['/public/proposals?Statuses=Sent', 400, 'Statuses.0'],
	['/public/proposals?SortBy=LastModifiedDate', 400, 'SortBy'],
	['/public/proposals?ModifiedAfter=yesterday', 400, 'ModifiedAfter'],
	['/public/proposals?IsArchive=yes', 400, 'IsArchive'],
	['/public/proposals?pageNumber=1', 400, 'pageNumber'],
	['/public/proposals/abc', 400, 'ProposalId'],
	['/public/proposals/1', 404],
	[`/public/proposals/${proposals.otherDraft}`, 404],
	[`/public/proposals/${seed.changeOrders.draft}`, 404],
	[`/public/people/${contacts.ofOtherDealer}`, 404],
	[`/public/people/${contacts.company}/location?PageNumber=0`, 400, 'PageNumber'],
	['/public/catalog?PageNumber=-1', 400, 'PageNumber'],
	['/public/catalog?CategoryId=101&CategoryIds=102', 400, 'CategoryIds'],
	['/public/catalog/8001', 404],
	['/public/ai/content', 400, 'ProposalId'],
	[`/public/api/proposals/${proposals.empty}/ai/outline`, 404],
	[`${theatre}/items/1/suppliers`, 404],
])('answers GET %s with %i', async (target, status, ...fields) => {
	await expectRefusal(() => client.get(target), status, fields);
});

test.each<[target: string, form: Record<string, unknown>, status: number, ...fields: string[]]>([
	['/public/proposals', { SalesPersonID: 301 }, 400, 'SalesPersonID', 'SalesPersonId'],
	['/public/proposals', { SalesPersonId: users.inactive }, 404],
	['/public/proposals', { SalesPersonId: users.otherDealer }, 404],
	['/public/people', { ...person, PartyType: 'Company' }, 400, 'CompanyName'],
	['/public/people', { ...person, LastName: 'x'.repeat(51), Foo: 1 }, 400, 'Foo', 'LastName'],
	[`/public/people/${contacts.company}/location`, { Street: 'a', Country: 'US' }, 400, 'State'],
	[`${theatre}/area/1/option`, {}, 404],
	[`${theatre}/area-options/1/installernotes`, { InstallerNotes: 'x' }, 404],
	[
		'/public/webhook/subscribe',
		{ ...subscription, Events: 'ProposalStatusChanged' },
		400,
		'Events',
	],
	['/public/webhook/subscription/1', { Enabled: true }, 400, 'SubscriptionId'],
])('answers POST %s %j with %i', async (target, form, status, ...fields) => {
	await expectRefusal(() => client.form(target, form), status, fields);
});

test('names the field that is wrong in items, and then adds none', async () => {
	const [option] = simulator.control.proposal(proposals.staleTheatre).areas[0].options;
	const [other] = simulator.control.proposal(proposals.staleWholeHome).areas[0].options;
	const tv = { itemId: seed.catalogItems.television, itemType: 'Part', quantity: 1 };
	const labor = { itemId: seed.catalogItems.laborOfOtherDealer, itemType: 'Labor' };
	const cases: [number, number, unknown, string][] = [
		[404, option.id, [tv, { ...tv, itemId: 1 }], 'Items[1].itemId'],
		[404, option.id, [labor], 'Items[0].itemId'],
		[400, option.id, [tv, { ...tv, itemType: 'Labor' }], 'Items[1].itemType'],
		[400, option.id, [{ ...tv, itemType: 'part' }], 'Items[0].itemType'],
		[400, option.id, [{ ...tv, quantity: -1_000_000 }], 'Items[0].quantity'],
		[400, option.id, [{ ...tv, quantity: '1' }], 'Items[0].quantity'],
		[400, option.id, [{ ...tv, itemId: '9001' }], 'Items[0].itemId'],
		[400, option.id, [{ ...tv, parentId: other.items[0].id }], 'Items[0].parentId'],
		[400, option.id, [{ ...tv, price: 5 }], 'Items[0].price'],
		[400, option.id, [5], 'Items[0]'],
		[400, option.id, [], 'Items'],
		[400, option.id, tv, 'Items'],
		[400, option.id, 'not json', 'Items'],
		[404, other.id, [tv], 'AreaOptionId'],
	];
	for (const [status, AreaOptionId, list, field] of cases) {
		const Items = typeof list === 'string' ? list : JSON.stringify(list);
		await expectRefusal(() => client.form(`${theatre}/items`, { AreaOptionId, Items }), status, [
			field,
		]);
	}
});

test('moves, copies and replaces items by what the proposal and the catalog have alone', async () => {
	const [option] = simulator.control.proposal(proposals.staleTheatre).areas[0].options;
	const foreign = simulator.control.proposal(proposals.staleWholeHome).areas[0].options[0];
	const [item] = option.items;
	const own = { ProposalItemIds: [item.id] };
	const theirs = { ProposalItemIds: [item.id, foreign.items[0].id] };
	const cases: [string, Json, string][] = [
		['/items/move', { ...own, AreaOptionId: foreign.id }, 'AreaOptionId'],
		['/items/move', { ...theirs, AreaOptionId: option.id }, 'ProposalItemIds'],
		['/items/copy', { ...own, AreaOptionIds: [option.id, 1] }, 'AreaOptionIds'],
		[`/items/${item.id}/replace`, { ItemId: 5 }, 'ItemId'],
		['/items/costupdate', { ProposalItemIds: [item.id, 1] }, 'ProposalItemIds'],
	];
	for (const [path, form, field] of cases) {
		await expectRefusal(() => client.form(theatre + path, form), 404, [field]);
	}
	await expectRefusal(() => client.form(`${theatre}/items/${item.id}/supplier/9`), 404, []);
});

test('takes forms where they belong and JSON where it belongs', async () => {
	const target = `${empty}/contact/${contacts.withPrimary}`;
	const ids = { proposalId: proposals.empty, contactId: contacts.withPrimary };
	const statusOf = async (reply: Promise<Reply>) => (await reply).status;
	expect(await statusOf(client.json('/public/proposals', { SalesPersonId: 301 }))).toBe(415);
	expect(await statusOf(client.raw('POST', '/public/proposals', 'SalesPersonId=301'))).toBe(415);
	expect(await statusOf(client.form(target, ids))).toBe(415);
	expect(await statusOf(client.json(target, { ...ids, proposalId: `${ids.proposalId}` }))).toBe(
		400,
	);
	const broken = { contentType: 'application/json' };
	expect(await statusOf(client.raw('POST', target, '{', broken))).toBe(400);
	const other = await client.json(target, { ...ids, contactId: 1 });
	expect([other.status, fieldsOf(other)]).toEqual([400, ['contactId']]);
});

test('refuses a location of another contact, a contact of another account, and a fourth option', async () => {
	const assign = async (id: number, locationId: number) =>
		(
			await client.json(`/public/proposals/${id}/location/${locationId}`, {
				proposalId: id,
				locationId,
			})
		).status;
	expect(await assign(proposals.empty, locations.withPrimary)).toBe(409);
	expect(await assign(proposals.staleWholeHome, locations.withPrimary)).toBe(404);
	const { json } = await client.form(`${empty}/area`, { Name: 'Den' });
	const again = await client.form(`${empty}/area`, { Name: 'den' });
	expect([again.status, fieldsOf(again)]).toEqual([400, ['Name']]);
	const target = `${empty}/area/${json.areas[0].id}/option`;
	for (const status of [200, 200, 400]) expect((await client.form(target)).status).toBe(status);
});

test('refuses AI work without what comes before it, and in a proposal that cannot be edited', async () => {
	const generate = async (proposalId: number) =>
		(await client.json('/public/ai/generate-outline', { proposalId })).status;
	const build = async (proposalId: number) =>
		(await client.json('/public/ai/build-proposal', { proposalId })).status;
	expect(await generate(proposals.staleAudio)).toBe(400);
	expect(await build(proposals.staleAudio)).toBe(400);
	expect(await generate(proposals.accepted)).toBe(409);
	expect(await build(proposals.accepted)).toBe(409);
	const target = `/public/ai/content/${seed.aiContents.ofAccepted}`;
	expect((await client.delete(target)).status).toBe(409);
	const wrong = await client.json(`${empty}/ai/outline`, { proposalId: 1 });
	expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ['proposalId']]);
});
