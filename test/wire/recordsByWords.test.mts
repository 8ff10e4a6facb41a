/** Records by what people call them: a contact and a salesperson by email, an item by its model. */
import { expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;
const proposalId = seed.proposals.staleTheater;
const by = (mode: string, value: string) => ({ __rl: true as const, mode, value });
const changes = () => service.control.requests.filter(({ method }) => method !== 'GET');

it('finds a contact by its email, whatever its case', async () => {
	const contact = { partyType: 'Person', contactType: 'Client', firstName: 'Nora' };
	const contactEmail = 'nora@by.example';
	const [created] = await run('contact.create', { ...contact, additionalFields: { contactEmail } });
	const given = { contactId: by('email', ' Nora <NORA@by.example> ') };
	expect(await run('contact.get', given)).toMatchObject([{ id: created!.id }]);
	await expect(run('contact.get', { contactId: by('email', 'ora@by.example') })).rejects.toThrow(
		"'Contact' was not found: no contact has the email ora@by.example.",
	);
	await run('contact.create', { ...contact, additionalFields: { contactEmail } });
	await expect(run('contact.get', given)).rejects.toThrow(
		"'Contact' is ambiguous: 2 contacts have the email NORA@by.example. Choose one",
	);
});

it('finds a salesperson by their email', async () => {
	const [user] = await run('user.getMany', { limit: 1 });
	const salesPersonId = by('email', String(user!.email).toUpperCase());
	const [created] = await run('proposal.create', { salesPersonId, simplify: false });
	expect(created).toMatchObject({ dealer: { salesperson: { id: user!.id } } });
});

it('finds an item of the proposal by its model, and names the areas where several have it', async () => {
	const rows = service.control.items(proposalId);
	const models = rows.map(({ model }) => model).filter(Boolean);
	const single = rows.find(
		({ model }) => model && models.filter((one) => one === model).length === 1,
	)!;
	const updateFields = { clientNote: 'Found' };
	const update = async (model: string) =>
		await run('item.update', { proposalId, itemId: by('model', model), updateFields });
	expect(await update(String(single.model).toLowerCase())).toMatchObject([{ id: single.id }]);
	service.control.clearRequests();
	await expect(update('None')).rejects.toThrow(
		"'Item' was not found: the proposal has no item with the model 'None'.",
	);
	expect(changes()).toEqual([]);
	const areaOptionId = Number(single.option_id);
	await run('item.copy', { proposalId, itemIds: [single.id], areaOptionIds: [areaOptionId] });
	await expect(update(String(single.model))).rejects.toThrow(
		/'Item' is ambiguous: the proposal has 2 items with the model '.+': in '.+' \(ID \d+\), '.+' \(ID \d+\)\./,
	);
});

it.each([
	['contact.get', { contactId: 'a@b.example' }, "To use its email, set 'Contact' to 'By Email'."],
	['proposal.get', { proposalId: '#1042' }, "To use its number, set 'Proposal' to 'By Number'."],
	[
		'catalog.get',
		{ catalogItemId: 'CV-6C' },
		"To use its model, set 'Catalog Item' to 'By Model'.",
	],
])('says in which mode %s finds words that are not an ID: %j', async (name, given, advice) => {
	await expect(run(name, given)).rejects.toThrow(advice);
});
