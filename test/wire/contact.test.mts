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

describe('contact', () => {
	it('create: a person and a company', async () => {
		const [person] = await run('contact.create', {
			partyType: 'Person',
			contactType: 'Client',
			firstName: 'Zoë',
			additionalFields: { lastName: "O'Neil", contactEmail: 'zoe@example.com', notes: 'a\nb' },
		});
		expect(person).toMatchObject({
			partyType: 'Person',
			contactType: 'Client',
			firstName: 'Zoë',
			lastName: "O'Neil",
			contactEmail: 'zoe@example.com',
			notes: 'a\nb',
		});
		const [company] = await run('contact.create', {
			partyType: 'Company',
			contactType: 'Contractor',
			firstName: 'Max',
			companyName: 'Max & Co',
		});
		expect(company).toMatchObject({ partyType: 'Company', companyName: 'Max & Co' });
	});

	it('get: simplified, or in full with its counts', async () => {
		const contactId = seed.contacts.company;
		const [full] = await run('contact.get', {
			contactId,
			simplify: false,
			options: { includeCounts: true },
		});
		expect(full).toHaveProperty('proposalCount');
		expect((full as { primaryLocation: object }).primaryLocation).toHaveProperty('street');
		const [simple] = await run('contact.get', { contactId });
		expect(simple).toEqual({
			id: contactId,
			partyType: 'Company',
			contactType: full!.contactType,
			firstName: full!.firstName,
			lastName: full!.lastName ?? null,
			companyName: full!.companyName,
			email: full!.contactEmail ?? null,
			phone: full!.contactPhone ?? null,
			city: (full!.primaryLocation as { city: string }).city,
			lastModifiedDate: full!.lastModifiedDate,
		});
	});

	it('getMany: filtered, sorted, over several pages', async () => {
		for (let count = 0; count < 12; count++) {
			await run('contact.create', {
				partyType: 'Person',
				contactType: 'Other',
				firstName: `Filler ${String(count).padStart(2, '0')}`,
			});
		}
		const found = await run('contact.getMany', {
			returnAll: true,
			filters: { searchText: 'Filler', contactTypes: ['Person'] },
			options: { sortBy: 'FirstName', sortDirection: 'Desc' },
		});
		expect(found.map(({ firstName }) => firstName)).toEqual(
			Array.from({ length: 12 }, (_, count) => `Filler ${String(11 - count).padStart(2, '0')}`),
		);
		expect(await run('contact.getMany', { limit: 5 })).toHaveLength(5);
	});

	it.each([
		['404', 'get', { contactId: seed.contacts.ofOtherDealer }, 'dealer'],
		['403', 'create', { partyType: 'Person', contactType: 'Client', firstName: 'A' }, 'restricted'],
		['402', 'getMany', {}, 'lapsed'],
	] as const)('%s: %s', async (httpCode, operation, parameters, account) => {
		const theirs = runner(() => service.credential(account));
		await expect(theirs(`contact.${operation}`, parameters)).rejects.toMatchObject({ httpCode });
	});
});
