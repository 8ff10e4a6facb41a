import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;

describe('contact', () => {
	describe('create with Reuse Existing Contact', () => {
		const withEmail = (contactEmail: unknown, more: object = {}) => ({
			partyType: 'Person',
			contactType: 'Client',
			firstName: 'Newly',
			additionalFields: { contactEmail },
			options: { reuseExisting: true },
			...more,
		});
		const sent = () => service.control.requests.map(({ operationId }) => operationId);
		const existing = () =>
			service.control.contacts().find(({ id }) => id === seed.contacts.withPrimary)!;
		const count = () => service.control.contacts().length;

		it('returns the oldest of several contacts with the email', async () => {
			const contactEmail = 'twice@example.com';
			const create = { ...withEmail(contactEmail), options: {} };
			const [first] = await run('contact.create', create);
			await run('contact.create', create);
			expect((await run('contact.create', withEmail(contactEmail)))[0]!.id).toBe(first!.id);
		});

		it('returns a contact that was imported with blanks around its email', async () => {
			const { id } = existing();
			const people = [
				{ id: 1, contactEmail: null },
				{ id, contactEmail: ' Nora@example.com ' },
			];
			const body = { people, peopleCount: 2 };
			service.control.failNext({ operationId: 'contact.getMany', status: 200, body });
			expect(await run('contact.create', withEmail('nora@example.com'))).toMatchObject([{ id }]);
		});

		it('creates no contact when the service does not say which contacts there are', async () => {
			const before = count();
			service.control.failNext({
				operationId: 'contact.getMany',
				status: 200,
				body: { ok: true },
				times: 9,
			});
			await expect(run('contact.create', withEmail('new@example.com'))).rejects.toThrow(
				"Unexpected response: Portal.io did not return the list 'people'",
			);
			service.control.clearFaults();
			expect(count()).toBe(before);
		});

		it('returns the contact with the same email in other letter case, and creates none', async () => {
			const email = String(existing().contact_email);
			const before = count();
			for (const given of [email, email.toUpperCase(), ` ${email} `]) {
				service.control.clearRequests();
				const [found] = await run('contact.create', withEmail(given));
				expect(found).toMatchObject({ id: existing().id, email });
				expect(sent()).toEqual(['contact.getMany', 'contact.get']);
			}
			const [full] = await run('contact.create', withEmail(email, { simplify: false }));
			const [read] = await run('contact.get', { contactId: existing().id, simplify: false });
			expect(full).toEqual(read);
			expect(count()).toBe(before);
		});

		it('creates a contact where only a part of an email or another field is the same', async () => {
			const email = String(existing().contact_email);
			const before = count();
			const [created] = await run('contact.create', withEmail(email.slice(1)));
			expect(created!.id).not.toBe(existing().id);
			expect(created).toMatchObject({ firstName: 'Newly', email: email.slice(1) });
			expect(count()).toBe(before + 1);
		});

		it('creates one contact for ten inputs with the same email', async () => {
			const before = count();
			const gate = service.control.hold('contact.getMany');
			const running = run('contact.create', withEmail('={{ $json.email }}'), {
				items: Array.from({ length: 10 }, (_, index) => ({
					email: index % 2 ? 'TEN@example.com' : 'ten@example.com',
				})),
			});
			await gate.arrived(1);
			gate.release();
			const output = await running;
			expect(output).toHaveLength(10);
			expect(new Set(output.map(({ id }) => id)).size).toBe(1);
			expect(count()).toBe(before + 1);
		});

		it('refuses to reuse a contact without an email, and sends nothing', async () => {
			service.control.clearRequests();
			const message = "'Email' is empty: 'Reuse Existing Contact' finds a contact by its email";
			await expect(run('contact.create', withEmail(''))).rejects.toThrow(message);
			const without = withEmail('', { additionalFields: {} });
			await expect(run('contact.create', without)).rejects.toThrow(message);
			expect(service.control.requests).toEqual([]);
		});
	});

	it('returns all contacts in the order in which it returns a few', async () => {
		const ids = async (parameters: object) =>
			(await run('contact.getMany', parameters)).map(({ id }) => id);
		const newest = await ids({ limit: 100 });
		expect(newest.length).toBeGreaterThan(2);
		expect(await ids({ returnAll: true })).toEqual(newest);
		const sort = { sortDirection: 'Asc' };
		expect(await ids({ returnAll: true, sort })).toEqual(newest.toReversed());
		const named = { sort: { sortBy: 'FirstName', sortDirection: 'Asc' } };
		expect(await ids({ returnAll: true, ...named })).toEqual(await ids({ limit: 100, ...named }));
	});
});
