import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runner, seed, startService } from './account.mts';
import { execute, type Run, type StoredCredential } from '../../testbed/nodeRunner.mts';

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
beforeEach(() => service.control.clearRequests());

const proposal = async (operation: string, parameters: object = {}, more: Partial<Run> = {}) =>
	await execute({
		credential,
		parameters: { resource: 'proposal', operation, ...parameters },
		...more,
	});
const run = runner(() => credential);
const created = async (name: string) => {
	const [draft] = await run('proposal.create', {
		salesPersonId: seed.users.salesJordan,
		additionalFields: { name },
	});
	return draft!;
};

describe('proposal', () => {
	it('create: a Draft of the salesperson, with the name or one of the service', async () => {
		const draft = await created('Harbour Loft');
		expect(draft).toMatchObject({ name: 'Harbour Loft', status: 'Draft' });
		expect((draft.dealer as { salesperson: object }).salesperson).toMatchObject({
			id: seed.users.salesJordan,
		});
		const [unnamed] = await run('proposal.create', { salesPersonId: seed.users.salesJordan });
		expect(unnamed!.name).not.toBe('');
	});

	it('get: in full, or simplified to ten flat fields', async () => {
		const { id } = await created('Simple Things');
		const [full] = await run('proposal.get', { proposalId: id, simplify: false });
		expect(full).toEqual(service.control.proposal(id as number));
		const [simple] = await run('proposal.get', { proposalId: id });
		expect(simple).toEqual({
			id,
			number: full!.number,
			name: 'Simple Things',
			status: 'Draft',
			customerName: null,
			customerEmail: null,
			proposalTotal: 0,
			currency: 'USD',
			createdDate: full!.createdDate,
			lastModifiedDate: full!.lastModifiedDate,
		});
	});

	it('get: by resource locator, by text and by the address of a page', async () => {
		const { id } = await created('Found');
		for (const proposalId of [
			id,
			String(id),
			{ __rl: true, mode: 'list', value: id },
			{ __rl: true, mode: 'id', value: ` ${id} ` },
			{ __rl: true, mode: 'url', value: `https://app.portal.io/proposals/${id}?tab=1` },
			`https://app.portal.io/proposals/${id}`,
		]) {
			expect((await run('proposal.get', { proposalId }))[0]).toMatchObject({ id });
		}
	});

	it('getMany: all, over several pages, each once', async () => {
		for (let count = 0; count < 12; count++) await created(`Page filler ${count}`);
		const all = await run('proposal.getMany', { returnAll: true, simplify: false });
		const mine = service.control
			.proposals()
			.filter((one) => one.account_id === seed.accounts.dealer && !one.is_archived);
		expect(all).toHaveLength(mine.length);
		expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
		expect(await run('proposal.getMany', { limit: 7 })).toHaveLength(7);
	});

	it('getMany: filtered and sorted by the service', async () => {
		for (let count = 0; count < 12; count++) await created(`To be sorted ${count}`);
		const filters = { statuses: ['Draft', 'Accepted'], searchText: 'To be sorted' };
		const options = { sortBy: 'Number', sortDirection: 'Desc' };
		const found = await run('proposal.getMany', { returnAll: true, filters, options });
		expect(found).toHaveLength(12);
		const numbers = found.map(({ number }) => Number(number));
		expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
		const query = new URLSearchParams(service.control.requests.at(-1)!.query);
		expect(query.getAll('Statuses')).toEqual(['Draft', 'Accepted']);
		expect(query.get('SortDirection')).toBe('Desc');
	});

	it('getMany: a date of the picker goes out in UTC', async () => {
		await run('proposal.getMany', { filters: { modifiedAfter: '2026-07-01T12:00:00' } });
		const query = new URLSearchParams(service.control.requests.at(-1)!.query);
		expect(query.get('ModifiedAfter')).toBe('2026-07-01T16:00:00.000Z');
	});

	it('getMany: with details each proposal is read in full', async () => {
		const parameters = { limit: 2, simplify: false, options: { includeDetails: true } };
		const found = await run('proposal.getMany', parameters);
		expect(found).toHaveLength(2);
		for (const one of found) expect(one).toHaveProperty('financialSummary.salesTax');
	});

	it('update: changes what is given and leaves the rest', async () => {
		const { id } = await created('Before');
		const [named] = await run('proposal.update', {
			proposalId: id,
			updateFields: { name: 'After & more' },
		});
		expect(named).toMatchObject({ id, name: 'After & more' });
		const [moved] = await run('proposal.update', {
			proposalId: id,
			updateFields: { salesPersonId: { __rl: true, mode: 'id', value: seed.users.salesPriya } },
		});
		expect(moved).toMatchObject({
			name: 'After & more',
			dealer: { salesperson: { id: seed.users.salesPriya } },
		});
	});

	it('updateDescription and updateInternalNotes: set and clear', async () => {
		const { id: proposalId } = await created('Texts');
		const description = 'Zwölf Räume – "fein"\nund mehr';
		expect((await run('proposal.updateDescription', { proposalId, description }))[0]).toMatchObject(
			{
				projectDescription: description,
			},
		);
		const [cleared] = await run('proposal.updateDescription', { proposalId, description: '' });
		expect(cleared!.projectDescription || '').toBe('');
		await run('proposal.updateInternalNotes', { proposalId, internalNotes: 'Mind the dog' });
		expect(service.control.internalNotes(proposalId as number)).toBe('Mind the dog');
	});

	it('assignContact and assignLocation: the customer, the site and its tax', async () => {
		const { id: proposalId } = await created('A customer');
		const contactId = seed.contacts.withPrimary;
		const locationId = seed.locations.withPrimary;
		const assigned = await proposal('assignContact', { proposalId, contactId });
		expect(assigned).toEqual([
			{ json: { success: true, proposalId, contactId }, pairedItem: { item: 0 } },
		]);
		const [located] = await run('proposal.assignLocation', {
			proposalId,
			locationId,
		});
		expect(located).toMatchObject({
			id: proposalId,
			customer: { id: contactId, location: { id: locationId } },
		});
		expect(located).toHaveProperty('financialSummary.salesTax.taxStatus');
	});
});

describe('what the service refuses', () => {
	const refused = async (operation: string, parameters: object, more: Partial<Run> = {}) =>
		await proposal(operation, parameters, more).then(
			() => expect.unreachable('it should have been refused'),
			(error: unknown) =>
				error as { message: string; description: string; httpCode: string; context: object },
		);

	it('409: a terminal proposal, with its state', async () => {
		const { id } = await created('Terminal');
		service.control.setStatus(id as number, 'Accepted');
		const error = await refused('update', { proposalId: id, updateFields: { name: 'No' } });
		expect(error.message).toBe("The proposal's state prevents this change");
		expect(error.description).toContain('Accepted');
		expect(error.httpCode).toBe('409');
		expect(error.context).toMatchObject({ itemIndex: 0 });
	});

	it('404: unknown, or of another account', async () => {
		const error = await refused('get', { proposalId: 99999999 });
		expect(error).toMatchObject({ message: 'No record found with this ID', httpCode: '404' });
		const foreign = seed.proposals.otherDraft;
		expect(await refused('get', { proposalId: foreign })).toMatchObject({ httpCode: '404' });
	});

	it('403: no permission to write', async () => {
		const error = await refused(
			'create',
			{ salesPersonId: seed.users.salesJordan },
			{ credential: service.credential('restricted') },
		);
		expect(error).toMatchObject({
			message: 'This Portal.io user does not have permission to do this',
			httpCode: '403',
		});
	});

	it('409: a location before a contact', async () => {
		const { id } = await created('No contact');
		const error = await refused('assignLocation', { proposalId: id, locationId: 1 });
		expect(error).toMatchObject({ httpCode: '409' });
	});

	it('nothing is sent for a field that cannot be right, and the error names it', async () => {
		const error = await refused('get', { proposalId: '../users' });
		expect(error.message).toBe(
			"'Proposal' must be an ID, a whole number above 0; it is '../users'",
		);
		expect(error.context).toMatchObject({ itemIndex: 0 });
		expect(service.control.requests).toEqual([]);
	});
});

describe('several inputs', () => {
	it('go in order, each with its own parameters and its link', async () => {
		const ids = [await created('One'), await created('Two'), await created('Three')].map(
			({ id }) => id,
		);
		const output = await proposal(
			'get',
			{ proposalId: '={{ $json.id }}' },
			{ items: ids.map((id) => ({ id: id as number })) },
		);
		expect(output.map((item) => [item.json.id, item.pairedItem])).toEqual(
			ids.map((id, item) => [id, { item }]),
		);
	});

	it('with Continue on Fail each failed one gives one item that says why, linked to it', async () => {
		const { id } = await created('Survivor');
		const output = await proposal(
			'get',
			{ proposalId: '={{ $json.id }}' },
			{ items: [{ id: 'x' }, { id: id as number }, { id: 99999999 }], continueOnFail: true },
		);
		expect(output.map(({ json: data, pairedItem }) => ({ data, pairedItem }))).toEqual([
			{
				data: { error: expect.stringContaining("'Proposal' must be an ID") },
				pairedItem: { item: 0 },
			},
			{ data: expect.objectContaining({ id, name: 'Survivor' }), pairedItem: { item: 1 } },
			{
				data: {
					error: 'No record found with this ID',
					description: expect.any(String),
					httpCode: '404',
				},
				pairedItem: { item: 2 },
			},
		]);
	});
});

it('a custom API call is pointed to the HTTP Request node', async () => {
	await expect(proposal('__CUSTOM_API_CALL__')).rejects.toThrow(
		'A custom API call is made with the HTTP Request node',
	);
});
