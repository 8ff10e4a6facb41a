import { beforeEach, expect, test } from 'vitest';

import { seed } from '../../simulator/index.mts';
import type { Json } from '../../simulator/json.mts';
import { type Client, fieldsOf } from './client.mts';
import { startForTest } from './start.mts';

let client: Client;

beforeEach(async () => {
	({ client } = await startForTest());
});

const { contacts, locations } = seed;

test('users: the active ones of the account', async () => {
	const { json } = await client.get('/public/users');
	expect(json.users.map((one: Json) => one.id)).toEqual([301, 302, 303, 304, 305]);
	expect(json.usersCount).toBe(5);
	expect(Object.keys(json.users[0])).toEqual([
		'id',
		'firstName',
		'lastName',
		'email',
		'permissionGroup',
	]);
});

test('contacts: search, party type, order, page numbers below 1 mean the first', async () => {
	const list = async (query: string) => (await client.get(`/public/people?${query}`)).json;
	const all = await list('PageNumber=0&PageSize=-1');
	expect(all.peopleCount).toBe(8);
	expect(all.people[0].lastName).toBe('Adeyemi');
	expect((await list('ContactTypes=Company')).people.map((one: Json) => one.id)).toEqual([
		contacts.company,
	]);
	expect((await list('SearchText=MAREN')).people[0].id).toBe(contacts.withPrimary);
	expect((await list('SortBy=ModifiedDate&SortDirection=Desc&PageSize=1')).people[0].id).toBe(
		contacts.withoutState,
	);
});

test('a contact, with counts when asked', async () => {
	const plain = (await client.get(`/public/people/${contacts.company}`)).json;
	expect(plain).toMatchObject({
		partyType: 'Company',
		primaryLocation: { id: locations.companyPrimary, stateAbbrev: 'TX' },
		billingLocation: { id: locations.companyBilling },
	});
	expect(plain).not.toHaveProperty('proposalCount');
	const counted = (await client.get(`/public/people/${contacts.withPrimary}?IncludeCounts=true`))
		.json;
	expect(counted).toMatchObject({ proposalCount: 4, paymentCount: 2, billingLocation: null });
	expect((await client.get(`/public/people/${contacts.ofOtherDealer}`)).status).toBe(404);
});

test('creating a contact and its locations; the primary mark moves', async () => {
	const fields = { PartyType: 'Person', ContactType: 'Client', FirstName: 'Odile' };
	const person = (await client.form('/public/people', fields)).json;
	expect(person).toMatchObject({
		firstName: 'Odile',
		primaryLocation: null,
		billingLocation: null,
	});
	const company = await client.form('/public/people', { ...fields, PartyType: 'Company' });
	expect([company.status, fieldsOf(company)]).toEqual([400, ['CompanyName']]);
	const long = await client.form('/public/people', { ...fields, LastName: 'x'.repeat(51), Foo: 1 });
	expect(fieldsOf(long).sort()).toEqual(['Foo', 'LastName']);

	const target = `/public/people/${person.id}/location`;
	const first = await client.form(target, {
		Street: '1 Ash',
		State: 'ny',
		Country: 'US',
		IsPrimary: true,
	});
	expect(first.json).toMatchObject({
		state: 'New York',
		stateAbbrev: 'NY',
		isPrimary: true,
		isBilling: false,
	});
	await client.form(target, { Street: '2 Ash', IsPrimary: 'true', IsBilling: 'false' });
	const { contactLocations, locationCount } = (await client.get(target)).json;
	expect(locationCount).toBe(2);
	expect(contactLocations.map((one: Json) => [one.street, one.isPrimary])).toEqual([
		['2 Ash', true],
		['1 Ash', false],
	]);
	const stateless = await client.form(target, { Street: '3 Ash', Country: 'US' });
	expect([stateless.status, fieldsOf(stateless)]).toEqual([400, ['State']]);
	expect((await client.get(`${target}?PageNumber=0`)).status).toBe(400);
});

test('catalog: filters, favourites, company-approved', async () => {
	const search = async (query: string) => (await client.get(`/public/catalog?${query}`)).json;
	const speakers = await search('SearchText=corvane%20in-ceiling');
	expect(speakers.items.map((one: Json) => one.id)).toEqual([9008, 9009]);
	expect(speakers.favoriteItems.map((one: Json) => one.id)).toEqual([9008]);
	const all = await search('PageSize=100');
	// 40 planted, one of them discontinued
	expect(all.totalItemCount).toBe(39);
	expect(all.items).toHaveLength(39);
	const both = await search('IsFavorite=true&IsCompanyApproved=true');
	expect(both.items.map((one: Json) => one.id)).toEqual([9001, 9008, 9016, 9028, 9036]);
	expect([both.favoriteItems, both.favoriteItemCount]).toEqual([[], 0]);
	const brands = await search('Brands=Netquill&Brands=Keelbolt&Suppliers=Harbor%20Low%20Voltage');
	expect(brands.items.map((one: Json) => one.id)).toEqual([9032, 9033, 9036]);
	const labors = await search('ItemType=Labor');
	expect(labors).toMatchObject({ items: [], totalItemCount: 3 });
	expect(labors.labors[0]).toMatchObject({ id: 8001, name: 'Installation', sellPrice: 125 });
	const mixed = await client.get('/public/catalog?CategoryId=101&CategoryIds=102');
	expect([mixed.status, fieldsOf(mixed)]).toEqual([400, ['CategoryIds']]);
	expect((await client.get('/public/catalog?PageNumber=-1')).status).toBe(400);
	expect((await search('PageNumber=0&PageSize=2')).items).toHaveLength(2);
});

test('a catalog item of its type, extended when asked', async () => {
	const plain = (await client.get('/public/catalog/9006')).json;
	expect(plain.suppliers.map((one: Json) => [one.id, one.cost.value])).toEqual([
		[72, 71.5],
		[73, 73.25],
	]);
	expect(plain).not.toHaveProperty('specs');
	const more = (await client.get('/public/catalog/9006?ExtendedDetails=true')).json;
	expect(more.pdfResourceLinks).toHaveLength(1);
	expect((await client.get('/public/catalog/8001')).status).toBe(404);
	expect((await client.get('/public/catalog/8001?ItemType=Labor')).json.name).toBe('Installation');
});
