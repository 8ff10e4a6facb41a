/** The polling trigger on contacts: what a list shows of them is nowhere documented. */
import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

/** Whether the list of contacts has what is documented of a single one alone. */
describe.each([
	{ listedContacts: 'short', ofDetail: null },
	{ listedContacts: 'full', ofDetail: expect.any(String) },
] as const)('contacts in a list that is $listedContacts', ({ listedContacts, ofDetail }) => {
	const contacts = restoredService({ listedContacts });
	const id = seed.contacts.withPrimary;
	const startNode = () => contacts.polling('contactCreatedOrUpdated');
	const asReported = {
		id,
		partyType: 'Person',
		contactType: 'Client',
		firstName: 'Changed',
		lastName: 'Holt',
		companyName: null,
		email: 'maren.holt@clients.example',
		phone: '303-555-5101',
		city: ofDetail,
		lastModifiedDate: ofDetail,
	};
	const change = async () => {
		await contacts.control.advance(1);
		const lastModifiedDate = new Date(contacts.control.now()).toISOString();
		contacts.control.update('people', { id }, { firstName: 'Changed', lastModifiedDate });
	};

	it('reports new and changed contacts once', async () => {
		const node = startNode();
		expect(await node.poll()).toBeNull();
		await change();
		const added = contacts.control.addContact('New');
		const reported = (await node.poll())!;
		expect(reported.map((one) => one.id).sort()).toEqual([id, added].sort());
		expect(reported).toContainEqual(asReported);
		expect(await node.poll()).toBeNull();
	});

	it('shows a contact in a test run, with the fields of a poll', async () => {
		await change();
		expect(await startNode().test()).toEqual([asReported]);
	});
});
