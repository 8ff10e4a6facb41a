/** What the resource locators of the node list. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runner, seed, startService } from './account.mts';
import { listChoices, loadOptions, type StoredCredential } from '../../dev/testbed/nodeRunner.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/listSearch/index.ts';
import '../../nodes/PortalIo/loadOptions/index.ts';

let service: Awaited<ReturnType<typeof startService>>;
let credential: StoredCredential;
beforeAll(async () => {
	service = await startService();
	credential = service.credential();
});
afterAll(async () => await service.simulator.stop());

const choices = async (method: string, filter?: string, token?: string, parameters = {}) =>
	await listChoices({ credential, parameters }, method, filter, token);

describe('the list of', () => {
	/** A company has a name, a person two. */
	const clientOf = ({ customer }: ReturnType<typeof service.control.proposal>) =>
		customer.companyName ?? `${customer.firstName} ${customer.lastName}`;

	it('proposals: searched by the service, with number, name, status and customer', async () => {
		const proposal = service.control.proposal(seed.proposals.staleTheatre);
		const { name, number } = proposal;
		expect((await choices('searchProposals', String(number))).results).toContainEqual({
			name: `#${number} ${name} (Draft) – ${clientOf(proposal)}`,
			value: seed.proposals.staleTheatre,
		});
	});

	it('proposals: their status in words', async () => {
		const proposal = service.control.proposal(seed.proposals.viewed);
		const { name, number } = proposal;
		expect((await choices('searchProposals', String(number))).results).toContainEqual({
			name: `#${number} ${name} (Viewed By Client) – ${clientOf(proposal)}`,
			value: seed.proposals.viewed,
		});
	});

	it('proposals: page by page, each once', async () => {
		// As many as two pages and a half hold.
		service.control.addProposals(110, { like: seed.proposals.empty });
		const found: unknown[] = [];
		let token: string | undefined;
		do {
			const page = await choices('searchProposals', '', token);
			found.push(...page.results.map(({ value }) => value));
			token = page.paginationToken as string | undefined;
		} while (token !== undefined);
		expect(found.length).toBeGreaterThan(110);
		expect(new Set(found).size).toBe(found.length);
	});

	it('contacts: by text', async () => {
		const person = service.control.contacts().find(({ id }) => id === seed.contacts.withPrimary);
		const { results } = await choices('searchContacts', String(person!.contact_email));
		expect(results).toHaveLength(1);
		expect(results[0]!.value).toBe(person!.id);
		expect(results[0]!.name).toContain(String(person!.contact_email));
	});

	it('salespeople: the active users, narrowed by text', async () => {
		const all = (await choices('searchSalespeople')).results.map(({ value }) => value);
		expect(all).toContain(seed.users.salesPriya);
		expect(all).not.toContain(seed.users.inactive);
		expect(await choices('searchSalespeople', 'pRIya')).toEqual({
			results: [{ name: 'Priya Raman (priya@cedarandcoil.example)', value: seed.users.salesPriya }],
		});
	});

	const inTheatre = (parameters: object = {}) => ({
		resource: 'item',
		operation: 'getSuppliers',
		proposalId: { __rl: true, mode: 'id', value: String(seed.proposals.staleTheatre) },
		...parameters,
	});
	const theatre = () => service.control.proposal(seed.proposals.staleTheatre);

	it('areas and options: of the chosen proposal, and of the chosen area', async () => {
		const [area] = theatre().areas;
		const areas = await choices('searchAreas', '', undefined, inTheatre());
		expect(areas.results).toContainEqual({ name: area.name, value: area.id });
		const first = {
			name: expect.stringContaining(`${area.name} – option 1 (Draft)`),
			value: area.options[0].id,
		};
		const all = await choices('searchAreaOptions', '', undefined, inTheatre());
		expect(all.results).toContainEqual(first);
		const parameters = inTheatre({
			resource: 'areaOption',
			operation: 'update',
			areaId: { __rl: true, mode: 'list', value: area.id },
		});
		const some = await choices('searchOptionsOfArea', '', undefined, parameters);
		expect(some.results.map(({ value }) => value)).toEqual(
			area.options.map(({ id }: { id: number }) => id),
		);
		await expect(
			choices('searchOptionsOfArea', '', undefined, { ...parameters, areaId: '' }),
		).rejects.toThrow("Choose the 'Area' first");
	});

	it('items and their suppliers: with area, product and quantity', async () => {
		const [area] = theatre().areas;
		const [item] = area.options[0].items;
		const items = await choices('searchItems', item.model.toLowerCase(), undefined, inTheatre());
		expect(items.results).toContainEqual({
			name: `${area.name}: ${item.brand} ${item.model} × ${item.quantity} – $${item.sellPrice.toFixed(2)}`,
			value: item.id,
		});
		const parameters = inTheatre({ operation: 'setSupplier', itemId: item.id });
		const suppliers = await choices('searchSuppliers', '', undefined, parameters);
		const cost = service.control
			.supplierCosts(item.referencedItemId)
			.map(({ cost_cents }) => Number(cost_cents) / 100);
		expect(suppliers.results.map(({ name }) => name).sort()).toEqual(
			[
				`Meridian AV Supply – $${cost[0]!.toFixed(2)}`,
				`Northgate Distribution – $${cost[1]!.toFixed(2)}`,
			].sort(),
		);
		expect(item.supplier).toBe('Meridian AV Supply');
		await expect(
			choices('searchSuppliers', '', undefined, { ...parameters, itemId: '' }),
		).rejects.toThrow("Choose the 'Item' first");
	});

	const catalogOf = async (parameters: object, path: string, filter?: string) => {
		const method = path.includes('[') ? 'searchCatalogOfRow' : 'searchCatalog';
		return await listChoices(
			{ credential, parameters: parameters as never },
			method,
			filter,
			undefined,
			path,
		);
	};
	/** The IDs of the simulator's items of one type that a dealer can use. */
	const idsOfType = (type: string) =>
		service.control
			.catalogItems(seed.accounts.dealer)
			.filter((row) => row.item_type === type && !row.is_discontinued)
			.map(({ id }) => id)
			.sort();

	it('catalog items of a row: of the type in the same row', async () => {
		const parameters = {
			resource: 'item',
			operation: 'add',
			items: { item: [{ itemType: 'Part' }, { itemType: 'Labor' }, { itemType: 'CustomItem' }] },
		};
		for (const [index, { itemType }] of parameters.items.item.entries()) {
			const path = `parameters.items.item[${index}].itemId`;
			const { results } = await catalogOf(parameters, path);
			expect(results.length).toBeGreaterThan(0);
			expect(results.map(({ value }) => value).sort(), itemType).toEqual(idsOfType(itemType));
		}
		const path = 'parameters.items.item[1].itemId';
		const { results } = await catalogOf(parameters, path, 'programming');
		expect(results).toEqual([
			// Its description begins with its name, which need not be there twice.
			{ name: 'Programming, per hour', value: seed.catalogItems.programming },
		]);
	});

	it('catalog items of a row with a fee: says that there is no list', async () => {
		const add = { resource: 'item', operation: 'add' };
		const parameters = { ...add, items: { item: [{ itemType: 'Fee' }] } };
		await expect(catalogOf(parameters, 'parameters.items.item[0].itemId')).rejects.toThrow(
			"Portal.io has no list of fees: choose 'By ID' and enter the ID of the fee",
		);
	});

	it('catalog items of an operation: of the type above, parts without one', async () => {
		const path = 'parameters.catalogItemId';
		const get = { resource: 'catalog', operation: 'get' };
		const labor = await catalogOf({ ...get, itemType: 'Labor' }, path);
		expect(labor.results.map(({ value }) => value).sort()).toEqual(idsOfType('Labor'));
		const parts = await catalogOf(get, path);
		expect(parts.results.map(({ value }) => value)).toContain(seed.catalogItems.television);
		const replacing = await catalogOf({ resource: 'item', operation: 'replace' }, path);
		expect(replacing.results.map(({ value }) => value)).toContain(seed.catalogItems.television);
	});

	it('change orders, content and subscriptions', async () => {
		const parameters = {
			resource: 'changeOrder',
			operation: 'get',
			proposalId: seed.proposals.accepted,
		};
		const orders = await choices('searchChangeOrders', '', undefined, parameters);
		expect(orders.results.map(({ value }) => value).sort()).toEqual(
			Object.values(seed.changeOrders).sort(),
		);
		await service.upload(credential, seed.proposals.empty, 'walk');
		const inEmpty = {
			resource: 'aiContent',
			operation: 'delete',
			proposalId: seed.proposals.empty,
		};
		const content = await choices('searchContent', '', undefined, inEmpty);
		expect(content.results[0]!.name).toMatch(/^walk \(Text, /);

		await runner(() => credential)('webhookSubscription.create', {
			url: 'https://receiver.example.com/x',
			events: ['proposal.status_changed'],
			description: 'Mine',
		});
		expect((await choices('searchSubscriptions', 'mine')).results[0]!.name).toBe(
			'Mine – proposal.status_changed – https://receiver.example.com/x',
		);
	});

	it('locations: of the contact in the same collection', async () => {
		const { customer } = service.control.proposal(seed.proposals.staleTheatre);
		const of = (contactId: unknown) =>
			listChoices(
				{
					credential,
					parameters: {
						resource: 'proposal',
						operation: 'create',
						additionalFields: { contactId } as never,
					},
				},
				'searchContactLocations',
				undefined,
				undefined,
				'parameters.additionalFields.locationId',
			);
		const { results } = await of({ __rl: true, mode: 'id', value: String(customer.id) });
		const locations = service.control.locations(customer.id);
		expect(results.map(({ value }) => value).sort()).toEqual(locations.map(({ id }) => id).sort());
		await expect(of('')).rejects.toThrow("Choose the 'Contact' first");
	});

	it('locations: of the customer of the proposal, and a hint where there is none', async () => {
		const of = (proposalId: number | string) =>
			choices('searchProposalLocations', undefined, undefined, {
				resource: 'proposal',
				operation: 'assignLocation',
				proposalId: { __rl: true, mode: 'id', value: proposalId },
			});
		const { customer } = service.control.proposal(seed.proposals.staleTheatre);
		const locations = service.control.locations(customer.id);
		expect(
			(await of(seed.proposals.staleTheatre)).results.map(({ value }) => value).sort(),
		).toEqual(locations.map(({ id }) => id).sort());
		await expect(of('')).rejects.toThrow("Choose the 'Proposal' first");
		await expect(of(seed.proposals.empty)).rejects.toThrow(
			'Assign a contact to the proposal first',
		);
	});
});

interface Area {
	name: string;
	options: Array<{ id: number; items: Array<{ id: number }> }>;
}

describe('the choices of', () => {
	const inProposal = (proposalId: unknown) => ({
		credential,
		parameters: { resource: 'item', operation: 'move', proposalId } as never,
	});

	it('items: those that the list of one item has', async () => {
		const proposalId = seed.proposals.staleWholeHome;
		const options = await loadOptions(inProposal(proposalId), 'getItems');
		const { areas } = service.control.proposal(proposalId);
		const listed = (areas as Area[]).flatMap((area) => area.options.flatMap(({ items }) => items));
		expect(options.map(({ value }) => value)).toEqual(listed.map(({ id }) => id));
		const one = await choices('searchItems', '', undefined, inProposal(proposalId).parameters);
		expect(options).toEqual(one.results);
		const severalOptions = (areas as Area[]).find((area) => area.options.length > 1)!;
		expect(options.map(({ name }) => name)).toContainEqual(
			expect.stringContaining(`${severalOptions.name}, option 2: `),
		);
	});

	it('area options: those of all areas', async () => {
		const proposalId = seed.proposals.staleWholeHome;
		const options = await loadOptions(inProposal(proposalId), 'getAreaOptions');
		const { areas } = service.control.proposal(proposalId);
		expect(options.map(({ value }) => value)).toEqual(
			(areas as Area[]).flatMap((area) => area.options.map(({ id }) => id)),
		);
	});

	it('items: of a proposal by ID, by address, from the list and by number', async () => {
		const id = seed.proposals.staleTheatre;
		const { number } = service.control.proposal(id);
		const expected = await loadOptions(inProposal(id), 'getItems');
		expect(expected.length).toBeGreaterThan(0);
		for (const [mode, value] of [
			['id', String(id)],
			['url', `https://app.portal.io/proposals/${id}/areas`],
			['list', id],
			['number', String(number)],
			['number', `#${number}`],
		]) {
			const given = { __rl: true, mode, value };
			expect(await loadOptions(inProposal(given), 'getItems'), String(value)).toEqual(expected);
		}
	});

	it('anything of a proposal by number that does not exist: says so', async () => {
		const given = { __rl: true, mode: 'number', value: '999999' };
		const message = "'Proposal' was not found: no proposal has the number 999999";
		await expect(loadOptions(inProposal(given), 'getItems')).rejects.toThrow(message);
		for (const method of ['searchAreas', 'searchChangeOrders', 'searchContent']) {
			const { parameters } = inProposal(given);
			await expect(choices(method, '', undefined, parameters)).rejects.toThrow(message);
		}
	});

	it('categories: with their industry, those with others below them as parents', async () => {
		const run = { credential, parameters: { resource: 'catalog', operation: 'search' } };
		const all = await loadOptions(run, 'getCategories');
		expect(all).toContainEqual({ name: 'Residential AV / Video / Televisions', value: 101 });
		expect(all.map(({ value }) => value)).not.toContain(10);
		const parents = await loadOptions(run, 'getParentCategories');
		expect(parents).toContainEqual({ name: 'Residential AV / Video', value: 10 });
		expect(parents.map(({ value }) => value)).not.toContain(101);
		// An industry is no category: items have a category and its parent.
		for (const { value } of [...all, ...parents]) expect([1, 2]).not.toContain(value);
	});
});
