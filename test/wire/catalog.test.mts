import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/catalog/index.ts';

const service = restoredService();
const { run } = service;
const catalogItems = () => service.control.catalogItems(seed.accounts.dealer);
const idsOf = (records: { id?: unknown }[]) => records.map(({ id }) => id);

describe('catalog', () => {
	/** What the dealer has of a type, or all that can be bought of a catalog of parts. */
	const ownIds = (type: string) =>
		idsOf(
			catalogItems().filter(
				(one) =>
					one.item_type === type &&
					!one.is_discontinued &&
					one.account_id === (type === 'Part' ? null : seed.accounts.dealer),
			),
		).sort();
	const typesAsked = () =>
		service.control.requests
			.filter(({ operationId }) => operationId === 'catalog.search')
			.map(({ query }) => new URLSearchParams(query).get('ItemType'));

	it('search: without a type custom items, labor and parts, in this order', async () => {
		service.control.clearRequests();
		const all = await run('catalog.search', { returnAll: true });
		expect([...new Set(typesAsked())]).toEqual(['CustomItem', 'Labor', 'Part']);
		expect([...new Set(all.map(({ itemType }) => itemType))]).toEqual([
			'CustomItem',
			'Labor',
			'Part',
		]);
		for (const type of ['CustomItem', 'Labor', 'Part']) {
			const found = all.filter(({ itemType }) => itemType === type);
			expect(idsOf(found).sort(), type).toEqual(ownIds(type));
		}
		for (const one of all) {
			expect(one.name, String(one.id)).toEqual(expect.any(String));
			expect(one.price, String(one.id)).toEqual(expect.any(Number));
		}
	});

	it('search: asks for no more than the limit needs', async () => {
		const customItems = ownIds('CustomItem').length;
		service.control.clearRequests();
		expect(await run('catalog.search', { limit: customItems })).toHaveLength(customItems);
		expect(typesAsked()).toEqual(['CustomItem']);
		service.control.clearRequests();
		const more = await run('catalog.search', { limit: customItems + 1 });
		expect(more.map(({ itemType }) => itemType)).toEqual([
			...Array(customItems).fill('CustomItem'),
			'Labor',
		]);
		expect(typesAsked()).toEqual(['CustomItem', 'Labor']);
	});

	it('search: asks for no larger raw page than Portal.io gives', async () => {
		service.control.clearRequests();
		await run('catalog.search', { limit: 700, options: { rawResponse: true } });
		const query = new URLSearchParams(service.control.requests.at(-1)!.query);
		expect(query.get('PageSize')).toBe('100');
	});

	it('search: asks only for parts with a filter that only parts can fit', async () => {
		service.control.clearRequests();
		const found = await run('catalog.search', { returnAll: true, filters: { isFavorite: true } });
		expect(new Set(found.map(({ itemType }) => itemType))).toEqual(new Set(['Part']));
		expect(typesAsked()).toEqual([null]);
	});

	it('search: simplified to ten flat fields, or in full', async () => {
		const id = seed.catalogItems.television;
		const [simple] = await run('catalog.search', { limit: 1, filters: { isFavorite: true } });
		expect(Object.keys(simple!)).toHaveLength(10);
		const full = await run('catalog.search', { returnAll: true, simplify: false });
		const one = full.find((record) => record.id === id)! as {
			msrp: { value: number };
			defaultCost: { value: number; supplierName: string; isInStock: boolean };
			brand: string;
		};
		const flat = (await run('catalog.search', { returnAll: true })).find(
			(record) => record.id === id,
		);
		expect(flat).toMatchObject({
			itemType: 'Part',
			brand: one.brand,
			price: one.msrp.value,
			cost: one.defaultCost.value,
			supplier: one.defaultCost.supplierName,
			isInStock: one.defaultCost.isInStock,
		});
	});

	it('search: the raw answer keeps counts and facets', async () => {
		const [raw, ...others] = await run('catalog.search', {
			limit: 5,
			options: { rawResponse: true },
		});
		expect(others).toEqual([]);
		expect(raw!.items).toHaveLength(5);
		expect(raw).toHaveProperty('brandFacets');
		expect(raw!.totalItemCount).toBeGreaterThan(5);
	});

	it('get: simplified, with name and price also of labor', async () => {
		const [part] = await run('catalog.get', { catalogItemId: 9001 });
		const source = catalogItems().find(({ id }) => id === 9001)!;
		expect(part).toMatchObject({
			id: 9001,
			itemType: 'Part',
			brand: source.brand,
			price: Number(source.msrp_cents) / 100,
		});
		expect(Object.keys(part!)).toHaveLength(10);
		const [labor] = await run('catalog.get', { catalogItemId: 8001, itemType: 'Labor' });
		expect(labor).toMatchObject({
			id: 8001,
			itemType: 'Labor',
			name: expect.any(String),
			price: expect.any(Number),
		});
	});

	it('getCategories: one output item for each industry, with its categories', async () => {
		const industries = await run('catalog.getCategories');
		const top = service.control.categories().filter((one) => one.parent_id === null);
		expect(industries.map(({ id, name }) => ({ id, name }))).toEqual(
			top.map(({ id, name }) => ({ id, name })),
		);
		expect(industries[0]!.categories).not.toEqual([]);
	});
});
