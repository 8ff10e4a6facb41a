import { describe, expect, it } from 'vitest';
import { restoredService, runner, seed } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/location/index.ts';

const service = restoredService();
const { run } = service;

describe('location', () => {
	it('create: with its marks, which move from the location that had them', async () => {
		const contactId = seed.contacts.withPrimary;
		const [created] = await run('location.create', {
			contactId,
			street: '1 Straße & Co',
			additionalFields: {
				city: 'Denver',
				state: 'Colorado',
				country: 'United States',
				contactFirstName: 'Ann',
				isPrimary: true,
			},
		});
		expect(created).toEqual({
			id: expect.any(Number),
			contactId,
			street: '1 Straße & Co',
			suite: null,
			city: 'Denver',
			postalCode: null,
			state: 'Colorado',
			country: 'United States',
			isPrimary: true,
			isBilling: false,
		});
		const all = await run('location.getMany', { contactId, returnAll: true });
		expect(all.filter(({ isPrimary }) => isPrimary).map(({ id }) => id)).toEqual([created!.id]);
	});

	it('create and getMany: in full without Simplify, with the ID of their contact', async () => {
		const contactId = seed.contacts.withPrimary;
		const [created] = await run('location.create', {
			contactId,
			street: '2 First St',
			simplify: false,
			additionalFields: { contactFirstName: 'Ann' },
		});
		expect(created).toMatchObject({ contactId, street: '2 First St', contactFirstName: 'Ann' });
		const all = await run('location.getMany', { contactId, returnAll: true, simplify: false });
		expect(all).toContainEqual(created);
	});

	it('getMany: all locations of a contact, or some', async () => {
		const contactId = seed.contacts.company;
		const ids = service.control.locations(contactId);
		const all = await run('location.getMany', { contactId, returnAll: true });
		expect(all.map(({ id }) => id).sort()).toEqual(ids.map(({ id }) => id).sort());
		expect(await run('location.getMany', { contactId, limit: 1 })).toHaveLength(1);
	});

	it.each([
		['404', 'getMany', { contactId: seed.contacts.ofOtherDealer }, 'dealer'],
		['403', 'create', { contactId: seed.contacts.company, street: 'x' }, 'restricted'],
		['402', 'getMany', { contactId: seed.contacts.company }, 'lapsed'],
	] as const)('%s: %s', async (httpCode, operation, parameters, account) => {
		const theirs = runner(() => service.credential(account));
		await expect(theirs(`location.${operation}`, parameters)).rejects.toMatchObject({ httpCode });
	});
});
