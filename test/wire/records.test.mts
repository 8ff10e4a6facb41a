/** Tests outputs that differ from the response. */
import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const { respond, run, sent } = service;
const { empty, staleTheater, staleWholeHome, submitted, viewed } = seed.proposals;
const idsOf = (records: { id?: unknown }[]) => records.map(({ id }) => id);

describe('webhook subscriptions', () => {
	it('returns the secret of a subscription only when it is created', async () => {
		const url = 'https://receiver.example.com/portal?x=1&y=2';
		const events = ['proposal.status_changed', 'proposal.build.status_update'];
		const [created] = await run('webhookSubscription.create', { url, events, description: 'Mine' });
		const [stored] = service.control.subscriptions();
		expect(created).toMatchObject({ url, description: 'Mine', enabled: true, events });
		expect(created!.secretKey).toBe(stored!.secret_key);
		const { subscriptionId } = created!;
		const updateFields = { enabled: false, events: [events[0]!] };
		const updated = await run('webhookSubscription.update', { subscriptionId, updateFields });
		expect(updated).toMatchObject([{ url, enabled: false, events: [events[0]] }]);
		const listed = await run('webhookSubscription.getMany');
		expect(listed).toMatchObject([{ subscriptionId, enabled: false }]);
		expect(JSON.stringify([updated, listed])).not.toContain(stored!.secret_key);
	});

	it('rejects an empty description of a subscription', async () => {
		const given = { subscriptionId: 401, updateFields: { enabled: false, description: '' } };
		await expect(run('webhookSubscription.update', given)).rejects.toThrow(
			"'Description' must not be empty",
		);
		expect(sent()).toEqual([]);
	});
});

describe('proposals', () => {
	it.each(['item.getMany', 'area.getMany', 'payment.getMany', 'aiContent.getMany'])(
		'returns no records for an empty proposal: %s',
		async (name) => expect(await run(name, { proposalId: empty })).toEqual([]),
	);

	it('refers a custom API call to the HTTP Request node', async () => {
		await expect(run('proposal.__CUSTOM_API_CALL__')).rejects.toThrow(
			'Use the HTTP Request node for custom API calls',
		);
		await expect(run('proposal.print')).rejects.toThrow(
			"The Portal.io node has no operation 'print' for 'proposal'",
		);
	});

	const draft = {
		salesPersonId: seed.users.salesJordan,
		name: 'Lake house',
		options: { reuseEmpty: true },
	};

	it('reuses an empty draft only for the chosen location', async () => {
		const { company: contactId } = seed.contacts;
		const create = async (locationId?: number) => {
			const additionalFields = locationId === undefined ? { contactId } : { contactId, locationId };
			return (await run('proposal.create', { ...draft, additionalFields }))[0]!;
		};
		const { companyThird } = seed.locations;
		const first = await create();
		const third = await create(companyThird);
		expect(third).toMatchObject({ reused: false });
		expect(await create(companyThird)).toMatchObject({ ...third, reused: true });
		expect(third.proposalId).not.toBe(first.proposalId);
	});

	it.each(['proposal', 'contact'])(
		'returns %ss newest first, with and without a limit',
		async (resource) => {
			// Set different dates, because records with equal dates can be in any order. The dates must not have the
			// same order as the numbers or IDs.
			const table = resource === 'proposal' ? 'proposals' : 'people';
			for (const [index, { id }] of service.control.rows(table).entries()) {
				const date = new Date(Date.UTC(2026, 0, 1, 0, (index * 37) % 101)).toISOString();
				service.control.update(table, { id: id! }, { createdDate: date, lastModifiedDate: date });
			}
			for (const id of [submitted, viewed]) {
				await service.control.advance(60);
				service.control.setStatus(id, 'Delayed');
			}
			const read = async (parameters: object) => await run(`${resource}.getMany`, parameters);
			const all = await read({ returnAll: true });
			expect(all.length).toBeGreaterThan(5);
			expect(await read({ limit: 5 })).toEqual(all.slice(0, 5));
			const sort = { sortDirection: 'Asc' };
			expect((await read({ returnAll: true, sort })).at(-1)).toEqual(all[0]);
			if (resource === 'proposal') expect(all[0]).toMatchObject({ proposalId: viewed });
		},
	);
});

describe('Output and Limit', () => {
	it('limits a list that comes in one response', async () => {
		const all = await run('user.getMany', { returnAll: true });
		expect(all.length).toBeGreaterThan(2);
		expect(await run('user.getMany', { limit: 2 })).toEqual(all.slice(0, 2));
	});

	const { withPrimary } = seed.contacts;
	const { mount } = seed.catalogItems;
	const allProposals = { returnAll: true };

	it.each<[name: string, parameters: object, option: string]>([
		['proposal.getMany', allProposals, 'includeDetails'],
		['contact.get', { contactId: withPrimary }, 'includeCounts'],
		['catalog.get', { catalogItemId: mount }, 'extendedDetails'],
	])(
		'reports that the simplified output of %s %j contains nothing from %s',
		async (name, given, option) => {
			const hintsOf = async (more: object) =>
				(await service.workflow(name, { ...given, ...more })).hints;
			const options = { [option]: true };
			expect(await hintsOf({ options })).toEqual([expect.stringContaining("'Output' is '")]);
			expect(await hintsOf({ options, output: 'raw' })).toEqual([]);
			expect(await hintsOf({})).toEqual([]);
		},
	);

	it('reports the number of records beyond Limit in only one hint', async () => {
		const hints = async (parameters: object, name = 'item.getMany') => {
			const items = [{ id: staleTheater }, { id: staleWholeHome }];
			return (await service.workflow(name, { returnAll: false, ...parameters }, { items })).hints;
		};
		const proposalId = '={{ $json.id }}';
		// The first proposal has 6 items. The second one has 3 + 3 + 2 + 5 + 4, but 2 of them are in a declined option.
		const said = "8 of 21 items. Turn on 'Return All'.";
		expect(await hints({ proposalId, limit: 4 })).toEqual([said]);
		expect(await hints({ proposalId, limit: 17 })).toEqual([]);
		expect(await hints({ proposalId, returnAll: true })).toEqual([]);
		// Both input items read the first page of the same list, so its records are counted twice.
		const { length } = await run('contact.getMany', { returnAll: true });
		const ofPages = [`4 of ${2 * length} items. Turn on 'Return All'.`];
		expect(await hints({ limit: 2 }, 'contact.getMany')).toEqual(ofPages);
		const uncounted = { people: [1, 2, 3].map((id) => ({ id })) };
		respond('contact.getMany', uncounted, { times: 2 });
		const ofUncounted = ["4 items, possibly not all. Turn on 'Return All'."];
		expect(await hints({ limit: 2 }, 'contact.getMany')).toEqual(ofUncounted);
	});
});

describe('the catalog', () => {
	/** Returns the dealer's own items of a type or, for parts, all available ones. */
	const ownIds = (type: string) => {
		const accountId = type === 'Part' ? null : seed.accounts.dealer;
		const where = { item_type: type, is_discontinued: 0, account_id: accountId };
		return idsOf(service.control.rows('catalog_items', where)).sort();
	};
	const asked = () => service.control.requests.map(({ query }) => new URLSearchParams(query));
	const typesAsked = () => asked().map((query) => query.get('ItemType'));
	const TYPES = ['CustomItem', 'Labor', 'Part'];

	it('searches custom items, labor, and parts in this order if no type is chosen', async () => {
		const all = await run('catalog.search', { returnAll: true });
		expect([...new Set(typesAsked())]).toEqual(TYPES);
		expect([...new Set(all.map(({ itemType }) => itemType))]).toEqual(TYPES);
		for (const type of TYPES) {
			const found = all.filter(({ itemType }) => itemType === type);
			expect(found.map(({ catalogItemId }) => catalogItemId).sort(), type).toEqual(ownIds(type));
		}
	});

	it('reads only as many catalog items as Limit requires', async () => {
		const customItems = ownIds('CustomItem').length;
		const sizes = () => asked().map((query) => Number(query.get('PageSize')));
		expect(await run('catalog.search', { limit: customItems })).toHaveLength(customItems);
		expect([typesAsked(), sizes()]).toEqual([TYPES, [customItems, 1, 1]]);
		service.control.clearRequests();
		expect(await run('catalog.search', { limit: customItems + 1 })).toHaveLength(customItems + 1);
		expect([typesAsked(), sizes()]).toEqual([TYPES, [customItems + 1, 1, 1]]);
	});

	it.each([
		[{ itemType: 'Labor' }, ['Labor']],
		[{ brands: 'Sonos' }, [null]],
		[{ isInStock: true }, [null]],
		[{ isInStock: false }, TYPES],
		[{ brands: '' }, TYPES],
	])(
		'searches only the lists of the catalog that can contain matches for the filters %j',
		async (filters, types) => {
			await run('catalog.search', { filters });
			expect(typesAsked()).toEqual(types);
		},
	);
});

const create = async (contactEmail: string, items: object[] = [{}], reuseExisting = true) => {
	const contact = { partyType: 'Person', contactType: 'Client', firstName: 'Newly' };
	const given = { ...contact, additionalFields: { contactEmail }, options: { reuseExisting } };
	return await run('contact.create', given, { items: items as never });
};

describe('Reuse Existing Contact', () => {
	const contacts = () => service.control.contacts();
	const existing = () => contacts().find(({ id }) => id === seed.contacts.withPrimary)!;

	it('returns the oldest contact with the email, ignoring case', async () => {
		const email = String(existing().contact_email);
		await create(email, [{}], false);
		const before = contacts().length;
		service.control.clearRequests();
		expect(await create(` ${email.toUpperCase()} `)).toMatchObject([
			{ contactId: existing().id, email, reused: true },
		]);
		expect(sent()).toEqual(['contact.getMany', 'contact.get']);
		expect(contacts()).toHaveLength(before);
	});

	it('finds a contact with spaces around its email', async () => {
		const { id } = existing();
		const imported = { id, contactEmail: ' Nora@example.com ' };
		const people = [{ id: 1, contactEmail: null }, imported];
		respond('contact.getMany', { people, peopleCount: 2 });
		expect(await create('nora@example.com')).toMatchObject([{ contactId: id }]);
	});

	it('creates a contact if only part of an email matches', async () => {
		const before = contacts().length;
		const email = String(existing().contact_email).slice(1);
		expect(await create(email)).toMatchObject([{ firstName: 'Newly', email, reused: false }]);
		expect(contacts()).toHaveLength(before + 1);
	});

	it('creates only one contact for ten input items with the same email', async () => {
		const before = contacts().length;
		const items = Array.from({ length: 10 }, (_, index) => ({
			email: index % 2 ? 'TEN@example.com' : 'ten@example.com',
		}));
		const output = await create('={{ $json.email }}', items);
		expect(new Set(idsOf(output)).size).toBe(1);
		expect(output).toHaveLength(10);
		expect(contacts()).toHaveLength(before + 1);
	});

	it('creates no contact if the response has no list', async () => {
		const before = contacts().length;
		respond('contact.getMany', { ok: true });
		await expect(create('new@example.com')).rejects.toThrow("did not return the list 'people'");
		expect(contacts()).toHaveLength(before);
	});

	it('requires an email', async () => {
		await expect(create('')).rejects.toThrow("'Email' is empty: 'Reuse Existing Contact'");
		expect(service.control.requests).toEqual([]);
	});
});

describe('Reuse Existing Location', () => {
	const contactId = seed.contacts.abroad;
	interface Place {
		street: string;
		city?: string;
		suite?: string;
	}
	const createAll = async (places: Place[]) => {
		const parameters = {
			contactId,
			street: '={{ $json.street }}',
			additionalFields: { city: '={{ $json.city }}', suite: '={{ $json.suite }}' },
			options: { reuseExisting: true },
		};
		return await run('location.create', parameters, { items: places as never });
	};

	it.each<[Place, Place]>([
		[{ street: '12 Juniper Way' }, { street: ' 12  JUNIPER WAY. ' }],
		[
			{ street: "9 St. John's Rd", city: 'Boulder' },
			{ street: '9 St Johns Rd', city: 'boulder' },
		],
		[{ street: '8 Elm St', city: 'Boulder' }, { street: '8 Elm St' }],
		[{ street: '7 Elm St' }, { street: '7 Elm St', suite: 'B' }],
	])('reuses the location %j for %j', async (existing, requested) => {
		const [first, second] = await createAll([existing, requested]);
		expect(first).toMatchObject({ reused: false, contactId });
		expect(second).toEqual({ ...first, reused: true });
	});

	it.each<[Place, Place]>([
		[{ street: '12-1 Oak Way' }, { street: '121 Oak Way' }],
		[
			{ street: '12 Fir Way', city: 'Boulder' },
			{ street: '12 Fir Way', city: 'Denver' },
		],
		[
			{ street: '12 Ash Way', suite: 'A' },
			{ street: '12 Ash Way', suite: 'B' },
		],
		[{ street: '12 Yew Way' }, { street: '12 Yew' }],
		[{ street: '-' }, { street: '?' }],
	])('creates another location instead of reusing %j for %j', async (existing, requested) => {
		const [first, second] = await createAll([existing, requested]);
		expect(second).toMatchObject({ reused: false });
		expect(second!.locationId).not.toBe(first!.locationId);
	});

	it('finds a location that is not on the first page', async () => {
		const streets = Array.from({ length: 120 }, (_, index) => ({ street: `${index} Birch Way` }));
		const all = await createAll(streets);
		const again = await createAll([streets[0]!, streets[119]!]);
		const ids = [again, [all[0]!, all[119]!]].map((locations) =>
			locations.map(({ locationId }) => locationId),
		);
		expect(ids[0]).toEqual(ids[1]);
	});

	it('creates no location if the list cannot be read', async () => {
		respond('location.getMany', { ok: true });
		await expect(createAll([{ street: '1 Unread Way' }])).rejects.toThrow(
			"did not return the list 'contactLocations'",
		);
		expect(sent()).toEqual(['location.getMany']);
	});
});
