/** Tests fields that identify proposals by number, contacts by email, and items by model. */
import { describe, expect, it } from 'vitest';
import { execute } from '../../dev/testbed/nodeRunner.mts';
import { by, restoredService, seed } from './account.mts';

const service = restoredService();
const { respond, run, sent } = service;
const { staleTheater, viewed, archived } = seed.proposals;

describe('a proposal', () => {
	const byNumber = (value: string | number) => by('number', value);
	const numberOf = (id: number): number => service.control.proposal(id).number;
	const searches = () => service.count('proposal.getMany');

	it.each([
		['as the service writes it', (number: number) => `#${number}`],
		['from an expression', (number: number) => `={{ ${number} }}`],
	])('finds a proposal by its number %s, with one search', async (_case, write) => {
		const proposalId = byNumber(write(numberOf(staleTheater)));
		expect(await run('proposal.get', { proposalId })).toMatchObject([{ proposalId: staleTheater }]);
		expect(sent()).toEqual(['proposal.getMany', 'proposal.get']);
	});

	it('finds an archived proposal by its number, with a second search', async () => {
		const proposalId = byNumber(numberOf(archived));
		expect(await run('proposal.get', { proposalId })).toMatchObject([{ proposalId: archived }]);
		expect(searches()).toBe(2);
	});

	it("rejects a proposal's ID or only part of its number", async () => {
		for (const value of [staleTheater, String(numberOf(staleTheater)).slice(0, -1)]) {
			await expect(run('proposal.get', { proposalId: byNumber(value) })).rejects.toThrow(
				`'Proposal' was not found: no proposal has the number ${value}.`,
			);
		}
	});

	it('rejects a proposal number that two proposals have', async () => {
		const number = 770077;
		// Respond with two proposals that have the same number, which the simulator prevents but the service might not.
		const proposals = [1, 2].map((id) => ({ id, number, name: 'Twin', status: 'Draft' }));
		respond('proposal.getMany', { proposals, proposalCount: 2 });
		await expect(run('proposal.get', { proposalId: byNumber(number) })).rejects.toThrow(
			`'Proposal' matches 2 proposals with the number ${number}: Twin (ID 1), Twin (ID 2). Use the ID of one of them.`,
		);
	});

	it('looks up a proposal number only once for many input items', async () => {
		const ids = [staleTheater, viewed];
		const items = Array.from({ length: 20 }, (_, index) => ({
			number: index === 7 ? 999_999 : numberOf(ids[index % 2]!),
		}));
		const proposalId = byNumber('={{ $json.number }}');
		const output = await run('proposal.get', { proposalId }, { items, continueOnFail: true });
		for (const [index, json] of output.entries()) {
			if (index === 7) expect(json.error).toMatch(/no proposal has the number 999999/);
			else expect(json.proposalId).toBe(ids[index % 2]);
		}
		// Expect one search for each of the two numbers, and two for the missing number, because both lists are
		// searched for it.
		expect(searches()).toBe(4);
	});

	it('links an error to each input item when their shared search is rejected', async () => {
		const output = await execute({
			credential: service.credential('lapsed'),
			operation: 'proposal.get',
			parameters: { proposalId: byNumber('1001') },
			items: [{}, {}, {}],
			continueOnFail: true,
		});
		expect(output).toMatchObject(
			[0, 1, 2].map((item) => ({ json: { details: { httpCode: '402' } }, pairedItem: { item } })),
		);
		expect(searches()).toBe(1);
	});
});

describe('other records', () => {
	it('finds a contact by email, ignoring case', async () => {
		const contact = { partyType: 'Person', contactType: 'Client', firstName: 'Nora' };
		const contactEmail = 'nora@by.example';
		const [created] = await run('contact.create', {
			...contact,
			additionalFields: { contactEmail },
		});
		const given = { contactId: by('email', ' Nora <NORA@by.example> ') };
		expect(await run('contact.get', given)).toMatchObject([{ contactId: created!.contactId }]);
		await expect(run('contact.get', { contactId: by('email', 'ora@by.example') })).rejects.toThrow(
			"'Contact' was not found: no contact has the email ora@by.example.",
		);
		await run('contact.create', { ...contact, additionalFields: { contactEmail } });
		await expect(run('contact.get', given)).rejects.toThrow(
			"'Contact' is ambiguous: 2 contacts have the email NORA@by.example: Nora (ID ",
		);
	});

	it('finds a salesperson by email', async () => {
		const [user] = await run('user.getMany', { limit: 1 });
		const salesPersonId = by('email', String(user!.email).toUpperCase());
		const [{ proposalId } = {}] = await run('proposal.create', { salesPersonId });
		const { dealer } = service.control.proposal(Number(proposalId));
		expect(dealer.salesperson.id).toBe(user!.userId);
	});

	it('finds an item of the proposal by its model unless several have it', async () => {
		const rows = service.control.items(staleTheater).filter(({ model }) => model);
		const isSingle = ({ model }: (typeof rows)[0]) =>
			rows.filter((one) => one.model === model).length === 1;
		const { id, model, option_id: areaOptionIds } = rows.find(isSingle)!;
		const update = async (text: string) =>
			await run('item.update', {
				proposalId: staleTheater,
				itemId: by('model', text),
				updateFields: { clientNote: 'Found' },
			});
		expect(await update(String(model).toLowerCase())).toMatchObject([{ itemId: id }]);
		await expect(update('None')).rejects.toThrow("'Item' was not found: ");
		await run('item.copy', { proposalId: staleTheater, itemIds: [id], areaOptionIds });
		await expect(update(String(model))).rejects.toThrow("'Item' is ambiguous: ");
	});

	it.each([
		['contact.get', { contactId: 'a@b.example' }, "To use the email, set 'Contact' to 'Email'."],
		['proposal.get', { proposalId: '#1042' }, "To use the number, set 'Proposal' to 'Number'."],
		['catalog.get', { catalogItemId: 'CV6C' }, "To use the model, set 'Catalog Item' to 'Model'."],
	])('suggests the right mode if %s gets text as an ID: %j', async (name, given, advice) => {
		await expect(run(name, given)).rejects.toThrow(advice);
	});
});
