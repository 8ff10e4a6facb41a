/**
 * Tests that lookups return a record's ID by number, email, model, or name, and read each record once. For comparing
 * models, see lookupOfModels.test.mts; for names, lookupOfAreas.test.mts.
 */
import { expect, it } from 'vitest';
import { RecordReference, type Target } from '../../nodes/PortalIo/fields/field.ts';
import { createLookups } from '../../nodes/PortalIo/lookup/lookups.ts';
import type { Session } from '../../client/session.ts';
import { recordingSession, playedSession, Refusal } from './playedSession.mts';
import { runOperation } from './runOperation.mts';

const lookupsOf = (session: Session) => {
	const find = createLookups(session);
	return async (target: Target, name: string, scope: object = {}) =>
		await find(new RecordReference(target, name, 'Field'), scope as never);
};

it('looks up each record only once for all input items', async () => {
	const items = [
		{ id: 5, model: 'ML-8' },
		{ id: 6, model: 'ML8' },
	];
	const { session, requests } = recordingSession(() => ({
		proposals: [{ id: 7, number: 42 }],
		proposalCount: 1,
		items,
		totalItemCount: 2,
	}));
	const find = lookupsOf(session);
	const lookUpAll = async () =>
		await Promise.all([
			find('proposal', '42'),
			find('catalogItem', 'ML-8', { itemType: 'Part' }),
			find('catalogItem', 'ML8', { itemType: 'Part' }),
			find('catalogItem', 'ML-8', { itemType: 'Labor' }),
			find('catalogItem', 'ML8', { itemType: 'Labor' }),
		]);
	const ids = [7, 5, 6, 5, 6];
	expect(await Promise.all([lookUpAll(), lookUpAll()])).toEqual([ids, ids]);
	// Expect one search of the catalog for each spelling and type.
	expect(requests.toSorted()).toEqual([
		'GET /public/catalog',
		'GET /public/catalog',
		'GET /public/catalog',
		'GET /public/catalog',
		'GET /public/proposals',
	]);
});

// Expect a filter in the query, because a search without one would read the whole list.
it.each<[target: Target, name: string, query: Record<string, string>]>([
	['catalogItem', 'ML-8', { SearchText: 'ML-8', ItemType: 'Part' }],
	['contact', 'ann@loft.example', { SearchText: 'ann@loft.example' }],
	['proposal', '1042', { SearchText: '1042' }],
])('searches for the %s %s by %j', async (target, name, query) => {
	const queries: URLSearchParams[] = [];
	const { session } = recordingSession((sent) => {
		queries.push(sent);
		return {
			proposals: [{ id: 7, number: 1042 }],
			proposalCount: 1,
			people: [{ id: 7, contactEmail: 'ann@loft.example' }],
			peopleCount: 1,
			items: [{ id: 7, model: 'ML-8' }],
			totalItemCount: 1,
		};
	});
	expect(await lookupsOf(session)(target, name)).toBe(7);
	expect(Object.fromEntries(queries[0]!)).toMatchObject(query);
});

it('reports the failure of a search instead of a missing record', async () => {
	const { session } = playedSession(() => new Refusal(403, 'Not yours'));
	const lookups = lookupsOf(session);
	const refused = { facts: { status: '403' } };
	await expect(lookups('proposal', '1021')).rejects.toMatchObject(refused);
	await expect(lookups('area', 'Den', { proposalId: 42 })).rejects.toMatchObject(refused);
});

it('looks up a salesperson among the users, even if the response has another list', async () => {
	const response = { users: [{ id: 5, email: 'A@b.c' }], others: [] };
	const { session } = playedSession(() => response);
	expect(await lookupsOf(session)('salesperson', 'a@b.c')).toBe(5);
});

it('reports a missing salesperson if the response has no list but a count of 0', async () => {
	const { session } = playedSession(() => ({ usersCount: 0 }));
	await expect(lookupsOf(session)('salesperson', 'a@b.c')).rejects.toThrow(
		'was not found: no active user has the email a@b.c',
	);
});

it('suggests creating a contact if no contact has the email', async () => {
	const { session } = recordingSession(() => ({ people: [], peopleCount: 0 }));
	await expect(lookupsOf(session)('contact', 'a@b.c')).rejects.toThrow(
		"was not found: no contact has the email a@b.c. Check the email, or first create the contact with 'Reuse Existing Contact'.",
	);
});

it('lists the first five contacts with the same email', async () => {
	const people = Array.from({ length: 6 }, (_, index) => ({
		id: index + 1,
		firstName: 'Ann',
		lastName: `Lee ${index}`,
		contactEmail: 'a@b.c',
	}));
	const { session } = playedSession(() => ({ people, peopleCount: 6 }));
	await expect(lookupsOf(session)('contact', 'a@b.c')).rejects.toThrow(
		'is ambiguous: 6 contacts have the email a@b.c: Ann Lee 0 (ID 1), Ann Lee 1 (ID 2), Ann Lee 2 (ID 3), Ann Lee 3 (ID 4), Ann Lee 4 (ID 5). Use the ID of one of them.',
	);
});

it('reads the list of users only once for several salespeople', async () => {
	const users = [
		{ id: 5, email: 'a@b.c' },
		{ id: 6, email: 'd@e.f' },
	];
	const { session, requests } = recordingSession(() => ({ users, usersCount: 2 }));
	const find = lookupsOf(session);
	expect(await find('salesperson', 'a@b.c')).toBe(5);
	expect(await find('salesperson', 'd@e.f')).toBe(6);
	expect(requests).toEqual(['GET /public/users']);
});

it.each<[operation: string, values: object, query: string]>([
	[
		'contact.create',
		{
			additionalFields: { contactEmail: 'ann@loft.example' },
			options: { reuseExisting: true },
		},
		'/public/people?SearchText=ann%40loft.example&',
	],
	[
		'proposal.create',
		{ salesPersonId: 3, name: 'Lake House', options: { reuseEmpty: true } },
		'/public/proposals?SearchText=Lake%20House&Statuses=Draft&',
	],
])('searches for an existing record in %s: %j', async (operation, values, query) => {
	const urls: string[] = [];
	await runOperation(operation, values, ({ url }) => {
		urls.push(url);
		return { people: [], peopleCount: 0, proposals: [], proposalCount: 0, id: 7, number: 1042 };
	});
	expect(urls[0]).toContain(query);
});
