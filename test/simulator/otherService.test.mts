import { expect, test } from 'vitest';

import { seed, type OtherService, type Settings, type Simulator } from '../../simulator/index.mts';
import type { Json } from '../../simulator/json.mts';
import { Client, fieldsOf, type Reply } from './client.mts';
import { boundary, field, file, multipart } from './multipart.mts';
import { startForTest, startWithoutClient } from './start.mts';

let simulator: Simulator;

const { staleTheatre } = seed.proposals;
const proposal = `/public/proposals/${staleTheatre}`;

async function start(service?: OtherService, settings: Partial<Settings> = {}): Promise<Client> {
	const started = await startForTest({ ...settings, service });
	({ simulator } = started);
	return started.client;
}

const theatre = (): Json => simulator.control.proposal(staleTheatre);
const options = (): Json[] => theatre().areas.flatMap((area: Json) => area.options);
const items = (): Json[] => options().flatMap((option) => option.items ?? []);
const quantity = () => items()[0].quantity;
const itemPath = (end: string) => `${proposal}/items/${items()[0].id}/${end}`;
const refused = (reply: Reply) => [reply.status, fieldsOf(reply)];

test('without the setting, requests are as strict as the contract', async () => {
	const client = await start();
	expect((await client.form(itemPath('qty'), { quantity: 4 })).status).toBe(400);
	expect((await client.form(proposal, { Unknown: 'x' })).status).toBe(400);
	expect((await client.json(proposal, { Name: 'x' })).status).toBe(415);
	expect((await client.get('/metadata')).status).toBe(404);
});

test('reads names in any case, and values from form, JSON, query and path', async () => {
	const client = await start({});
	expect((await client.form(itemPath('qty'), { quantity: 4, Unknown: 1 })).status).toBe(200);
	expect(quantity()).toBe(4);
	expect((await client.json(itemPath('qty'), { QUANTITY: 5 })).status).toBe(200);
	expect(quantity()).toBe(5);
	expect((await client.form(`${itemPath('qty')}?Quantity=6`)).status).toBe(200);
	expect(quantity()).toBe(6);
	expect(refused(await client.form(itemPath('qty')))).toEqual([400, ['Quantity']]);
	const list = await client.get('/public/proposals?pagesize=2&Unknown=1');
	expect(list.json.proposals).toHaveLength(2);
	const assigned = await client.form(`${proposal}/contact/${theatre().customer.id}`);
	expect(assigned.status).toBe(204);
});

test('names: only its own names count, also in the entries of a list', async () => {
	const [option] = (await start(), options());
	await simulator.stop();
	const client = await start({
		names: {
			'item.updateQuantity': { Quantity: 'Qty' },
			'item.add': {
				AreaOptionId: 'OptionId',
				Items: 'ProposalItems',
				'Items[].itemId': 'catalogItemId',
			},
			'proposal.update': { Name: 'Title' },
			'catalog.search': { SearchText: 'Query' },
		},
	});
	expect(refused(await client.form(itemPath('qty'), { Quantity: 7 }))).toEqual([400, ['Qty']]);
	expect((await client.form(itemPath('qty'), { qty: 7 })).status).toBe(200);
	expect(quantity()).toBe(7);

	const before = items().length;
	const entry = { itemType: 'Part', quantity: 2, colour: 'red' };
	const id = items().find((one) => one.itemType === 'Part').referencedItemId;
	const add = (fields: Json) => client.form(`${proposal}/items`, fields);
	const ours = { AreaOptionId: option.id, Items: JSON.stringify([{ ...entry, itemId: id }]) };
	expect(refused(await add(ours))).toEqual([400, ['OptionId', 'ProposalItems']]);
	const list = (key: string) => JSON.stringify([{ ...entry, [key]: id }]);
	const half = await add({ OptionId: option.id, ProposalItems: list('itemId') });
	expect(refused(half)).toEqual([400, ['ProposalItems[0].catalogItemId']]);
	expect(half.json.message).not.toContain('itemId ');
	expect((await add({ OptionId: option.id, ProposalItems: list('CatalogItemId') })).status).toBe(
		200,
	);
	const json = { optionId: option.id, proposalItems: [{ ...entry, catalogItemId: id }] };
	expect((await client.json(`${proposal}/items`, json)).status).toBe(200);
	expect(items()).toHaveLength(before + 2);

	await client.form(proposal, { Name: 'ours' });
	expect(theatre().name).not.toBe('ours');
	await client.form(proposal, { Title: 'theirs' });
	expect(theatre().name).toBe('theirs');
	const count = async (query: string) =>
		(await client.get(`/public/catalog?${query}`)).json.totalItemCount;
	expect(await count('Query=nothing+has+this')).toBe(0);
	expect(await count('SearchText=nothing+has+this')).toBeGreaterThan(0);
});

test('formats: the other one is not read, or refused', async () => {
	let client = await start({ formats: { 'item.updateQuantity': ['json'], '*': ['form'] } });
	expect(refused(await client.form(itemPath('qty'), { Quantity: 3 }))).toEqual([400, ['Quantity']]);
	expect((await client.json(itemPath('qty'), { quantity: 3 })).status).toBe(200);
	expect(quantity()).toBe(3);
	const description = () => theatre().projectDescription;
	const former = description();
	expect((await client.json(`${proposal}/description`, { description: 'x' })).status).toBe(200);
	expect(description()).toBe(former);
	await simulator.stop();

	client = await start({
		formats: { 'proposal.assignContact': ['form'] },
		otherFormat: 'refused',
		statuses: { 'proposal.assignContact': 200, 'area.create': 201 },
	});
	const { id } = theatre().customer;
	const target = `${proposal}/contact/${id}`;
	expect((await client.json(target, { proposalId: staleTheatre, contactId: id })).status).toBe(415);
	expect(await client.form(target)).toMatchObject({ status: 200, text: '' });
	expect((await client.form(`${proposal}/area`, { Name: 'Attic' })).status).toBe(201);
	expect((await client.form(`${proposal}/area`, { Name: 'Attic' })).status).toBe(400);
});

test.each(['repeated', 'commas', 'brackets'] as const)(
	'lists: %s is the only way',
	async (form) => {
		const client = await start({ lists: [form] });
		await client.form(`${proposal}/area`, { Name: 'Attic' });
		const target = options().at(-1);
		const [first, second] = items().map((one) => one.id);
		const ways: Record<string, [string, string][]> = {
			repeated: [
				['ProposalItemIds', `${first}`],
				['ProposalItemIds', `${second}`],
			],
			commas: [['ProposalItemIds', `${first},${second}`]],
			brackets: [['ProposalItemIds', `[${first},${second}]`]],
		};
		const ids = (): number[] => (options().at(-1).items ?? []).map((one: Json) => one.id);
		const move = (way: string) =>
			client.form(`${proposal}/items/move`, [...ways[way]!, ['AreaOptionId', `${target.id}`]]);
		for (const way of Object.keys(ways).filter((one) => one !== form)) {
			const before = ids().length;
			const { status } = await move(way);
			// of repeated fields, the last one counts
			const isPart = form === 'commas' && way === 'repeated';
			expect([way, status, ids().length - before]).toEqual([
				way,
				isPart ? 200 : 400,
				isPart ? 1 : 0,
			]);
		}
		expect((await move(form)).status).toBe(200);
		expect(ids()).toEqual(expect.arrayContaining([first, second]));
		expect(
			(
				await client.json(`${proposal}/items/copy`, {
					proposalItemIds: [first, second],
					areaOptionIds: [target.id],
				})
			).status,
		).toBe(200);
		expect(ids().length).toBeGreaterThan(3);
	},
);

test('paths: the contract has the operation no longer under its own', async () => {
	const client = await start({
		paths: {
			'aiContent.getMany': '/public/proposals/{ProposalId}/ai/content',
			'item.updateQuantity': '/public/proposals/{ProposalId}/items/{ProposalItemId}/quantity',
			'areaOption.updateInstallerNotes': '/public/proposals/{ProposalId}/options/{OptionId}/notes',
			'areaOption.updateClientDescription.alternate':
				'/public/proposals/{ProposalId}/options/{OptionId}/description',
		},
	});
	expect((await client.form(itemPath('quantity'), { Quantity: 8 })).status).toBe(200);
	expect(quantity()).toBe(8);
	expect(simulator.control.requests.at(-1)).toMatchObject({
		path: itemPath('quantity'),
		operationId: 'item.updateQuantity',
		bodyText: 'Quantity=8',
	});
	for (const gone of [
		itemPath('qty'),
		`${proposal}/area-options/${options()[0].id}/installernotes`,
	]) {
		const reply = await client.form(gone, { Quantity: 9, InstallerNotes: 'x' });
		expect(reply).toMatchObject({ status: 404, text: `Handler for Request not found: ${gone}\n` });
	}
	const moved = `${proposal}/options/${options()[0].id}/notes`;
	expect((await client.form(moved, { InstallerNotes: 'x' })).status).toBe(200);
	expect(options()[0].installerDescription).toBe('x');
	const [
		{
			id: areaId,
			options: [option],
		},
	] = theatre().areas;
	for (const path of [
		`options/${option.id}/description`,
		`area/${areaId}/option/${option.id}/clientdescription`,
	]) {
		const reply = await client.form(`${proposal}/${path}`, { ClientDescription: path });
		expect([reply.status, options()[0].clientDescription]).toEqual([200, path]);
	}
	expect((await client.get(`${proposal}/ai/content`)).json.items).toBeDefined();
	for (const gone of [
		`/public/ai/content?ProposalId=${staleTheatre}`,
		`/public/api/proposals/${staleTheatre}/ai/content`,
	]) {
		expect((await client.get(gone)).json, gone).toBeUndefined();
	}
});

test('values: its own in requests and responses', async () => {
	const client = await start({
		values: {
			PartyType: { Person: 'Individual' },
			ContactType: { Client: 'Customer' },
			SortDirection: { Asc: 'Ascending', Desc: 'Descending' },
		},
	});
	const create = (PartyType: string, ContactType: string) =>
		client.form('/public/people', { PartyType, ContactType, FirstName: 'Ada' });
	expect(refused(await create('Person', 'Customer'))).toEqual([400, ['PartyType']]);
	const made = await create('Individual', 'Customer');
	expect(made.json).toMatchObject({ partyType: 'Individual', contactType: 'Customer' });
	const list = (direction: string) => client.get(`/public/people?SortDirection=${direction}`);
	expect((await list('Ascending')).json.people[0].partyType).not.toBe('Person');
	expect((await list('Asc')).status).toBe(400);
	expect((await client.get(proposal)).json.customer.contactType).toBe('Customer');
});

test('signedQuery: the query is part of the signed URL', async () => {
	simulator = await startWithoutClient({ service: { signedQuery: true } });
	const client = new Client(simulator, seed.dealer);
	expect((await client.exchange()).status).toBe(401);
	const { username, password } = seed.dealer;
	const query = `UserName=${encodeURIComponent(username)}&Password=${encodeURIComponent(password)}`;
	const target = `/authenticate/apikeyexchange?${query}`;
	const date = new Date().toUTCString();
	const message = `GET${simulator.url}${target}${date}`;
	const reply = await client.raw('GET', target, undefined, { message, date, userKey: '' });
	expect(reply.status).toBe(200);
	client.userKey = reply.json.meta.apiKey;
	expect((await client.get('/public/users')).status).toBe(200);
	expect((await client.get('/public/proposals?PageSize=1')).status).toBe(401);
});

const subscribe = (client: Client, events: [string, string][]) =>
	client.form('/public/webhook/subscribe', [['Url', `${simulator.url}/hook`], ...events]);

test('events: its own identifiers, one way to send several, and secrets in lists', async () => {
	const client = await start(
		{
			events: {
				names: { 'proposal.status_changed': 'ProposalStatusChanged', x: 'Y' },
				several: 'commas',
			},
			secretKeyInLists: true,
		},
		{ additionalEvents: ['PaymentPaid'] },
	);
	for (const unknown of ['proposal.status_changed', 'proposal.build.status_update']) {
		expect((await subscribe(client, [['Events', unknown]])).status).toBe(400);
	}
	const made = await subscribe(client, [['Events', 'ProposalStatusChanged,PaymentPaid']]);
	expect(made.json.events).toEqual(['ProposalStatusChanged', 'PaymentPaid']);
	const last = await subscribe(client, [
		['Events', 'PaymentPaid'],
		['Events', 'ProposalStatusChanged'],
	]);
	expect(last.json.events).toEqual(['ProposalStatusChanged']);
	const list = await client.get('/public/webhook/subscriptions');
	expect(list.json.map((one: Json) => one.secretKey)).toContain(made.json.secretKey);
	simulator.control.accept(seed.proposals.submitted);
	expect(simulator.control.deliveries().map((one: Json) => one.event_type)).toContain(
		'ProposalStatusChanged',
	);
});

test('events: only one, or only repeated', async () => {
	const [one, other] = ['proposal.status_changed', 'proposal.build.status_update'];
	let client = await start({ events: { several: 'one' } });
	expect((await subscribe(client, [['Events', one!]])).status).toBe(200);
	expect((await subscribe(client, [['Events', `${one},${other}`]])).status).toBe(400);
	const both: [string, string][] = [
		['Events', one!],
		['Events', other!],
	];
	expect((await subscribe(client, both)).status).toBe(400);
	await simulator.stop();
	client = await start({ events: { several: 'repeated' } });
	expect((await subscribe(client, both)).json.events).toHaveLength(2);
	expect((await subscribe(client, [['Events', `${one},${other}`]])).status).toBe(400);
});

test('validation: fields names each missing and wrong field in words of its own', async () => {
	const client = await start({ names: { 'item.move': { AreaOptionId: 'TargetOptionId' } } });
	const { json } = await client.form(`${proposal}/items/move`);
	expect(json.responseStatus.errors).toMatchObject([
		{ errorCode: 'NotEmpty', fieldName: 'ProposalItemIds' },
		{ fieldName: 'TargetOptionId', message: "'Target Option Id' must not be empty." },
	]);
	expect(json.message).toBe("'Proposal Item Ids' must not be empty.");
	const wrong = await client.form(`${proposal}/items/move`, {
		ProposalItemIds: 'x',
		TargetOptionId: 'y',
	});
	expect(fieldsOf(wrong)).toContain('TargetOptionId');
	const missing = await client.form(`${proposal}/items/move`, {
		ProposalItemIds: items()[0].id,
		TargetOptionId: 1,
	});
	expect(refused(missing)).toEqual([404, ['TargetOptionId']]);
});

test('validation: plain says nothing about fields', async () => {
	const client = await start({
		validation: 'plain',
		names: { 'item.updateQuantity': { Quantity: 'Qty' } },
	});
	const reply = await client.form(itemPath('qty'), { Quantity: 2 });
	expect(refused(reply)).toEqual([400, []]);
	expect(reply.text).not.toMatch(/qty|quantity/i);
	expect((await client.form(itemPath('qty'), { Qty: 2 })).status).toBe(200);
});

test('validation: none returns the unchanged proposal', async () => {
	const client = await start({
		validation: 'none',
		names: { 'item.updateQuantity': { Quantity: 'Qty' } },
	});
	const before = theatre();
	const reply = await client.form(itemPath('qty'), { Quantity: before.areas[0].id + 1 });
	expect(reply.status).toBe(200);
	expect(reply.json).toEqual(JSON.parse(JSON.stringify(before)));
	expect((await client.form(`${proposal}/items`, { Anything: 1 })).status).toBe(200);
	expect(theatre()).toEqual(before);
	expect((await client.form(itemPath('qty'), { Qty: 9 })).json.areas).not.toEqual(before.areas);
	expect(quantity()).toBe(9);
	expect(refused(await client.form('/public/people', {}))).toEqual([400, []]);
	expect((await client.form('/public/proposals/1/items', {})).status).toBe(404);
	const { submitted } = seed.proposals;
	simulator.control.accept(submitted);
	expect((await client.form(`/public/proposals/${submitted}/items`, {})).status).toBe(409);
	client.userKey = 'wrong';
	expect((await client.form(itemPath('qty'), {})).status).toBe(401);
});

test('answers: fields renamed, removed, added, and of another type', async () => {
	const client = await start({
		answers: {
			'*': { rename: { 'areas.options.items.quantity': 'qty' } },
			'proposal.get': {
				remove: ['dealer.webSiteUrl', 'projectTerms'],
				add: { 'areas.options.sortOrder': 1 },
				types: { number: 'text', customer: 'list', id: 'null' },
				rename: { lastModifiedUser: 'modifiedBy' },
			},
			'user.getMany': { types: { 'users.id': 'text' } },
		},
	});
	const { json } = await client.get(proposal);
	expect(json).toMatchObject({ id: null, number: String(theatre().number) });
	expect(json.customer).toHaveLength(1);
	expect(json.lastModifiedUser).toBeUndefined();
	expect(json.modifiedBy.firstName).toBeTruthy();
	expect('projectTerms' in json || 'webSiteUrl' in json.dealer).toBe(false);
	const [option] = json.areas[0].options;
	expect(option.sortOrder).toBe(1);
	expect(option.items[0].qty).toBe(quantity());
	expect('quantity' in option.items[0]).toBe(false);
	const changed = await client.form(itemPath('qty'), { Quantity: 2 });
	expect(changed.json).toMatchObject({ id: staleTheatre });
	expect(changed.json.areas[0].options[0].items[0].qty).toBe(2);
	const users = await client.get('/public/users');
	expect(typeof users.json.users[0].id).toBe('string');
});

test('a setting for an unknown operation or field is an error at the start', async () => {
	await expect(start({ names: { 'item.nothing': {} } })).rejects.toThrow('item.nothing');
	await expect(start({ names: { 'item.add': { Item: 'x' } } })).rejects.toThrow('Item');
	await expect(start({ paths: { 'item.change': '/x' } })).rejects.toThrow('item.change');
	await expect(start({ paths: { 'item.add': '/x/{Id}' } })).rejects.toThrow(
		'item.add has no field Id',
	);
});

test('an upload has names of its own too', async () => {
	const client = await start({ names: { 'aiContent.upload': { name: 'Title' } } });
	const target = `/public/api/proposals/${seed.proposals.empty}/ai/content`;
	const upload = (name: string) =>
		client.raw('POST', target, multipart([field(name, 'Walk'), file('walk.txt', 'Hello')]), {
			contentType: `multipart/form-data; boundary=${boundary}`,
		});
	expect(refused(await upload('name'))).toEqual([400, ['Title']]);
	expect((await upload('title')).json.name).toBe('Walk');

	const chunks = multipart([
		field('Title', 'Talk'),
		field('ProposalId', seed.proposals.empty),
		field('totalChunks', 1),
		field('unknown', 1),
		file('talk.txt.part1', 'Hello'),
	]);
	const reply = await client.raw('POST', `${target}?IsMultiChunkUpload=true`, chunks, {
		contentType: `multipart/form-data; boundary=${boundary}`,
	});
	expect([reply.status, reply.json.name]).toEqual([200, 'Talk']);
});
