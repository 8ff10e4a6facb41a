import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

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

	it('searches custom items, labor and parts, in this order, without a type', async () => {
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
			expect(one.itemType === 'Part' ? one.msrp : one.sellPrice, String(one.id)).toEqual(
				expect.any(Number),
			);
		}
	});

	it('searches the catalog no further than the limit needs', async () => {
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
		const query = new URLSearchParams(service.control.requests.at(-1)!.query);
		expect(query.get('PageSize')).toBe('1');
	});

	it.each([
		[{ itemType: 'Labor' }, ['Labor']],
		[{ brands: 'Sonos' }, [null]],
		[{ isInStock: true }, [null]],
		[{ isInStock: false }, ['CustomItem', 'Labor', 'Part']],
		[{ brands: '' }, ['CustomItem', 'Labor', 'Part']],
	])('searches only the lists that can fit the filters %j', async (filters, types) => {
		service.control.clearRequests();
		await run('catalog.search', { filters });
		expect(typesAsked()).toEqual(types);
	});

	it('keeps counts and facets in the raw answer, of the largest page that Portal.io gives', async () => {
		const [raw, ...others] = await run('catalog.search', {
			limit: 700,
			options: { rawResponse: true },
		});
		expect(others).toEqual([]);
		expect(raw!.items).toHaveLength(Number(raw!.totalItemCount));
		expect(raw).toHaveProperty('brandFacets');
		const query = new URLSearchParams(service.control.requests.at(-1)!.query);
		expect(query.get('PageSize')).toBe('100');
	});

	it('gives what is listed as an item the type that was searched for', async () => {
		const body = { items: [{ id: 8001, name: 'Installation' }], totalItemCount: 1 };
		service.control.failNext({ operationId: 'catalog.search', status: 200, body });
		const filters = { itemType: 'Labor' };
		expect(await run('catalog.search', { filters })).toMatchObject([{ id: 8001, ...filters }]);
	});

	it('returns a catalog item simplified, with name, price and cost', async () => {
		const { television: catalogItemId } = seed.catalogItems;
		const [full] = await run('catalog.get', { catalogItemId, simplify: false });
		const { msrp, defaultCost, brand } = full as {
			msrp: { value: number };
			defaultCost: { value: number; supplierName: string; isInStock: boolean };
			brand: string;
		};
		expect(await run('catalog.get', { catalogItemId })).toMatchObject([
			{
				id: catalogItemId,
				itemType: 'Part',
				brand,
				msrp: msrp.value,
				sellPrice: null,
				cost: defaultCost.value,
				supplier: defaultCost.supplierName,
				isInStock: defaultCost.isInStock,
			},
		]);
		const { installation } = seed.catalogItems;
		const labor = await run('catalog.get', { catalogItemId: installation, itemType: 'Labor' });
		expect(labor).toMatchObject([
			{ itemType: 'Labor', name: expect.any(String), sellPrice: expect.any(Number) },
		]);
	});
});
