/** Tests the editor's lists. */
import { describe, expect, it } from 'vitest';
import { listSearch, loadOptions as multiSelects } from '../../nodes/PortalIo/editor/lists.ts';
import {
	listChoices,
	loadOptions,
	type ListRequest,
	type Run,
} from '../../dev/testbed/nodeRunner.mts';
import { by, restoredService, seed } from './account.mts';

const service = restoredService();
const { respond } = service;
const asRun = (run: Partial<Run>): Run => ({ credential: service.account, ...run });
const choices = async (method: string, run: Partial<Run> = {}, request: ListRequest = {}) =>
	await listChoices(asRun(run), method, request);
const valuesOf = ({ results }: Awaited<ReturnType<typeof choices>>) =>
	results.map(({ value }) => value);

const of = (operation: string, parameters: object = {}) => ({ operation, parameters });

interface Area {
	id: number;
	name: string;
	options: { id: number; items: { id: number }[] }[];
}
const areasOf = (proposalId: number): Area[] => service.control.proposal(proposalId).areas;
const idsOf = (records: { id?: unknown }[]) => records.map(({ id }) => id);
const { staleTheater, staleWholeHome, accepted, empty, viewed } = seed.proposals;
const byId = (value: string | number) => by('id', value);
const inTheater = (name = 'item.setSupplier', parameters: object = {}) =>
	of(name, { proposalId: byId(String(staleTheater)), ...parameters });

describe('pages and searches', () => {
	it('loads the list of proposals page by page', async () => {
		service.control.addProposals(110, { like: empty });
		const all: unknown[] = [];
		let paginationToken: string | undefined;
		do {
			const page = await choices('searchProposals', {}, { paginationToken });
			all.push(...valuesOf(page));
			paginationToken = page.paginationToken as string | undefined;
		} while (paginationToken !== undefined);
		expect(all.length).toBeGreaterThan(110);
		expect(new Set(all).size).toBe(all.length);
		const [{ query } = { query: '' }] = service.control.requests;
		expect(query).toContain('SortBy=ModifiedDate&SortDirection=Desc');
	});

	it.each([
		[1, 50, 50, undefined],
		[1, 50, 51, '2'],
		[2, 1, 51, undefined],
		[2, 0, 150, undefined],
	])(
		'offers a next page after page %i with %i of %i records: %s',
		async (page, count, proposalCount, more) => {
			const proposals = Array.from({ length: count }, (_, id) => ({ id: id + 1, number: id + 1 }));
			respond('proposal.getMany', { proposals, proposalCount });
			const request = { paginationToken: String(page) };
			const { results, paginationToken } = await choices('searchProposals', {}, request);
			expect([results.length, paginationToken]).toEqual([count, more]);
		},
	);

	const named = async (method: string, filter: string) => {
		service.control.clearRequests();
		const { results } = await choices(method, {}, { filter });
		const { query } = service.control.requests.at(-1)!;
		const asked = new URLSearchParams(query).get('SearchText');
		return { names: results.map(({ name }) => name), asked };
	};
	const add = async (firstName: string, lastName: string) =>
		await service.run('contact.create', {
			partyType: 'Person',
			contactType: 'Client',
			firstName,
			additionalFields: { lastName },
		});

	it('finds a contact by the words in its label, in any order', async () => {
		await add('Jane', 'Doering');
		await add('Jan', 'Doering');
		for (const filter of ['Jane Doering', 'doering, JANE', ' (Jane)  Doering – ']) {
			const { names, asked } = await named('searchContacts', filter);
			expect(names, filter).toEqual(['Jane Doering']);
			expect(asked!.toLowerCase(), filter).toBe('doering');
		}
		const { query } = service.control.requests.at(-1)!;
		expect(query).toContain('SortBy=FirstName&SortDirection=Asc');
	});

	it('finds a proposal by its number, status, and client', async () => {
		const { number, name, customer } = service.control.proposal(viewed);
		const client = customer.companyName ?? `${customer.firstName} ${customer.lastName}`;
		const label = `#${number} ${name} (Viewed By Client) – ${client}`;
		const expected = { names: [label], asked: String(number) };
		for (const filter of [`#${number}`, `#${number} viewed`, label])
			expect(await named('searchProposals', filter)).toEqual(expected);
		const byClient = await named('searchProposals', client);
		expect(byClient.names).toContain(label);
		// Portal.io cannot search for a status, so the node searches all proposals.
		const byStatus = await named('searchProposals', 'viewed');
		expect(byStatus).toEqual({ names: expect.arrayContaining([label]), asked: null });
		for (const one of byStatus.names) expect(one).toContain('(Viewed By Client)');
		// Expect a match for the client's email, although the label does not contain it.
		expect((await named('searchProposals', customer.contactEmail)).names).toContain(label);
	});

	it('searches up to five pages for a label with all words', async () => {
		let lastId = 0;
		const page = (name: string) => ({
			proposals: Array.from({ length: 50 }, () => ({ id: ++lastId, number: lastId, name })),
			proposalCount: 1000,
		});
		for (const name of ['Loft', 'Loft', 'Loft North']) respond('proposal.getMany', page(name));
		const some = await choices('searchProposals', {}, { filter: 'loft north' });
		expect([some.results.length, some.paginationToken]).toEqual([50, '4']);
		service.control.clearRequests();
		for (let count = 0; count < 5; count++) respond('proposal.getMany', page('Loft'));
		const none = await choices('searchProposals', {}, { filter: 'loft north' });
		expect(none).toEqual({ results: [], paginationToken: '6' });
		expect(service.control.requests).toHaveLength(5);
	});

	it('lists the active users that match the text', async () => {
		const all = valuesOf(await choices('searchSalespeople'));
		expect(all).toContain(seed.users.salesPriya);
		expect(all).not.toContain(seed.users.inactive);
		expect(await choices('searchSalespeople', {}, { filter: ' pRIya ' })).toEqual({
			results: [{ name: 'Priya Raman (priya@cedarandcoil.example)', value: seed.users.salesPriya }],
		});
	});
});

const path = 'parameters.additionalFields.locationId';

describe('records of a proposal', () => {
	it.each(['searchAreas', 'searchAreaOptions', 'getAreaOptions', 'searchItems', 'getItems'])(
		'%s lists the records of a proposal chosen by ID, URL, or number',
		async (method) => {
			const options = areasOf(staleWholeHome).flatMap((area) => area.options);
			const records = /Items/.test(method)
				? options.flatMap(({ items }) => items)
				: /Options/.test(method)
					? options
					: areasOf(staleWholeHome);
			for (const proposalId of [
				byId(String(staleWholeHome)),
				by('url', `https://app.portal.io/proposals/${staleWholeHome}/areas`),
				by('number', `#${service.control.proposal(staleWholeHome).number}`),
			]) {
				const parameters = of('item.move', { proposalId });
				const offered = method.startsWith('get')
					? await loadOptions(asRun(parameters), method)
					: (await choices(method, parameters)).results;
				expect(offered.map(({ value }) => value)).toEqual(idsOf(records));
			}
		},
	);

	it.each<[string, (area: Area) => string | number]>([
		['list', ({ id }) => id],
		['name', ({ name }) => name.toUpperCase()],
	])('lists only the options of the area chosen by its %s', async (mode, write) => {
		const [, area] = areasOf(staleWholeHome) as [Area, Area];
		const areaId = by(mode, write(area));
		const parameters = of('areaOption.update', { proposalId: staleWholeHome, areaId });
		expect(valuesOf(await choices('searchOptionsOfArea', parameters))).toEqual(idsOf(area.options));
	});

	it('lists the items that match the text', async () => {
		const [{ name, options }] = service.control.proposal(staleTheater).areas;
		const { id: itemId, brand, model, quantity, sellPrice, referencedItemId } = options[0].items[0];
		const items = await choices('searchItems', inTheater(), { filter: model.toLowerCase() });
		expect(items.results).toEqual([
			{
				name: `${name}: ${brand} ${model} × ${quantity} – $${sellPrice.toFixed(2)}`,
				value: itemId,
			},
		]);
		const { results } = await choices('searchSuppliers', inTheater('item.setSupplier', { itemId }));
		const costs = service.control.rows('catalog_costs', { item_id: referencedItemId });
		expect(results.map((supplier) => supplier.name).sort()).toEqual([
			`Meridian AV Supply – $${(Number(costs[0]!.cost_cents) / 100).toFixed(2)}`,
			`Northgate Distribution – $${(Number(costs[1]!.cost_cents) / 100).toFixed(2)}`,
		]);
	});

	it('lists the suppliers of an item chosen by its model', async () => {
		const [{ options }] = service.control.proposal(staleTheater).areas;
		const { id, model } = options[0].items[0];
		const item = inTheater('item.setSupplier', { itemId: by('model', model) });
		expect((await choices('searchSuppliers', item)).results).toHaveLength(2);
		const path = `/public/proposals/${staleTheater}/items/${id}/suppliers`;
		expect(service.control.requests.at(-1)!.path).toBe(path);
	});

	it('lists change orders and AI content', async () => {
		const ofAccepted = of('changeOrder.get', { proposalId: accepted });
		const orders = Object.values(seed.changeOrders).sort();
		const found = await choices('searchChangeOrders', ofAccepted);
		expect(valuesOf(found).sort()).toEqual(orders);
		for (const { name } of found.results) expect(name).toMatch(/^#\d+ \S.* \([\w ]+\)$/);
		await service.upload(empty, 'walk');
		const content = await choices('searchContent', of('aiContent.delete', { proposalId: empty }));
		expect(content.results[0]!.name).toMatch(/^walk \(Text, /);
	});

	it('lists nothing before a proposal is chosen', async () => {
		const items = (proposalId: object) =>
			loadOptions(asRun(of('item.move', { proposalId })), 'getItems');
		expect(await items(byId(''))).toEqual([]);
		// Also expect no items for the value that n8n sends for an expression before the first run.
		expect(await items({ __rl: true, mode: 'id' })).toEqual([]);
		expect(service.control.requests).toEqual([]);
		const proposalId = by('number', '999999');
		const message = "'Proposal' was not found: no proposal has the number 999999";
		await expect(items(proposalId)).rejects.toThrow(message);
		for (const method of ['searchAreas', 'searchChangeOrders', 'searchContent'])
			await expect(choices(method, of('item.move', { proposalId }))).rejects.toThrow(message);
	});
	const ofContact = async (contactId: unknown) => {
		const run = of('proposal.create', { additionalFields: { contactId } });
		return await choices('searchContactLocations', run, { path });
	};
	const ofProposal = async (id: string | number) =>
		await choices(
			'searchProposalLocations',
			of('proposal.assignLocation', { proposalId: byId(id) }),
		);

	it("lists the locations of the contact in the same collection or of the proposal's client", async () => {
		const { customer } = service.control.proposal(staleTheater);
		const ids = idsOf(service.control.rows('locations', { person_id: customer.id })).sort();
		expect(valuesOf(await ofContact(byId(String(customer.id)))).sort()).toEqual(ids);
		expect(valuesOf(await ofProposal(staleTheater)).sort()).toEqual(ids);
		await expect(ofProposal(empty)).rejects.toThrow('Assign a contact to the proposal first');
	});

	it('labels locations with their street and city', async () => {
		const contactLocations = [
			{ id: 4, street: '1 Elm', city: 'Boise', state: 'ID', isPrimary: true },
			{ id: 6 },
			{ street: '2 Elm' },
		];
		respond('location.getMany', { contactLocations, locationCount: 3 });
		expect((await ofContact(byId('9'))).results).toEqual([
			{ name: '1 Elm, Boise, ID (primary)', value: 4 },
			{ name: 'Location 6', value: 6 },
		]);
	});

	it.each([
		['Contact', () => ofContact('')],
		['Proposal', () => ofProposal('')],
		['Area', () => choices('searchOptionsOfArea', inTheater('areaOption.update', { areaId: '' }))],
		['Item', () => choices('searchSuppliers', inTheater('item.setSupplier', { itemId: '' }))],
	])('requires a choice of the %s for lists that depend on it', async (label, list) => {
		await expect(list()).rejects.toThrow(`Choose the '${label}' first`);
	});
});

describe('the catalog', () => {
	const ofRow = async (item: object[], index: number) =>
		await choices('searchCatalogOfRow', of('item.add', { items: { item } }), {
			path: `parameters.items.item[${index}].catalogItemId`,
		});
	const ofOperation = async (name: string, parameters = {}) =>
		await choices('searchCatalog', of(name, parameters), { path: 'parameters.catalogItemId' });
	const idsOfType = (type: string) => {
		const where = { item_type: type, is_discontinued: 0 };
		return idsOf(service.control.rows('catalog_items', where)).sort();
	};

	it('lists catalog items of the type that is chosen in the same row', async () => {
		const types = ['Part', 'Labor', 'CustomItem', 'Fee'];
		const rows = types.map((itemType) => ({ itemType }));
		for (const [index, itemType] of types.slice(0, 3).entries()) {
			expect(valuesOf(await ofRow(rows, index)).sort(), itemType).toEqual(idsOfType(itemType));
		}
		await expect(ofRow(rows, 3)).rejects.toThrow(
			"Portal.io has no list of fees. Choose 'By ID' and enter the fee's ID.",
		);
	});

	it('lists catalog items of the chosen type', async () => {
		const labor = await ofOperation('catalog.get', { itemType: 'Labor' });
		expect(valuesOf(labor).sort()).toEqual(idsOfType('Labor'));
		const parts = await ofOperation('item.replace');
		expect(valuesOf(parts)).toContain(seed.catalogItems.television);
		expect(await ofOperation('catalog.get', { itemType: '' })).toEqual(parts);
	});

	it('lists every category of the catalog', async () => {
		// Use three levels, because the documentation's sample has only two.
		const speakers = { id: 47, name: 'In-Wall', subCategories: null };
		const audio = [{ id: 60, name: 'Speakers', subCategories: [speakers] }];
		const listed = async (method: string) => {
			respond('catalog.getCategories', [
				{ id: 12, name: 'Audio', categories: audio },
				{ id: 13, name: 'Video' },
			]);
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
});

const lists = [...Object.keys(listSearch), ...Object.keys(multiSelects)];

describe('a request without an open editor', () => {
	/** Fields that a list depends on, by list. */
	const DEPENDENT: Record<string, string> = {
		searchProposalLocations: 'Proposal',
		searchContactLocations: 'Contact',
		searchAreas: 'Proposal',
		searchOptionsOfArea: 'Proposal',
		searchAreaOptions: 'Proposal',
		searchItems: 'Proposal',
		searchSuppliers: 'Proposal',
		searchChangeOrders: 'Proposal',
		searchContent: 'Proposal',
	};

	it.each(lists)('returns choices or an error: %s', async (method) => {
		const request = { hasParameters: false };
		const run = asRun(of('user.getMany'));
		const first = DEPENDENT[method];
		if (method in multiSelects) {
			expect(await loadOptions(run, method, request)).toBeInstanceOf(Array);
		} else if (first === undefined) {
			expect((await listChoices(run, method, request)).results).toBeInstanceOf(Array);
		} else {
			await expect(listChoices(run, method, request)).rejects.toThrow(
				`Choose the '${first}' first`,
			);
		}
	});

	it('lists the locations of a contact even if the request has no path', async () => {
		const { company } = seed.contacts;
		const additionalFields = { contactId: byId(String(company)) };
		const { results } = await choices(
			'searchContactLocations',
			of('proposal.create', { additionalFields }),
		);
		expect(results.length).toBeGreaterThan(0);
	});
});
