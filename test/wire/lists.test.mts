/** What the resource locators and multi-selects of the node list. */
import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
import {
	listChoices,
	loadOptions,
	type ListRequest,
	type Run,
} from '../../dev/testbed/nodeRunner.mts';

const service = restoredService();
const asRun = (parameters: object): Run => ({
	credential: service.account,
	parameters: parameters as Run['parameters'],
});
const choices = async (method: string, parameters = {}, request: ListRequest = {}) =>
	await listChoices(asRun(parameters), method, request);
const valuesOf = ({ results }: Awaited<ReturnType<typeof choices>>) =>
	results.map(({ value }) => value);

/** The parameters of an operation, as `item.move`. */
const of = (name: string, parameters: object = {}) => {
	const [resource, operation] = name.split('.');
	return { resource, operation, ...parameters };
};

interface Area {
	id: number;
	name: string;
	options: { id: number; items: { id: number }[] }[];
}
const areasOf = (proposalId: number): Area[] => service.control.proposal(proposalId).areas;
const { staleTheater, staleWholeHome, accepted, empty, viewed } = seed.proposals;
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
const inTheater = (name = 'item.setSupplier', parameters: object = {}) =>
	of(name, { proposalId: byId(String(staleTheater)), ...parameters });

describe('the list of proposals', () => {
	it.each([
		[staleTheater, 'Draft'],
		[viewed, 'Viewed By Client'],
	])(
		'searches the list of proposals by number, name, status and client: %i',
		async (id, status) => {
			const { name, number, customer } = service.control.proposal(id);
			// A company has a name, a person two.
			const client = customer.companyName ?? `${customer.firstName} ${customer.lastName}`;
			expect(
				(await choices('searchProposals', {}, { filter: String(number) })).results,
			).toContainEqual({
				name: `#${number} ${name} (${status}) – ${client}`,
				value: id,
			});
		},
	);

	it('loads the list of proposals page by page, each proposal once', async () => {
		// As many as two pages and a half hold.
		service.control.addProposals(110, { like: empty });
		const found: unknown[] = [];
		let paginationToken: string | undefined;
		do {
			const page = await choices('searchProposals', {}, { paginationToken });
			found.push(...valuesOf(page));
			paginationToken = page.paginationToken as string | undefined;
		} while (paginationToken !== undefined);
		expect(found.length).toBeGreaterThan(110);
		expect(new Set(found).size).toBe(found.length);
	});

	it.each([
		[1, 50, 51, '2'],
		[1, 50, 50, undefined],
		[2, 50, 150, '3'],
		[2, 1, 51, undefined],
		[2, 0, 150, undefined],
	])(
		'offers more behind page %i with %i of %i proposals: %s',
		async (page, count, proposalCount, expected) => {
			const proposals = Array.from({ length: count }, (_, id) => ({ id: id + 1, number: id + 1 }));
			service.control.failNext({ status: 200, body: { proposals, proposalCount } });
			const { results, paginationToken } = await choices(
				'searchProposals',
				{},
				{ paginationToken: String(page) },
			);
			expect([results.length, paginationToken]).toEqual([count, expected]);
		},
	);
});

describe('a search', () => {
	const named = async (method: string, filter: string) => {
		service.control.clearRequests();
		const { results } = await choices(method, {}, { filter });
		const { query } = service.control.requests.at(-1)!;
		return {
			names: results.map(({ name }) => name),
			asked: new URLSearchParams(query).get('SearchText'),
		};
	};
	const add = async (firstName: string, lastName: string) =>
		await service.run('contact.create', {
			...{ partyType: 'Person', contactType: 'Client', firstName },
			additionalFields: { lastName },
		});

	it('finds a contact by what the list shows, in any order', async () => {
		await add('Jane', 'Doering');
		await add('Jan', 'Doering');
		for (const filter of ['Jane Doering', 'doering, JANE', ' (Jane)  Doering – ']) {
			const { names, asked } = await named('searchContacts', filter);
			expect(names, filter).toEqual(['Jane Doering']);
			expect(asked!.toLowerCase(), filter).toBe('doering');
		}
	});

	it('finds a proposal by its number, status and client', async () => {
		const { number, name, customer } = service.control.proposal(viewed);
		const client = customer.companyName ?? `${customer.firstName} ${customer.lastName}`;
		const label = `#${number} ${name} (Viewed By Client) – ${client}`;
		for (const filter of [`#${number}`, `#${number} viewed`, label]) {
			expect(await named('searchProposals', filter)).toEqual({
				names: [label],
				asked: String(number),
			});
		}
		const byClient = await named('searchProposals', client);
		expect(byClient.names).toContain(label);
		// Portal.io finds no status: all proposals are looked through.
		const byStatus = await named('searchProposals', 'viewed');
		expect(byStatus).toEqual({ names: expect.arrayContaining([label]), asked: null });
		for (const one of byStatus.names) expect(one).toContain('(Viewed By Client)');
		// The client of a company, and its email, are not in the label.
		expect((await named('searchProposals', customer.contactEmail)).names).toContain(label);
	});

	it('looks through further pages for a label with all words, and no more than five', async () => {
		const page = (name: string) => ({
			proposals: Array.from({ length: 50 }, (_, id) => ({ id: id + 1, number: id + 1, name })),
			proposalCount: 1000,
		});
		for (const name of ['Loft', 'Loft', 'Loft North'])
			service.control.failNext({ status: 200, body: page(name) });
		const found = await choices('searchProposals', {}, { filter: 'loft north' });
		expect([found.results.length, found.paginationToken]).toEqual([50, '4']);
		service.control.clearRequests();
		for (let count = 0; count < 5; count++)
			service.control.failNext({ status: 200, body: page('Loft') });
		const none = await choices('searchProposals', {}, { filter: 'loft north' });
		expect(none).toEqual({ results: [], paginationToken: '6' });
		expect(service.control.requests).toHaveLength(5);
	});
});

describe('the list of people:', () => {
	it('lists contacts by text', async () => {
		const person = service.control.contacts().find(({ id }) => id === seed.contacts.withPrimary)!;
		const email = String(person.contact_email);
		expect((await choices('searchContacts', {}, { filter: email })).results).toEqual([
			expect.objectContaining({ value: person.id, name: expect.stringContaining(email) }),
		]);
	});

	it('lists the active users, narrowed by text', async () => {
		const all = valuesOf(await choices('searchSalespeople'));
		expect(all).toContain(seed.users.salesPriya);
		expect(all).not.toContain(seed.users.inactive);
		expect(await choices('searchSalespeople', {}, { filter: ' pRIya ' })).toEqual({
			results: [{ name: 'Priya Raman (priya@cedarandcoil.example)', value: seed.users.salesPriya }],
		});
	});
});

describe('the list of what belongs to a proposal:', () => {
	it('lists areas and options, of the chosen proposal and of the chosen area', async () => {
		const [area] = areasOf(staleTheater) as [Area];
		const areas = await choices('searchAreas', inTheater());
		expect(areas.results).toContainEqual({ name: area.name, value: area.id });
		const options = await choices('searchAreaOptions', inTheater());
		expect(options.results).toContainEqual({
			name: expect.stringContaining(`${area.name} – option 1 (Draft)`),
			value: area.options[0]!.id,
		});
		const ofArea = inTheater('areaOption.update', {
			areaId: { __rl: true, mode: 'list', value: area.id },
		});
		expect(valuesOf(await choices('searchOptionsOfArea', ofArea))).toEqual(
			area.options.map(({ id }) => id),
		);
	});

	it.each<[string, (area: Area) => unknown]>([
		['id', ({ id }) => id],
		['name', ({ name }) => name.toUpperCase()],
	])('lists the options of no other area than the chosen one, by its %s', async (mode, write) => {
		const [, area] = areasOf(staleWholeHome) as [Area, Area];
		const areaId = { __rl: true, mode, value: write(area) };
		const parameters = of('areaOption.update', { proposalId: staleWholeHome, areaId });
		expect(valuesOf(await choices('searchOptionsOfArea', parameters))).toEqual(
			area.options.map(({ id }) => id),
		);
	});

	it('lists nothing to choose several of before a proposal is chosen', async () => {
		const parameters = asRun(of('item.move', { proposalId: byId('') }));
		expect(await loadOptions(parameters, 'getItems')).toEqual([]);
		expect(service.control.requests).toEqual([]);
	});

	it('lists items and their suppliers, with area, product, quantity and price', async () => {
		const [area] = service.control.proposal(staleTheater).areas;
		const [item] = area.options[0].items;
		const items = await choices('searchItems', inTheater(), { filter: item.model.toLowerCase() });
		expect(items.results).toContainEqual({
			name: `${area.name}: ${item.brand} ${item.model} × ${item.quantity} – $${item.sellPrice.toFixed(2)}`,
			value: item.id,
		});
		const suppliers = await choices(
			'searchSuppliers',
			inTheater('item.setSupplier', { itemId: item.id }),
		);
		const [cost, otherCost] = service.control
			.supplierCosts(item.referencedItemId)
			.map(({ cost_cents }) => (Number(cost_cents) / 100).toFixed(2));
		expect(suppliers.results.map(({ name }) => name).sort()).toEqual([
			`Meridian AV Supply – $${cost}`,
			`Northgate Distribution – $${otherCost}`,
		]);
	});

	it('lists change orders and content', async () => {
		const orders = await choices(
			'searchChangeOrders',
			of('changeOrder.get', { proposalId: accepted }),
		);
		expect(valuesOf(orders).sort()).toEqual(Object.values(seed.changeOrders).sort());
		service.control.failNext({
			status: 200,
			body: [{ id: 4, number: 2, name: 'More', status: 'Sent' }],
		});
		const order = await choices(
			'searchChangeOrders',
			of('changeOrder.get', { proposalId: accepted }),
		);
		expect(order.results).toEqual([{ name: '#2 More (Sent)', value: 4 }]);
		await service.upload(empty, 'walk');
		const content = await choices('searchContent', of('aiContent.delete', { proposalId: empty }));
		expect(content.results[0]!.name).toMatch(/^walk \(Text, /);
	});

	it.each<[string, (number: number) => string]>([
		['id', () => String(staleTheater)],
		['url', () => `https://app.portal.io/proposals/${staleTheater}/areas`],
		['number', (number) => `#${number}`],
	])('lists what belongs to a proposal that is given by its %s', async (mode, write) => {
		const value = write(service.control.proposal(staleTheater).number);
		const proposalId = { __rl: true, mode, value };
		const options = await loadOptions(asRun(of('item.move', { proposalId })), 'getItems');
		expect(options.map((one) => one.value)).toEqual(
			areasOf(staleTheater).flatMap((area) =>
				area.options.flatMap(({ items }) => items.map(({ id }) => id)),
			),
		);
	});

	it('lists items and area options for several as for one', async () => {
		const proposal = of('item.move', { proposalId: staleWholeHome });
		const items = await loadOptions(asRun(proposal), 'getItems');
		expect(items).toEqual((await choices('searchItems', proposal)).results);
		const severalOptions = areasOf(staleWholeHome).find(({ options }) => options.length > 1)!;
		expect(items.map(({ name }) => name)).toContainEqual(
			expect.stringContaining(`${severalOptions.name}, option 2: `),
		);
		const options = await loadOptions(asRun(proposal), 'getAreaOptions');
		expect(options.map(({ value }) => value)).toEqual(
			areasOf(staleWholeHome).flatMap((area) => area.options.map(({ id }) => id)),
		);
	});

	it('lists nothing of a number that no proposal has', async () => {
		const proposalId = { __rl: true, mode: 'number', value: '999999' };
		const parameters = of('item.move', { proposalId });
		const message = "'Proposal' was not found: no proposal has the number 999999";
		await expect(loadOptions(asRun(parameters), 'getItems')).rejects.toThrow(message);
		for (const method of ['searchAreas', 'searchChangeOrders', 'searchContent']) {
			await expect(choices(method, parameters)).rejects.toThrow(message);
		}
	});
});

describe('the list of locations', () => {
	const ofContact = async (contactId: unknown) =>
		await choices(
			'searchContactLocations',
			of('proposal.create', { additionalFields: { contactId } }),
			{ path: 'parameters.additionalFields.locationId' },
		);
	const ofProposal = async (proposalId: unknown) =>
		await choices(
			'searchProposalLocations',
			of('proposal.assignLocation', { proposalId: byId(proposalId) }),
		);

	it('lists locations of the contact in the same collection, or of the client of the proposal', async () => {
		const { customer } = service.control.proposal(staleTheater);
		const ids = service.control.locations(customer.id).map(({ id }) => id);
		expect(valuesOf(await ofContact(byId(String(customer.id)))).sort()).toEqual(ids.sort());
		expect(valuesOf(await ofProposal(staleTheater)).sort()).toEqual(ids.sort());
		await expect(ofProposal(empty)).rejects.toThrow('Assign a contact to the proposal first');
	});

	it('names locations by their address, and offers none without an ID', async () => {
		const contactLocations = [
			{ id: 4, street: '1 Elm', city: 'Boise', state: 'ID', isPrimary: true },
			{ id: 5, city: 'Boise' },
			{ id: 6 },
			{ street: '2 Elm' },
		];
		service.control.failNext({ status: 200, body: { contactLocations, locationCount: 4 } });
		expect((await ofContact(byId('9'))).results).toEqual([
			{ name: '1 Elm, Boise, ID (primary)', value: 4 },
			{ name: 'Boise', value: 5 },
			{ name: 'Location 6', value: 6 },
		]);
	});

	it.each([
		['Contact', () => ofContact('')],
		['Proposal', () => ofProposal('')],
		['Area', () => choices('searchOptionsOfArea', inTheater('areaOption.update', { areaId: '' }))],
		['Item', () => choices('searchSuppliers', inTheater('item.setSupplier', { itemId: '' }))],
	])(
		'asks for the %s before it lists locations and what else depends on it',
		async (label, list) => {
			await expect(list()).rejects.toThrow(`Choose the '${label}' first`);
		},
	);
});

describe('the list of catalog items', () => {
	const ofRow = async (item: object[], index: number, filter?: string) =>
		await choices('searchCatalogOfRow', of('item.add', { items: { item } }), {
			filter,
			path: `parameters.items.item[${index}].itemId`,
		});
	/** The IDs of the simulator's items of one type that a dealer can use. */
	const idsOfType = (type: string) =>
		service.control
			.catalogItems(seed.accounts.dealer)
			.filter((row) => row.item_type === type && !row.is_discontinued)
			.map(({ id }) => id)
			.sort();

	it('lists catalog items of the type in the same row', async () => {
		const types = ['Part', 'Labor', 'CustomItem'];
		const rows = types.map((itemType) => ({ itemType }));
		for (const [index, itemType] of types.entries()) {
			expect(valuesOf(await ofRow(rows, index)).sort(), itemType).toEqual(idsOfType(itemType));
		}
		expect((await ofRow(rows, 1, 'programming')).results).toEqual([
			// Its description begins with its name, which need not be there twice.
			{ name: 'Programming, per hour', value: seed.catalogItems.programming },
		]);
	});

	it('offers no list of fees', async () => {
		await expect(ofRow([{ itemType: 'Fee' }], 0)).rejects.toThrow(
			"Portal.io has no list of fees: choose 'By ID' and enter the ID of the fee",
		);
	});

	it('lists catalog items of the type above, and parts without one', async () => {
		const ofOperation = async (name: string, parameters = {}) =>
			await choices('searchCatalog', of(name, parameters), { path: 'parameters.catalogItemId' });
		const labor = await ofOperation('catalog.get', { itemType: 'Labor' });
		expect(valuesOf(labor).sort()).toEqual(idsOfType('Labor'));
		const parts = await ofOperation('item.replace');
		expect(valuesOf(parts)).toContain(seed.catalogItems.television);
		expect(await ofOperation('catalog.get', { itemType: '' })).toEqual(parts);
	});
});

it('searches the list of subscriptions by description', async () => {
	await service.run('webhookSubscription.create', {
		url: 'https://receiver.example.com/x',
		events: ['proposal.status_changed', 'proposal.outline.status_update'],
		description: 'Mine',
	});
	expect((await choices('searchSubscriptions', {}, { filter: 'mine' })).results[0]!.name).toBe(
		'Mine – proposal.status_changed, proposal.outline.status_update – https://receiver.example.com/x',
	);
});

it('offers every category of the catalog, and as parents the industries and what others are nested in', async () => {
	// Nested deeper than the sample of the documentation shows, which has two levels.
	const speakers = { id: 47, name: 'In-Wall', subCategories: null };
	const audio = [{ id: 60, name: 'Speakers', subCategories: [speakers] }];
	const body = [
		{ id: 12, name: 'Audio', categories: audio },
		{ id: 13, name: 'Video' },
	];
	const listed = async (method: string) => {
		service.control.failNext({ operationId: 'catalog.getCategories', status: 200, body });
		return await loadOptions(asRun(of('catalog.search')), method);
	};
	expect(await listed('getCategories')).toEqual([
		{ name: 'Audio / Speakers', value: 60 },
		{ name: 'Audio / Speakers / In-Wall', value: 47 },
	]);
	expect(await listed('getParentCategories')).toEqual([
		{ name: 'Audio', value: 12 },
		{ name: 'Audio / Speakers', value: 60 },
		{ name: 'Video', value: 13 },
	]);
});

it('finds the parts of a parent category by what an item has as its own', async () => {
	const [part] = await service.run('catalog.search', {
		simplify: false,
		filters: { itemType: 'Part' },
		limit: 1,
	});
	const parents = await loadOptions(asRun(of('catalog.search')), 'getParentCategories');
	expect(parents.map(({ value }) => value)).toContain(part!.parentCategoryId);
});
