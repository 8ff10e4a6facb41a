/** What the resource locators of the node list. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed, startService } from './account.mts';
import { listChoices, type StoredCredential } from './harness.mts';

let service: Awaited<ReturnType<typeof startService>>;
let credential: StoredCredential;
beforeAll(async () => {
	service = await startService();
	credential = service.credential();
});
afterAll(async () => await service.simulator.stop());

const choices = async (method: string, filter?: string, token?: string, parameters = {}) =>
	await listChoices({ credential, parameters }, method, filter, token);

describe('the list of', () => {
	it('proposals: searched by the service, with number, name and status', async () => {
		const { name, number } = service.control.proposal(seed.proposals.staleTheatre);
		expect((await choices('searchProposals', String(number))).results).toContainEqual({
			name: `${number} ${name} (Draft)`,
			value: seed.proposals.staleTheatre,
		});
	});

	it('proposals: page by page, each once', async () => {
		// As many as two pages and a half hold.
		for (let count = 0; count < 110; count++) {
			service.control.sql(
				`INSERT INTO proposals (account_id, number, name, sales_person_id, created_date,
				 last_modified_date, last_modified_by_user_date, last_modified_user_id)
				 SELECT account_id, 90000 + ?, name, sales_person_id, created_date, last_modified_date,
				 last_modified_by_user_date, last_modified_user_id FROM proposals WHERE id = ?`,
				count,
				seed.proposals.empty,
			);
		}
		const found: unknown[] = [];
		let token: string | undefined;
		do {
			const page = await choices('searchProposals', '', token);
			found.push(...page.results.map(({ value }) => value));
			token = page.paginationToken as string | undefined;
		} while (token !== undefined);
		expect(found.length).toBeGreaterThan(110);
		expect(new Set(found).size).toBe(found.length);
	});

	it('contacts: by text', async () => {
		const [person] = service.control.sql('SELECT * FROM people WHERE account_id = 11 LIMIT 1');
		const { results } = await choices('searchContacts', String(person!.contact_email));
		expect(results).toHaveLength(1);
		expect(results[0]!.value).toBe(person!.id);
		expect(results[0]!.name).toContain(String(person!.contact_email));
	});

	it('salespeople: the active users, narrowed by text', async () => {
		const all = (await choices('searchSalespeople')).results.map(({ value }) => value);
		expect(all).toContain(seed.users.salesPriya);
		expect(all).not.toContain(seed.users.inactive);
		expect(await choices('searchSalespeople', 'pRIya')).toEqual({
			results: [{ name: 'Priya Raman (priya@cedarandcoil.example)', value: seed.users.salesPriya }],
		});
	});

	it('locations: of the customer of the proposal, and a hint where there is none', async () => {
		const of = (proposalId: number | string) =>
			choices('searchProposalLocations', undefined, undefined, {
				resource: 'proposal',
				operation: 'assignLocation',
				proposalId: { __rl: true, mode: 'id', value: proposalId },
			});
		const { customer } = service.control.proposal(seed.proposals.staleTheatre);
		const locations = service.control.sql(
			'SELECT id FROM locations WHERE person_id = ?',
			customer.id,
		);
		expect(
			(await of(seed.proposals.staleTheatre)).results.map(({ value }) => value).sort(),
		).toEqual(locations.map(({ id }) => id).sort());
		await expect(of('')).rejects.toThrow("Choose the 'Proposal' first");
		await expect(of(seed.proposals.empty)).rejects.toThrow(
			'Assign a contact to the proposal first',
		);
	});
});
