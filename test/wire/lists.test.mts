/** What the resource locators of the node list. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runner, seed, startService } from './account.mts';
import { listChoices, type StoredCredential } from '../../testbed/nodeRunner.mts';

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
	it('proposals: searched by the service, with number, name and status', async () => {
		const { name, number } = service.control.proposal(seed.proposals.staleTheatre);
		expect((await choices('searchProposals', String(number))).results).toContainEqual({
			name: `${number} ${name} (Draft)`,
			value: seed.proposals.staleTheatre,
		});
	});

	it('proposals: their status in words', async () => {
		const { name, number } = service.control.proposal(seed.proposals.viewed);
		expect((await choices('searchProposals', String(number))).results).toContainEqual({
			name: `${number} ${name} (Viewed By Client)`,
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
		operation: 'updateCost',
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
			operation: 'updateInstallerNotes',
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
			name: `${area.name}: ${item.brand} ${item.model} × ${item.quantity}`,
			value: item.id,
		});
		const parameters = inTheatre({ operation: 'setSupplier', itemId: item.id });
		const suppliers = await choices('searchSuppliers', '', undefined, parameters);
		expect(suppliers.results.map(({ name }) => name)).toContainEqual(
			expect.stringContaining(item.supplier),
		);
		await expect(
			choices('searchSuppliers', '', undefined, { ...parameters, itemId: '' }),
		).rejects.toThrow("Choose the 'Item' first");
	});

	it('catalog items: searched by the service, each once', async () => {
		const row = service.control.catalogItems(seed.accounts.dealer).find(({ id }) => id === 9001);
		const { results } = await choices('searchCatalog', String(row!.model));
		expect(results.filter(({ value }) => value === 9001)).toHaveLength(1);
		expect(results[0]!.name).toContain(`${row!.brand} ${row!.model}`);
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
