/** The polling trigger on contacts: which fields a list shows of them is not documented. */
import { expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const full = restoredService({ listedContacts: 'full' });
const short = restoredService({ listedContacts: 'short' });
const id = seed.contacts.withPrimary;

const asReported = {
	contactId: id,
	partyType: 'Person',
	contactType: 'Client',
	firstName: 'Changed',
	lastName: 'Holt',
	companyName: null,
	email: 'maren.holt@clients.example',
	phone: '303-555-5101',
	city: expect.any(String),
	lastModifiedDate: expect.any(String),
};
const change = async () => {
	await full.control.advance(1);
	const lastModifiedDate = new Date(full.control.now()).toISOString();
	full.control.update('people', { id }, { firstName: 'Changed', lastModifiedDate });
};

it('reports new and changed contacts once', async () => {
	const node = full.polling('contactCreatedOrUpdated');
	expect(await node.poll()).toBeNull();
	await change();
	const added = full.control.addContact('New');
	const reported = (await node.poll())!;
	expect(reported.map(({ contactId }) => contactId).sort()).toEqual([id, added].sort());
	expect(reported).toContainEqual(asReported);
	expect(await node.poll()).toBeNull();
});

it('shows a contact in a test run, with the fields of a poll', async () => {
	await change();
	expect(await full.polling('contactCreatedOrUpdated').test()).toEqual([asReported]);
});

it('fails when the workflow is published if the list shows no dates', async () => {
	const polling = short.polling('contactCreatedOrUpdated').poll();
	await expect(polling).rejects.toThrow(/^Portal\.io did not return a date for the record with/);
});
