import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runner, seed, startService } from './account.mts';
import type { StoredCredential } from '../../testbed/nodeRunner.mts';

let service: Awaited<ReturnType<typeof startService>>;
let credential: StoredCredential;
beforeAll(async () => {
	service = await startService();
	credential = service.credential();
});
afterAll(async () => {
	expect(service.control.contractViolations).toEqual([]);
	await service.simulator.stop();
});
const run = runner(() => credential);
const catalogItems = () => service.control.catalogItems(seed.accounts.dealer);
const idsOf = (records: { id?: unknown }[]) => records.map(({ id }) => id);

describe('catalog', () => {
	it('search: all items, favorites once each', async () => {
		const all = await run('catalog.search', { returnAll: true });
		const parts = catalogItems().filter(
			(one) => one.item_type === 'Part' && !one.is_discontinued && one.account_id === null,
		);
		expect(idsOf(all).sort()).toEqual(idsOf(parts).sort());
		expect(await run('catalog.search', { limit: 3 })).toHaveLength(3);
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
			msrp: one.msrp.value,
			cost: one.defaultCost.value,
			supplier: one.defaultCost.supplierName,
			isInStock: one.defaultCost.isInStock,
		});
	});

	it('search: labor and custom items when they are asked for', async () => {
		for (const itemType of ['Labor', 'CustomItem']) {
			const found = await run('catalog.search', { returnAll: true, filters: { itemType } });
			const own = catalogItems().filter(
				(one) => one.item_type === itemType && one.account_id === seed.accounts.dealer,
			);
			expect(idsOf(found).sort()).toEqual(idsOf(own).sort());
			expect(new Set(found.map((one) => one.itemType))).toEqual(new Set([itemType]));
		}
	});

	it('search: only approved ones, which come as items', async () => {
		const found = await run('catalog.search', {
			returnAll: true,
			filters: { isCompanyApproved: true, isFavorite: true },
		});
		const marked = catalogItems().filter((one) => one.is_favorite && one.is_company_approved);
		expect(idsOf(found).sort()).toEqual(idsOf(marked).sort());
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

	it('get: with details, and from the own library', async () => {
		const [full] = await run('catalog.get', {
			catalogItemId: 9001,
			simplify: false,
			options: { extendedDetails: true },
		});
		expect(full).toHaveProperty('specs');
		expect(full).toHaveProperty('suppliers');
		const [labor] = await run('catalog.get', {
			catalogItemId: 8001,
			options: { itemType: 'Labor' },
		});
		expect(labor).toMatchObject({ id: 8001, itemType: 'Labor' });
	});

	it('getCategories: one output item for each industry, with its categories', async () => {
		const industries = await run('catalog.getCategories');
		const top = service.control.categories().filter((one) => one.parent_id === null);
		expect(industries.map(({ id, name }) => ({ id, name }))).toEqual(
			top.map(({ id, name }) => ({ id, name })),
		);
		expect(industries[0]!.categories).not.toEqual([]);
	});

	it.each([
		['404', 'get', { catalogItemId: 99999999 }, 'dealer'],
		['403', 'search', {}, 'restricted'],
		['402', 'getCategories', {}, 'lapsed'],
	] as const)('%s: %s', async (httpCode, operation, parameters, account) => {
		const theirs = runner(() => service.credential(account));
		await expect(theirs(`catalog.${operation}`, parameters)).rejects.toMatchObject({ httpCode });
	});
});
