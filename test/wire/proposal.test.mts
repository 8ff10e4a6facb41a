import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
import { execute, type Run } from '../../dev/testbed/nodeRunner.mts';
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

describe('proposal', () => {
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

	it('getMany: with details each proposal is read in full', async () => {
		const parameters = { limit: 2, simplify: false, options: { includeDetails: true } };
		const found = await run('proposal.getMany', parameters);
		expect(found).toHaveLength(2);
		for (const one of found) expect(one).toHaveProperty('financialSummary.salesTax');
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
});

it('a custom API call is pointed to the HTTP Request node', async () => {
	await expect(proposal('__CUSTOM_API_CALL__')).rejects.toThrow(
		'Use the HTTP Request node for custom API calls',
	);
});
