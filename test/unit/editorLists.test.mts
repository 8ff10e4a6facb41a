/** Tests the editor's lists with handwritten responses. */
import { expect, it, vi } from 'vitest';
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { listSearch, loadOptions } from '../../nodes/PortalIo/editor/lists.ts';
import { playedSession } from './playedSession.mts';

/** Returns a context in which every field above the list has the value 7. */
const contextOf = (response: object) =>
	playedSession(() => response, { getCurrentNodeParameter: () => 7, getTimezone: () => 'UTC' })
		.context;

it.each([
	['contacts', listSearch.searchContacts, { peopleCount: 0 }],
	['users', listSearch.searchSalespeople, { usersCount: 0 }],
	['locations', listSearch.searchContactLocations, { locationCount: 0 }],
	[
		'contacts, even if the count is 1,000',
		listSearch.searchContacts,
		{ people: [], peopleCount: 1000 },
	],
])('returns an empty list for an account without %s', async (_, search, response) => {
	expect(await search.call(contextOf(response))).toEqual({ results: [] });
});

it.each(['getItems', 'getAreaOptions'] as const)(
	'lists nothing in %s before a proposal is chosen, even without a credential',
	async (method) => {
		const context = {
			getCurrentNodeParameter: () => ({ __rl: true, mode: 'list', value: '' }),
			getCredentials: async () => await Promise.reject(new Error('No credential')),
		} as Partial<ILoadOptionsFunctions> as ILoadOptionsFunctions;
		expect(await loadOptions[method].call(context)).toEqual([]);
	},
);

it('searches for all words, even single characters', async () => {
	const respond = vi.fn((_url: string) => ({ people: [], peopleCount: 0, items: [] }));
	const { context } = playedSession(({ url }) => respond(url), {
		getCurrentNodeParameter: vi.fn(),
	});
	await listSearch.searchCatalog.call(context, 'Sonos "Amp" 2');
	await listSearch.searchContacts.call(context, '(7)');
	const urls = respond.mock.calls.map(([url]) => url);
	expect(urls[0]).toContain('SearchText=Sonos%20Amp%202&');
	expect(urls.at(-1)).toContain('SearchText=7&');
});

it.each([
	['people', listSearch.searchContacts],
	['proposals', listSearch.searchProposals],
	['users', listSearch.searchSalespeople],
	['subscriptions', listSearch.searchSubscriptions],
	['contactLocations', listSearch.searchContactLocations],
	['suppliers', listSearch.searchSuppliers],
	['changeOrders', listSearch.searchChangeOrders],
	['items', listSearch.searchContent],
])('reads %s, regardless of other lists in the response', async (name, search) => {
	const response = { [name]: [{ id: 1 }], others: [] };
	expect((await search.call(contextOf(response))).results).toHaveLength(1);
});

it('marks disabled subscriptions', async () => {
	const subscription = { subscriptionId: 1, url: 'https://x', events: ['a'] };
	const subscriptions = [true, false].map((enabled) => ({ ...subscription, enabled }));
	const { results } = await listSearch.searchSubscriptions.call(contextOf({ subscriptions }));
	expect(results.map(({ name }) => name)).toEqual(['a – https://x', 'a – https://x – disabled']);
});
