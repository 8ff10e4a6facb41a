import { beforeEach, expect, test } from 'vitest';

import { seed, type Simulator } from '../../simulator/index.mts';
import type { Json } from '../../simulator/json.mts';
import { type Client, fieldsOf } from './client.mts';
import { startForTest } from './start.mts';

let simulator: Simulator;
let client: Client;

beforeEach(async () => {
	({ simulator, client } = await startForTest({ today: '2026-06-26' }));
});

const { proposals, contacts, locations } = seed;
const at = (id: number, rest = '') => `/public/proposals/${id}${rest}`;
const ids = async (query: string) =>
	(await client.get(`/public/proposals?${query}`)).json.proposals.map((one: Json) => one.id);

test('the list: pages, count, default order, no archived ones, no change orders, no strangers', async () => {
	const first = await client.get('/public/proposals');
	expect(first.json.proposals).toHaveLength(10);
	expect(first.json.proposalCount).toBe(17);
	const all = await ids('PageSize=100');
	expect(all).toHaveLength(17);
	expect(all).not.toContain(proposals.archived);
	expect(all).not.toContain(seed.changeOrders.draft);
	expect(all).not.toContain(proposals.otherDraft);
	// newest modification first; the two of the same instant by id
	expect(all.slice(0, 5)).toEqual([
		proposals.viewed,
		proposals.submittedToo,
		proposals.submitted,
		proposals.empty,
		proposals.freshNetwork,
	]);
	expect(all[5]).toBe(proposals.freshLighting);
	const paged = [...(await ids('PageSize=6')), ...(await ids('PageSize=6&PageNumber=2'))];
	expect([...paged, ...(await ids('PageSize=6&PageNumber=3'))]).toEqual(all);
	expect(await ids('PageNumber=4')).toEqual([]);
});

test('the filters of the list', async () => {
	expect(await ids('Statuses=Submitted&Statuses=ViewedByClient')).toEqual([
		proposals.viewed,
		proposals.submittedToo,
		proposals.submitted,
	]);
	expect(await ids('Statuses=Completed')).toEqual([proposals.completed]);
	expect(await ids('IsArchive=true')).toEqual([proposals.archived]);
	expect(await ids('SearchText=quarry%20street&SortBy=Number&SortDirection=Asc')).toEqual([
		proposals.staleWholeHome,
		proposals.submittedToo,
		proposals.completed,
	]);
	expect(await ids(`ContactId=${contacts.withoutPrimary}&SortBy=Name&SortDirection=Asc`)).toEqual([
		proposals.staleSecurity,
		proposals.declined,
	]);
	// strictly after, time zones understood
	expect(await ids('ModifiedAfter=2026-06-22T12:00:00Z')).toEqual([proposals.viewed]);
	expect(await ids('ModifiedAfter=2026-06-25T13:59:59%2B02:00')).toEqual([proposals.viewed]);
	expect(await ids('ModifiedAfter=2026-06-25T12:00:00.000Z')).toEqual([]);
	expect(await ids('SearchText=')).toHaveLength(10);
});

test.each([
	['PageNumber=0', 'PageNumber'],
	['PageSize=101', 'PageSize'],
	['PageSize=0', 'PageSize'],
	['PageSize=ten', 'PageSize'],
	['Statuses=Sent', 'Statuses.0'],
	['SortBy=LastModifiedDate', 'SortBy'],
	['ModifiedAfter=yesterday', 'ModifiedAfter'],
	['IsArchive=yes', 'IsArchive'],
	['pageNumber=1', 'pageNumber'],
])('the list refuses %s', async (query, field) => {
	const reply = await client.get(`/public/proposals?${query}`);
	expect(reply.status).toBe(400);
	expect(fieldsOf(reply)).toEqual([field]);
});

test('reading: detail, Last-Modified, 404 with a body for foreign and unknown ids', async () => {
	const reply = await client.get(at(proposals.accepted));
	expect(reply.headers['last-modified']).toBe('Tue, 24 Mar 2026 12:00:00 GMT');
	expect(reply.json.clientLastDecisionDate).toBe('2026-03-24T12:00:00.000Z');
	expect((await client.get(at(proposals.empty))).json.clientLastDecisionDate).toBeNull();
	for (const id of [1, proposals.otherDraft, seed.changeOrders.draft]) {
		const missing = await client.get(at(id));
		expect(missing.status).toBe(404);
		expect(missing.json).toMatchObject({ errorCode: 'NotFound', message: 'Proposal not found.' });
	}
	const odd = await client.get('/public/proposals/abc');
	expect([odd.status, fieldsOf(odd)]).toEqual([400, ['ProposalId']]);
});

test('creating', async () => {
	const named = await client.form('/public/proposals', {
		SalesPersonId: seed.users.salesPriya,
		Name: 'Attic & more',
	});
	expect(named.json).toMatchObject({
		status: 'Draft',
		name: 'Attic & more',
		areas: [],
		dealer: { salesperson: { id: seed.users.salesPriya, firstName: 'Priya' } },
		lastModifiedUser: { firstName: 'Avery', lastName: 'Lindqvist' },
		financialSummary: { proposalTotal: 0, salesTax: { taxStatus: 'NoClient' } },
	});
	const unnamed = await client.form('/public/proposals', { SalesPersonId: seed.users.dealer });
	expect(unnamed.json.number).toBe(named.json.number + 1);
	expect(unnamed.json.name).toBe(`Proposal ${unnamed.json.number}`);
	for (const SalesPersonId of [seed.users.otherDealer, seed.users.inactive]) {
		expect((await client.form('/public/proposals', { SalesPersonId })).status).toBe(404);
	}
	const wrong = await client.form('/public/proposals', { SalesPersonID: 301 });
	expect(wrong.status).toBe(400);
	expect(fieldsOf(wrong).sort()).toEqual(['SalesPersonID', 'SalesPersonId']);
});

test('forms take forms and JSON operations take JSON', async () => {
	expect((await client.json('/public/proposals', { SalesPersonId: 301 })).status).toBe(415);
	const target = at(proposals.empty, `/contact/${contacts.withPrimary}`);
	const form = await client.form(target, {
		proposalId: proposals.empty,
		contactId: contacts.withPrimary,
	});
	expect(form.status).toBe(415);
	const text = { proposalId: String(proposals.empty), contactId: contacts.withPrimary };
	expect((await client.json(target, text)).status).toBe(400);
	const broken = await client.raw('POST', target, '{', { contentType: 'application/json' });
	expect(broken.status).toBe(400);
	expect((await client.raw('POST', '/public/proposals', 'SalesPersonId=301')).status).toBe(415);
});

test('updating keeps what is left out', async () => {
	const reply = await client.form(at(proposals.staleOffice), { Name: 'Renamed' });
	expect(reply.json).toMatchObject({
		name: 'Renamed',
		dealer: { salesperson: { id: seed.users.salesPriya } },
		lastModifiedUser: { firstName: 'Avery' },
	});
	expect(Date.parse(reply.json.lastModifiedDate)).toBeGreaterThan(Date.now() - 10_000);
	expect(reply.json.lastModifiedByUserDate).toBe(reply.json.lastModifiedDate);
	const moved = await client.form(at(proposals.staleOffice), { SalesPersonId: seed.users.dealer });
	expect(moved.json).toMatchObject({
		name: 'Renamed',
		dealer: { salesperson: { firstName: 'Avery' } },
	});
});

test('description and internal notes; empty text clears', async () => {
	const target = at(proposals.staleTheatre, '/description');
	expect(
		(await client.form(target, { Description: 'Line 1\nLine 2 é' })).json.projectDescription,
	).toBe('Line 1\nLine 2 é');
	expect((await client.form(target, { Description: '' })).json).not.toHaveProperty(
		'projectDescription',
	);
	const notes = await client.form(at(proposals.staleTheatre, '/internalnotes'), {
		InternalNotes: 'Key under mat',
	});
	expect(notes.status).toBe(200);
	expect(notes.text).not.toContain('Key under mat');
	expect(simulator.control.internalNotes(48201)).toBe('Key under mat');
});

test.each(['accepted', 'completed', 'declined'] as const)('%s refuses edits', async (name) => {
	const id = proposals[name];
	const before = simulator.control.proposal(id);
	for (const [rest, fields] of [
		['', { Name: 'x' }],
		['/description', { Description: 'x' }],
		['/internalnotes', { InternalNotes: 'x' }],
		['/area', { Name: 'x' }],
		['/items/costupdate', {}],
	] as const) {
		const reply = await client.form(at(id, rest), fields);
		expect(reply.status).toBe(409);
		expect(reply.json.message).toMatch(/Accepted|Completed|Declined/);
	}
	const ids = { proposalId: id, contactId: contacts.withPrimary };
	expect((await client.json(at(id, `/contact/${contacts.withPrimary}`), ids)).status).toBe(409);
	expect(simulator.control.proposal(id)).toEqual(before);
});

test.each(['submitted', 'viewed', 'expired'] as const)('%s can be edited', async (name) => {
	expect((await client.form(at(proposals[name]), { Name: 'x' })).status).toBe(200);
});

test('a contact with one primary location brings it and the tax', async () => {
	const id = proposals.staleOffice;
	const assign = (contactId: number, body = { proposalId: id, contactId }) =>
		client.json(at(id, `/contact/${contactId}`), body);
	const reply = await assign(contacts.company);
	expect([reply.status, reply.text]).toEqual([204, '']);
	// Texas 8.25 %: parts 1290 + 5 x 149 = 2035 -> 167.8875 -> 167.89; labour 3 x 160 = 480 -> 39.60
	const { customer, financialSummary } = simulator.control.proposal(id);
	expect(customer).toMatchObject({
		id: contacts.company,
		location: { id: locations.companyPrimary },
	});
	expect(financialSummary.salesTax).toMatchObject({ taxStatus: 'Ok', total: 207.49 });
	await assign(contacts.withoutPrimary);
	expect(simulator.control.proposal(id).customer).not.toHaveProperty('location');
	expect((await assign(contacts.ofOtherDealer)).status).toBe(404);
	const other = await assign(contacts.company, { proposalId: id, contactId: 1 });
	expect([other.status, fieldsOf(other)]).toEqual([400, ['contactId']]);
});

test('a location of the assigned contact; tax is recalculated', async () => {
	const assign = (id: number, locationId: number) =>
		client.json(at(id, `/location/${locationId}`), { proposalId: id, locationId });
	const id = proposals.staleWholeHome;
	const reply = await assign(id, locations.companyThird);
	expect(reply.json.customer.location).toMatchObject({
		id: locations.companyThird,
		stateAbbrev: 'OR',
	});
	expect(reply.json.financialSummary.salesTax).toMatchObject({ taxStatus: 'Ok', total: 0 });
	expect((await assign(id, locations.withPrimary)).status).toBe(404);
	expect((await assign(proposals.empty, locations.withPrimary)).status).toBe(409);
});
