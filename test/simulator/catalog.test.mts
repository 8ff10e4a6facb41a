import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { seed, startSimulator, type Simulator } from '../../simulator/index.mts';
import type { Json } from '../../simulator/json.mts';
import { Client, fieldsOf } from './client.mts';

let simulator: Simulator;
let client: Client;

// nothing here writes: one simulator serves all
beforeAll(async () => {
	simulator = await startSimulator({ today: '2026-06-26' });
	client = await new Client(simulator, seed.dealer).signIn();
});
afterEach(() => expect(simulator.control.contractViolations).toEqual([]));
afterAll(() => simulator.stop());

const { catalogItems, changeOrders, proposals } = seed;
const search = async (query: string): Promise<Json> =>
	(await client.get(`/public/catalog?${query}`)).json;
const ids = (entries: Json[]): number[] => entries.map((one) => one.id);

test('search: text over brand, model and description; pages; discontinued ones left out', async () => {
	const first = await search('SearchText=corvane%20speaker&PageSize=3');
	expect(ids(first.items)).toEqual([9008, 9009, 9010]);
	expect(first.totalItemCount).toBe(4);
	const second = await search('SearchText=corvane%20speaker&PageSize=3&PageNumber=2');
	expect(ids(second.items)).toEqual([9012]);
	expect(ids((await search('SearchText=access%20point')).items)).toEqual([9037]);
	const all = await search('PageNumber=0');
	expect([all.items.length, all.totalItemCount]).toEqual([10, 39]);
	expect(all).toMatchObject({ labors: [], customItems: [] });
	expect((await client.get('/public/catalog?PageNumber=-1')).status).toBe(400);
});

test('search: filters and facets', async () => {
	const found = await search('CategoryIds=101&CategoryIds=103&Suppliers=Northgate%20Distribution');
	expect(ids(found.items)).toEqual([9001, 9002, 9006, 9007]);
	expect(found.categoryFacets).toEqual([
		{ value: 'Televisions', count: 2 },
		{ value: 'Mounts', count: 2 },
	]);
	expect(found.brandFacets).toEqual([
		{ value: 'Lumenfold', count: 2 },
		{ value: 'Stillgrip', count: 2 },
	]);
	expect(found.supplierFacets).toEqual([
		{ value: 'Northgate Distribution', count: 4 },
		{ value: 'Meridian AV Supply', count: 2 },
		{ value: 'Harbor Low Voltage', count: 1 },
	]);
	expect(ids((await search('ParentCategoryId=21')).items)).toEqual([9032, 9033, 9034, 9035]);
	expect(ids((await search('Brands=Halden&Brands=Keelbolt')).items)).toEqual([9005, 9032, 9033]);
	expect(ids((await search('CategoryId=101&IsInStock=true')).items)).toEqual([9001, 9002]);
	const both = await client.get('/public/catalog?CategoryId=101&CategoryIds=103');
	expect([both.status, fieldsOf(both)]).toEqual([400, ['CategoryIds']]);
});

test('search: favourites and company-approved items, alone and together', async () => {
	const favorites = await search('IsFavorite=true');
	expect(ids(favorites.items)).toEqual([9001, 9008, 9016, 9028, 9036]);
	expect(favorites).toMatchObject({ favoriteItemCount: 5 });
	expect(ids(favorites.favoriteItems)).toEqual(ids(favorites.items));
	const approved = await search('IsCompanyApproved=true&PageSize=100');
	expect(ids(approved.items)).toEqual([9001, 9002, 9008, 9009, 9013, 9016, 9020, 9028, 9036, 9037]);
	const together = await search('IsCompanyApproved=true&IsFavorite=true&SearchText=corvane');
	expect(ids(together.items)).toEqual([9008]);
	for (const one of [approved, together]) {
		expect(one).toMatchObject({ favoriteItemCount: 0, favoriteItems: [] });
	}
	expect((await search('IsCompanyApproved=false&PageSize=1')).totalItemCount).toBe(39);
});

test('search and get: labour and custom items of the own library', async () => {
	const labor = await search('ItemType=Labor');
	expect(labor).toMatchObject({ items: [], customItems: [], totalItemCount: 3 });
	expect(labor.labors[1]).toMatchObject({
		id: 8002,
		name: 'Programming',
		sellPrice: 160,
		cost: 74,
	});
	const custom = await search('ItemType=CustomItem&SearchText=month');
	expect(custom).toMatchObject({ items: [], labors: [] });
	expect(custom.customItems).toMatchObject([
		{ id: 8103, name: 'Care plan', isRecurringService: true },
		{ id: 8104, name: 'Alarm monitoring' },
	]);
	const get = (id: number, query = '') => client.get(`/public/catalog/${id}${query}`);
	expect((await get(catalogItems.programming, '?ItemType=Labor')).json).toMatchObject({
		itemType: 'Labor',
		name: 'Programming',
		suppliers: [],
	});
	expect((await get(catalogItems.programming)).status).toBe(404);
	expect((await get(catalogItems.laborOfOtherDealer, '?ItemType=Labor')).status).toBe(404);
});

test('get: the long texts and links only with ExtendedDetails', async () => {
	const plain = (await client.get('/public/catalog/9001')).json;
	expect(plain.suppliers).toMatchObject([{ id: 71 }, { id: 72 }]);
	expect(plain).not.toHaveProperty('specs');
	const extended = (await client.get('/public/catalog/9001?ExtendedDetails=true')).json;
	expect(extended).toMatchObject({
		...plain,
		description: 'Lumenfold LX65: 65-inch 4K television. Invented for the simulator.',
		specs: [
			{ name: 'Brand', value: 'Lumenfold' },
			{ name: 'Category', value: 'Televisions' },
		],
		pdfResourceLinks: [{ name: 'Data sheet' }],
		videoResourceLinks: [],
	});
	expect(extended.additionalImageUrls).toHaveLength(1);
});

test('categories: a bare array of industries, nested', async () => {
	const { json } = await client.get('/public/catalog/categories');
	expect(json.map((one: Json) => one.name)).toEqual(['Residential AV', 'Security & Networking']);
	expect(json[0].categories.map((one: Json) => one.id)).toEqual([10, 11, 12]);
	expect(json[0].categories[0].subCategories).toMatchObject([
		{ id: 101, name: 'Televisions', subCategories: [] },
		{ id: 102 },
		{ id: 103 },
	]);
});

test('change orders that a test adds: in Draft, and they may take items back', async () => {
	const { control } = simulator;
	const { completed: id } = proposals;
	const numbers = control.proposals().map(({ number }) => Number(number));
	const areas: Parameters<typeof control.addChangeOrder>[1]['areas'] = [
		[
			'Bar',
			{
				items: [
					{ ref: 9009, quantity: -2 },
					{ ref: 8001, quantity: 1.5 },
				],
			},
		],
	];
	const added = control.addChangeOrder(id, { name: 'Two less', areas });
	const target = `/public/proposals/${id}/changeorders/${added}`;
	const { json } = await client.get(target);
	expect(json).toMatchObject({
		name: 'Two less',
		status: 'Draft',
		customer: control.proposal(id).customer,
		// -2 x 329 = -658; 1.5 x 125 = 187.50; Texas 8.25 %: -54.285 -> -54.29 and 15.46875 -> 15.47
		financialSummary: { partsTotal: -658, laborTotal: 187.5, proposalTotal: -509.32 },
		areas: [{ name: 'Bar', options: [{ status: 'Draft' }] }],
	});
	expect(numbers).not.toContain(json.number);
	control.setStatus(added, 'Accepted');
	expect((await client.get(target)).json).toMatchObject({
		status: 'Accepted',
		areas: [{ options: [{ status: 'Accepted' }] }],
	});
	expect(() => control.addChangeOrder(added, { name: 'x', areas })).toThrow(/change order itself/);
	expect(() => control.addChangeOrder(1, { name: 'x', areas })).toThrow(/no record 1/);
	const unknown: typeof areas = [['Bar', { items: [{ ref: 1, quantity: 1 }] }]];
	expect(() => control.addChangeOrder(id, { name: 'x', areas: unknown })).toThrow(/catalog item 1/);
	// Nothing is left of what failed.
	expect((await client.get(`/public/proposals/${id}/changeorders`)).json).toHaveLength(1);
});

test('change orders: a bare array, and one in full', async () => {
	const target = `/public/proposals/${proposals.accepted}/changeorders`;
	const list = await client.get(target);
	expect(list.json).toEqual(simulator.control.proposal(proposals.accepted).changeOrders);
	expect((await client.get(`/public/proposals/${proposals.empty}/changeorders`)).json).toEqual([]);
	const reply = await client.get(`${target}/${changeOrders.draft}`);
	expect(reply.headers['last-modified']).toBe('Fri, 03 Apr 2026 12:00:00 GMT');
	expect(reply.json).not.toHaveProperty('changeOrders');
	expect(reply.json.financialSummary).not.toHaveProperty('proposalSubtotal');
	// 1199 + 1.25 x 125 = 1355.25; tax 7.65 %: 91.7235 -> 91.72 and 11.953125 -> 11.95
	expect(reply.json).toMatchObject({
		id: changeOrders.draft,
		name: 'Add a subwoofer',
		status: 'Draft',
		financialSummary: {
			partsTotal: 1199,
			laborTotal: 156.25,
			changeOrderSubtotal: 1355.25,
			proposalTotal: 1458.92,
		},
	});
	expect(list.json[0].total.changeOrderTotal).toBe(1458.92);
	for (const path of [
		`/public/proposals/${proposals.empty}/changeorders/${changeOrders.draft}`,
		`${target}/${proposals.empty}`,
		`/public/proposals/${changeOrders.draft}/changeorders`,
		`/public/proposals/${proposals.otherDraft}/changeorders`,
	]) {
		expect((await client.get(path)).status, path).toBe(404);
	}
	const restricted = await new Client(simulator, seed.restricted).signIn();
	expect((await restricted.get(target)).status).toBe(403);
	expect((await restricted.get(`${target}/${changeOrders.draft}`)).status).toBe(200);
});
