import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const service = restoredService();

const { run } = service;
const { submitted, viewed } = seed.proposals;
/** A proposal as the simplified output has it, worked out from the whole one. */
const flat = (id: number) => {
	const { customer, dealer, ...full } = service.control.proposal(id);
	const nameOf = (one: { firstName: string; lastName: string }) =>
		`${one.firstName} ${one.lastName}`;
	return {
		proposalId: id,
		number: full.number,
		name: full.name,
		status: full.status,
		contactId: customer?.id ?? null,
		clientName: customer ? customer.companyName || nameOf(customer) : null,
		clientEmail: customer?.contactEmail ?? null,
		salesPersonName: nameOf(dealer.salesperson),
		proposalTotal: full.financialSummary.proposalTotal,
		lastModifiedDate: full.lastModifiedDate,
	};
};
const sent = () => service.control.requests.map(({ operationId }) => operationId);

describe('proposal', () => {
	it('creates a proposal with a contact and a location, in two more requests', async () => {
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

	it('reads each proposal in full with details', async () => {
		const parameters = { limit: 2, simplify: false, options: { includeDetails: true } };
		const found = await run('proposal.getMany', parameters);
		expect(found).toHaveLength(2);
		for (const one of found) expect(one).toHaveProperty('financialSummary.salesTax');
	});

	it('keeps the chosen direction of proposals when it returns all', async () => {
		await run('proposal.getMany', { returnAll: true, sort: { sortDirection: 'Desc' } });
		const { query } = service.control.requests.at(-1)!;
		expect(query).toMatch(/(^|&)SortDirection=Desc(&|$)/);
		expect(query).toContain('SortBy=ModifiedDate');
	});

	it.each(['proposal', 'contact'])(
		'returns all %ss in the order that a limit has, from the newest',
		async (resource) => {
			// Neither the number nor the ID says which was changed last.
			for (const id of [submitted, viewed]) {
				await service.control.advance(60);
				service.control.setStatus(id, 'Delayed');
			}
			const read = async (parameters: object) => await run(`${resource}.getMany`, parameters);
			const all = await read({ returnAll: true });
			expect(all.length).toBeGreaterThan(5);
			expect(await read({ limit: 5 })).toEqual(all.slice(0, 5));
			expect(await read({ limit: 5, sort: { sortDirection: 'Asc' } })).not.toEqual(all.slice(0, 5));
			if (resource === 'proposal') expect(all[0]).toMatchObject({ proposalId: viewed });
		},
	);

	it('assigns the client, the site and its tax', async () => {
		const proposalId = seed.proposals.empty;
		const { withPrimary: contactId } = seed.contacts;
		const assigned = await run('proposal.assignContact', { proposalId, contactId });
		expect(assigned).toEqual([{ success: true, proposalId, contactId }]);
		const { withPrimary: locationId } = seed.locations;
		const [simple] = await run('proposal.assignLocation', { proposalId, locationId });
		expect(simple).toEqual(flat(proposalId));
		const { customer, financialSummary } = service.control.proposal(proposalId);
		expect(customer).toMatchObject({ id: contactId, location: { id: locationId } });
		expect(financialSummary).toHaveProperty('salesTax.taxStatus');
	});
});

describe('proposal.create whose contact or location is not assigned as it should be', () => {
	const { company: contactId } = seed.contacts;
	const create = async (additionalFields: object, more: object = {}) =>
		await run('proposal.create', {
			salesPersonId: seed.users.salesJordan,
			additionalFields,
			...more,
		});
	const newest = () => Number(service.control.proposals().at(-1)!.id);

	// test/faults has the contact that fails, by every fault.
	it('names the proposal that exists, and what of it was set', async () => {
		const before = service.control.proposals().length;
		const error = await create({ contactId, locationId: 99999999 }).catch((reason) => reason);
		expect(service.control.proposals()).toHaveLength(before + 1);
		expect(error).toMatchObject({
			message: `The proposal was created with the ID ${newest()}, but not completed: No record found with this ID`,
			description: expect.stringContaining("Set: 'Contact'. Failed: 'Location'."),
			httpCode: '404',
			context: { itemIndex: 0 },
		});
	});
});

it('points a custom API call to the HTTP Request node', async () => {
	await expect(run('proposal.__CUSTOM_API_CALL__')).rejects.toThrow(
		'Use the HTTP Request node for custom API calls',
	);
});
