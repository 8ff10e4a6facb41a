/** Lookups of records of any kind. By model: lookupOfModels; by name: lookupOfAreas. */
import { expect, it } from 'vitest';
import { recordsOf } from '../../nodes/PortalIo/lookup/lookups.ts';
import { listeningSession, playedSession, Refusal } from './playedSession.mts';

it('looks up each record once for all inputs, by its kind, type and spelling', async () => {
	const items = [
		{ id: 5, model: 'ML-8' },
		{ id: 6, model: 'ML8' },
	];
	const { session, requests } = listeningSession(() => ({
		proposals: [{ id: 7, number: 42 }],
		proposalCount: 1,
		items,
		totalItemCount: 2,
	}));
	const { proposal, catalogItem } = recordsOf(session);
	const findAll = async () =>
		await Promise.all([
			proposal('42'),
			catalogItem('ML-8', 'Part'),
			catalogItem('ML8', 'Part'),
			catalogItem('ML-8', 'Labor'),
			catalogItem('ML8', 'Labor'),
		]);
	const ids = [7, 5, 6, 5, 6];
	expect(await Promise.all([findAll(), findAll()])).toEqual([ids, ids]);
	expect(requests.toSorted()).toEqual([
		'GET /public/catalog',
		'GET /public/catalog',
		'GET /public/catalog',
		'GET /public/catalog',
		'GET /public/proposals',
	]);
});

it('does not report a record as missing when the search fails', async () => {
	const { session } = playedSession(() => new Refusal(403, 'Not yours'));
	const records = recordsOf(session);
	const refused = { facts: { status: '403' } };
	await expect(records.proposal('1021')).rejects.toMatchObject(refused);
	await expect(records.area(42, 'Den')).rejects.toMatchObject(refused);
});

it('finds a salesperson among the users, regardless of other lists in the response', async () => {
	const response = { users: [{ id: 5, email: 'A@b.c' }], others: [] };
	const { session } = playedSession(() => response);
	expect(await recordsOf(session).salesperson('a@b.c')).toBe(5);
});

it('says that no active user has the email', async () => {
	const { session } = playedSession(() => ({ usersCount: 0 }));
	const reason = await recordsOf(session).salesperson('a@b.c');
	expect(reason).toContain('no active user has the email a@b.c');
});
