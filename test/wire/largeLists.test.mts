/** Tests lists that Portal.io might return only in part, such as two million catalog items. */
import { beforeEach, describe, expect, it } from 'vitest';
import { by, restoredService, seed } from './account.mts';

/** Service whose list of contacts includes dates, without which contacts cannot be polled. */
const service = restoredService({ listedContacts: 'full' });
const { count, run } = service;
const SIMILAR = 2_000_000;
type WindowEnd = 'empty' | 'error' | 'uncounted';
const ENDS: WindowEnd[] = ['empty', 'error', 'uncounted'];
/** Makes the catalog use a search engine that returns a thousand of two million parts. */
const useEngine = (windowEnd: WindowEnd = 'empty') => {
	service.control.setSimilarParts(SIMILAR);
	service.control.setPaging({ window: 1000, windowEnd });
};
beforeEach(() => {
	service.control.setSimilarParts(0);
	service.control.setPaging({});
});

const inCatalog = (type: string) => {
	const accountId = type === 'Part' ? null : seed.accounts.dealer;
	const where = { item_type: type, is_discontinued: 0, account_id: accountId };
	return service.control.rows('catalog_items', where);
};
const onlyParts = { filters: { itemType: 'Part' } };
const firstPages = (operationId: string) =>
	service
		.requestsOf(operationId)
		.filter(({ query }) => new URLSearchParams(query).get('PageNumber') === '1');
const addContacts = (many: number) =>
	Array.from({ length: many }, (_, index) => service.control.addContact(`Guest ${index}`));

describe('Return All', () => {
	it.each(ENDS)('reports how many of two million parts could be read: %s', async (end) => {
		useEngine(end);
		const total = (SIMILAR + inCatalog('Part').length).toLocaleString('en-US');
		await expect(run('catalog.search', { returnAll: true, ...onlyParts })).rejects.toMatchObject({
			message: `Only 1,000 of ${total} records could be read`,
			description: expect.stringContaining('Narrow the search'),
		});
		expect(firstPages('catalog.search')).toHaveLength(3);
	});

	it('sends the error about an incomplete list to the error output', async () => {
		useEngine();
		const { outputs } = await service.workflow(
			'catalog.search',
			{ returnAll: true, filters: { itemType: '={{ $json.type }}' } },
			{
				items: [{ type: 'Part' }, { type: 'Labor' }],
				settings: { onError: 'continueErrorOutput' },
			},
		);
		expect(outputs[0]).toHaveLength(inCatalog('Labor').length);
		expect(outputs[1]).toMatchObject([
			{ json: { error: expect.stringContaining('Only 1,000 of') } },
		]);
	});

	it('returns all parts of a search that is narrowed by filters', async () => {
		useEngine();
		const filters = { itemType: 'Part', isFavorite: true };
		const favorites = service.control.rows('catalog_marks', {
			account_id: seed.accounts.dealer,
			is_favorite: 1,
		});
		const ids = (await run('catalog.search', { returnAll: true, filters })).map(
			({ catalogItemId }) => catalogItemId,
		);
		expect(ids.sort()).toEqual(favorites.map((mark) => mark.item_id).sort());
	});

	it.each([150, -7])(
		'returns 1,500 parts even if the count drifts by %i with each page',
		async (countDrift) => {
			service.control.setSimilarParts(1500 - inCatalog('Part').length);
			service.control.setPaging({ countDrift });
			const found = await run('catalog.search', { returnAll: true, ...onlyParts });
			expect(new Set(found.map(({ catalogItemId }) => catalogItemId)).size).toBe(1500);
			expect(found).toHaveLength(1500);
		},
	);

	it.each([
		['catalog.search', onlyParts],
		['contact.getMany', {}],
		['proposal.getMany', {}],
	])('returns all of %s even if its pages are smaller than requested', async (name, more) => {
		const parameters = { returnAll: true, ...more };
		const all = await run(name, parameters);
		service.control.setPaging({ largestPage: 3 });
		expect(await run(name, parameters)).toEqual(all);
	});

	it.each([
		['one page', 0, { firstPage: 0 }, 0],
		['several pages', 250, { firstPage: 0 }, 170],
		['one page', 0, { ignoresPageNumber: true }, undefined],
		['several pages', 250, { ignoresPageNumber: true }, 100],
	])(
		'returns all records or reports how many could be read: %s, %i added, %j',
		async (_what, more, paging, expected) => {
			addContacts(more);
			const all = service.control
				.contacts()
				.filter((contact) => contact.account_id === seed.accounts.dealer).length;
			service.control.setPaging(paging);
			const reading = run('contact.getMany', { returnAll: true });
			if (expected === undefined) return expect(await reading).toHaveLength(all);
			// In the last pass, pages have 80 records, and only the records on the first page are missing.
			const read = expected === 170 ? all - 80 : expected;
			await expect(reading).rejects.toThrow(`Only ${read} of ${all} records could be read`);
		},
	);
});

describe('Limit', () => {
	const hintsOf = async (parameters: object) =>
		(await service.workflow('catalog.search', { returnAll: false, ...parameters })).hints;
	const types = ['CustomItem', 'Labor', 'Part'];
	const sizeOfAll = () => types.reduce((sum, type) => sum + inCatalog(type).length, 0);

	it('counts the items in all lists of the catalog for its hint', async () => {
		service.control.setSimilarParts(460);
		const total = sizeOfAll() + 460;
		const customItems = inCatalog('CustomItem').length;
		for (const limit of [1, customItems, customItems + 1, 100]) {
			expect(await hintsOf({ limit })).toEqual([
				`${limit} of ${total} items. Turn on 'Return All'.`,
			]);
		}
		expect(await hintsOf({ limit: total })).toEqual([]);
	});

	it('suggests narrowing a search that might have more matches than Portal.io shows', async () => {
		useEngine();
		const total = (SIMILAR + inCatalog('Part').length).toLocaleString('en-US');
		const advice =
			"Narrow the search, because 'Return All' fails if Portal.io does not show all of them.";
		service.control.clearRequests();
		expect(await hintsOf({ limit: 50, ...onlyParts })).toEqual([`50 of ${total} items. ${advice}`]);
		expect(count('catalog.search')).toBe(1);
	});

	it.each(ENDS)('returns the parts that can be read, and a hint: %s', async (end) => {
		useEngine(end);
		const limited = { returnAll: false, limit: 1500, ...onlyParts };
		const { outputs, hints } = await service.workflow('catalog.search', limited);
		expect(outputs[0]).toHaveLength(1000);
		expect(hints).toEqual([expect.stringMatching(/^1,000 of 2,000,\d+ items\. Narrow the search/)]);
	});

	it('fails if fewer records than the count can be read', async () => {
		addContacts(250);
		service.control.setPaging({ firstPage: 0 });
		await expect(run('contact.getMany', { limit: 5000 })).rejects.toThrow(
			/^Only \d+ of \d+ records/,
		);
	});
});

describe('a lookup', () => {
	const { staleTheater } = seed.proposals;
	const part = () => inCatalog('Part').find(({ model }) => model === 'LX65')!;
	const replaceBy = async (model: string) => {
		const itemId = Number(service.control.items(staleTheater)[0]!.id);
		const catalogItemId = by('model', model);
		await run('item.replace', { proposalId: staleTheater, itemId, catalogItemId });
		return service.control.items(staleTheater).find(({ id }) => id === itemId)!.referenced_item_id;
	};

	it.each(ENDS)(
		'finds a part by brand and model among two million similar ones: %s',
		async (end) => {
			useEngine(end);
			expect(await replaceBy(`${String(part().brand)} LX65`)).toBe(part().id);
		},
	);

	it('requires the brand if a search for a model has more than 500 results', async () => {
		useEngine();
		await expect(replaceBy('LX65')).rejects.toThrow(
			"'Catalog Item' is too general: a search for 'LX65' finds more than 500 items. Add the brand before the model",
		);
		expect(service.changes()).toEqual([]);
	});

	it('finds a part by its model if it can read all of the similar ones', async () => {
		service.control.setSimilarParts(450);
		expect(await replaceBy('lx 65')).toBe(part().id);
	});

	it('fails if not all of the similar parts can be read', async () => {
		service.control.setSimilarParts(450);
		service.control.setPaging({ window: 100 });
		await expect(replaceBy('LX65')).rejects.toMatchObject({
			message: 'Only 100 of 451 records could be read',
			description: expect.stringContaining(
				"The search for 'LX65' has too many results. Enter the ID",
			),
		});
		expect(service.changes()).toEqual([]);
	});

	it("fails for a proposal's number if the list of proposals is incomplete", async () => {
		service.control.addProposals(150, { like: seed.proposals.empty });
		service.control.setPaging({ window: 100 });
		const proposalId = by('number', '1');
		await expect(run('proposal.get', { proposalId })).rejects.toMatchObject({
			message: expect.stringMatching(/^Only 100 of \d+ records could be read$/),
			description: expect.stringContaining("The search for '1' has too many results."),
		});
	});

	it('creates no contact if the list of contacts is incomplete', async () => {
		addContacts(150);
		service.control.update(
			'people',
			{ first_name: 'Guest 149' },
			{ contactEmail: 'it@example.com' },
		);
		const { id } = service.control.contacts().at(-1)!;
		service.control.update(
			'people',
			{ account_id: seed.accounts.dealer },
			{ contactEmail: 'it@example.com' },
		);
		service.control.setPaging({ window: 100 });
		const contact = { partyType: 'Person', contactType: 'Client', firstName: 'Newly' };
		const creating = run('contact.create', {
			...contact,
			additionalFields: { contactEmail: 'it@example.com' },
			options: { reuseExisting: true },
		});
		await expect(creating).rejects.toThrow(/^Only 100 of \d+ records could be read$/);
		expect(service.control.contacts().at(-1)!.id).toBe(id);
	});
});

describe('a poll', () => {
	const reads = [
		['a window', { window: 100, windowEnd: 'empty' }, 150],
		['a window with an error behind it', { window: 100, windowEnd: 'error' }, 150],
		['a window without a count behind it', { window: 100, windowEnd: 'uncounted' }, 150],
		['pages from 0', { firstPage: 0 }, 3],
		['an ignored page number', { ignoresPageNumber: true }, 150],
	] as const;

	it.each(reads)(
		'reports every change after a poll failed because of %s',
		async (_what, paging, many) => {
			const node = service.polling('contactCreatedOrUpdated');
			await node.poll();
			await service.control.advance(1);
			const ids = addContacts(many);
			service.control.setPaging(paging);
			await expect(node.poll()).rejects.toThrow(/^Only \d+ of \d+ records could be read$/);
			service.control.setPaging({});
			expect((await node.poll())!.map(({ contactId }) => contactId).sort()).toEqual(ids);
		},
	);

	it('reads pages that are smaller than requested', async () => {
		const node = service.polling('contactCreatedOrUpdated');
		await node.poll();
		await service.control.advance(1);
		const ids = addContacts(30);
		service.control.setPaging({ largestPage: 4 });
		expect((await node.poll())!.map(({ contactId }) => contactId).sort()).toEqual(ids);
	});
});
