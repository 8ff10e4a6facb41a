import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
import { execute, type Run } from '../../testbed/nodeRunner.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/proposal/index.ts';

const service = restoredService();

const proposal = async (operation: string, parameters: object = {}, more: Partial<Run> = {}) =>
	await execute({
		credential: service.account,
		parameters: { resource: 'proposal', operation, ...parameters },
		...more,
	});
const { run } = service;
const created = async (name: string) => {
	const [draft] = await run('proposal.create', {
		salesPersonId: seed.users.salesJordan,
		name,
		simplify: false,
	});
	service.control.clearRequests();
	return draft!;
};
/** A proposal as the simplified output has it, worked out from the whole one. */
const flat = (id: number) => {
	const { customer, dealer, ...full } = service.control.proposal(id);
	const nameOf = (one: { firstName: string; lastName: string }) =>
		`${one.firstName} ${one.lastName}`;
	return {
		id,
		proposalId: id,
		number: full.number,
		name: full.name,
		status: full.status,
		customerName: customer ? customer.companyName || nameOf(customer) : null,
		customerEmail: customer?.contactEmail ?? null,
		salesPersonName: nameOf(dealer.salesperson),
		proposalTotal: full.financialSummary.proposalTotal,
		lastModifiedDate: full.lastModifiedDate,
	};
};
const sent = () => service.control.requests.map(({ operationId }) => operationId);
const forms = () => service.control.requests.map(({ path, bodyText }) => [path, bodyText]);

describe('proposal', () => {
	it('create: a Draft of the salesperson, with the name or one of the service', async () => {
		const draft = await created('Harbour Loft');
		expect(draft).toMatchObject({ name: 'Harbour Loft', status: 'Draft' });
		expect((draft.dealer as { salesperson: object }).salesperson).toMatchObject({
			id: seed.users.salesJordan,
		});
		const [unnamed] = await run('proposal.create', { salesPersonId: seed.users.salesJordan });
		expect(unnamed!.name).not.toBe('');
		expect(unnamed).toEqual(flat(unnamed!.id as number));
	});

	it('create: with a contact, which is assigned in one more request', async () => {
		const contactId = seed.contacts.withPrimary;
		const [output] = await run('proposal.create', {
			salesPersonId: seed.users.salesJordan,
			name: 'With a contact',
			additionalFields: { contactId: { __rl: true, mode: 'list', value: contactId } },
		});
		expect(sent()).toEqual(['proposal.create', 'proposal.assignContact', 'proposal.get']);
		const id = output!.id as number;
		expect(output).toEqual(flat(id));
		expect(output!.customerName).toEqual(expect.any(String));
		expect(service.control.proposal(id).customer.id).toBe(contactId);
	});

	it('create: with a contact and a location, in two more requests', async () => {
		const [full] = await run('proposal.create', {
			salesPersonId: seed.users.salesJordan,
			additionalFields: {
				locationId: seed.locations.companyThird,
				contactId: seed.contacts.company,
			},
			simplify: false,
		});
		expect(sent()).toEqual([
			'proposal.create',
			'proposal.assignContact',
			'proposal.assignLocation',
		]);
		expect(full).toEqual(service.control.proposal(full!.id as number));
		expect(full).toMatchObject({
			name: expect.stringMatching(/./),
			customer: {
				id: seed.contacts.company,
				location: { id: seed.locations.companyThird },
			},
		});
	});

	it('get: in full, or simplified to ten flat fields', async () => {
		const { id } = await created('Simple Things');
		const [full] = await run('proposal.get', { proposalId: id, simplify: false });
		expect(full).toEqual(service.control.proposal(id as number));
		const [simple] = await run('proposal.get', { proposalId: id });
		expect(simple).toEqual({
			id,
			proposalId: id,
			number: full!.number,
			name: 'Simple Things',
			status: 'Draft',
			customerName: null,
			customerEmail: null,
			salesPersonName: 'Jordan Okafor',
			proposalTotal: 0,
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
			`https://app.portal.io/proposals/${id}?back=/proposals/${seed.proposals.accepted}`,
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
		const sort = { sortBy: 'Number', sortDirection: 'Desc' };
		const found = await run('proposal.getMany', { returnAll: true, filters, sort });
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
		expect(named).toEqual(flat(id as number));
		const [moved] = await run('proposal.update', {
			proposalId: id,
			simplify: false,
			updateFields: { salesPersonId: { __rl: true, mode: 'id', value: seed.users.salesPriya } },
		});
		expect(moved).toMatchObject({
			name: 'After & more',
			dealer: { salesperson: { id: seed.users.salesPriya } },
		});
	});

	it('update: description and internal notes, set and cleared', async () => {
		const { id: proposalId } = await created('Texts');
		const update = async (updateFields: object) =>
			(await run('proposal.update', { proposalId, updateFields, simplify: false }))[0]!;
		const description = 'Zwölf Räume – "fein"\nund mehr';
		expect(await update({ description })).toMatchObject({ projectDescription: description });
		expect((await update({ description: '' })).projectDescription || '').toBe('');
		await update({ internalNotes: 'Mind the dog' });
		expect(service.control.internalNotes(proposalId as number)).toBe('Mind the dog');
		await update({ internalNotes: '' });
		expect(service.control.internalNotes(proposalId as number) ?? '').toBe('');
	});

	it.each([
		[{ name: 'A & B' }, [['', 'Name=A%20%26%20B']]],
		[{ salesPersonId: seed.users.salesPriya }, [['', `SalesPersonId=${seed.users.salesPriya}`]]],
		[{ description: 'Zwölf' }, [['/description', 'Description=Zw%C3%B6lf']]],
		[{ internalNotes: '' }, [['/internalnotes', 'InternalNotes=']]],
		[
			{ internalNotes: 'x', description: '', salesPersonId: seed.users.salesPriya, name: 'C' },
			[
				['', `Name=C&SalesPersonId=${seed.users.salesPriya}`],
				['/description', 'Description='],
				['/internalnotes', 'InternalNotes=x'],
			],
		],
	])('update: %j goes out in one request for each path, in order', async (updateFields, wire) => {
		const { id } = await created('On the wire');
		const output = await run('proposal.update', { proposalId: id, updateFields });
		expect(forms()).toEqual(
			wire.map(([suffix, body]) => [`/public/proposals/${id}${suffix}`, body]),
		);
		expect(output).toEqual([flat(id as number)]);
	});

	it('update: nothing is sent when no field was added', async () => {
		const { id } = await created('Untouched');
		await expect(run('proposal.update', { proposalId: id, updateFields: {} })).rejects.toThrow(
			"'Update Fields' is empty",
		);
		expect(service.control.requests).toEqual([]);
	});

	it('assignContact and assignLocation: the customer, the site and its tax', async () => {
		const { id: proposalId } = await created('A customer');
		const contactId = seed.contacts.withPrimary;
		const locationId = seed.locations.withPrimary;
		const assigned = await proposal('assignContact', { proposalId, contactId });
		expect(assigned).toEqual([
			{ json: { success: true, proposalId, contactId }, pairedItem: { item: 0 } },
		]);
		const [simple] = await run('proposal.assignLocation', { proposalId, locationId });
		expect(simple).toEqual(flat(proposalId as number));
		const [located] = await run('proposal.assignLocation', {
			proposalId,
			locationId,
			simplify: false,
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

	it('names the proposal that exists when its contact or location is refused', async () => {
		const salesPersonId = seed.users.salesJordan;
		const before = service.control.proposals().length;
		const cases: [object, failed: string, sent: string[]][] = [
			[
				{ contactId: 99999999 },
				"Failed: 'Contact'.",
				['proposal.create', 'proposal.assignContact'],
			],
			[
				{ contactId: 99999999, locationId: 1 },
				"Failed: 'Contact'. Not sent: 'Location'.",
				['proposal.create', 'proposal.assignContact'],
			],
			[
				{ contactId: seed.contacts.company, locationId: 99999999 },
				"Set: 'Contact'. Failed: 'Location'.",
				['proposal.create', 'proposal.assignContact', 'proposal.assignLocation'],
			],
		];
		for (const [index, [additionalFields, failed, requests]] of cases.entries()) {
			service.control.clearRequests();
			const error = await refused('create', { salesPersonId, name: 'Half', additionalFields });
			const { id } = service.control.proposals().at(-1)!;
			expect(error.message).toBe(
				`The proposal was created with the ID ${id}, but not completed: No record found with this ID`,
			);
			expect(error.description).toContain(failed);
			expect(error.httpCode).toBe('404');
			expect(error.context).toMatchObject({ itemIndex: 0 });
			expect(sent()).toEqual(requests);
			expect(service.control.proposals().length).toBe(before + index + 1);
		}
	});

	it.each([
		['empty', { status: 204, body: '' }],
		['text', { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'Done' }],
		['an unknown object', { status: 200, body: { ok: true } }],
	])('sends nothing more when the response to the creation is %s', async (_case, fault) => {
		const contact = { salesPersonId: 1, additionalFields: { contactId: seed.contacts.company } };
		service.control.failNext({ operationId: 'proposal.create', ...fault });
		const error = await refused('create', contact);
		expect(error.message).toBe('Portal.io did not return the ID of the new proposal');
		expect(error.description).toContain("Not sent: 'Contact'.");
		expect(error.description).toContain('Check in Portal.io before you run the step again');
		expect(sent()).toEqual(['proposal.create']);
	});

	it.each([
		['503', { status: 503 }],
		['a broken connection', { disconnect: true, when: 'after' }],
	] as const)(
		'after the creation, %s: the assignment is tried again and the creation is not',
		async (_case, fault) => {
			const parameters = {
				salesPersonId: seed.users.salesJordan,
				additionalFields: { contactId: seed.contacts.company },
			};
			const before = service.control.proposals().length;
			service.control.failNext({ operationId: 'proposal.assignContact', ...fault });
			const [output] = await run('proposal.create', parameters);
			expect(output!.customerName).toEqual(expect.any(String));
			service.control.clearRequests();
			service.control.failNext({ operationId: 'proposal.assignContact', times: 9, ...fault });
			const error = await refused('create', {
				...parameters,
				requestOptions: { requestAttempts: 2 },
			});
			service.control.clearFaults();
			const { id } = service.control.proposals().at(-1)!;
			expect(error.message).toContain(`created with the ID ${id}, but not completed`);
			// Running it again would create a second proposal.
			expect(error.description).not.toContain('Running the step again does no harm');
			expect(error.description).toContain('Running the step again would create another one');
			expect(sent()).toEqual([
				'proposal.create',
				'proposal.assignContact',
				'proposal.assignContact',
			]);
			expect(service.control.proposals().length).toBe(before + 2);
		},
	);

	it.each([{}, { ok: true }, 'Done'])(
		'reads the proposal when the response to the contact is %j',
		async (body) => {
			service.control.failNext({
				operationId: 'proposal.assignContact',
				status: 200,
				body,
				when: 'after',
			});
			const [output] = await run('proposal.create', {
				salesPersonId: seed.users.salesJordan,
				additionalFields: { contactId: seed.contacts.company },
			});
			service.control.clearFaults();
			expect(output).toMatchObject({ proposalId: service.control.proposals().at(-1)!.id });
		},
	);

	it('is created although the reading after the contact fails', async () => {
		service.control.failNext({ operationId: 'proposal.get', status: 500, times: 9 });
		const [output] = await run('proposal.create', {
			salesPersonId: seed.users.salesJordan,
			additionalFields: { contactId: seed.contacts.company },
			requestOptions: { requestAttempts: 1 },
		});
		service.control.clearFaults();
		expect(output).toMatchObject({ proposalId: service.control.proposals().at(-1)!.id });
	});

	it.each([
		['contactId', "'Contact' "],
		['locationId', "'Location' "],
	])('is not created when an expression found no %s', async (name, message) => {
		service.control.clearRequests();
		const additionalFields = { contactId: seed.contacts.company, [name]: '={{ $json.nothing }}' };
		const error = await refused('create', {
			salesPersonId: seed.users.salesJordan,
			additionalFields,
		});
		expect(error.message).toContain(message);
		expect(sent()).toEqual([]);
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
			"'Proposal' must be an ID, the whole number that Portal.io gave the record, such as 12345; it is '../users'",
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
