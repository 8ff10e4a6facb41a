/** Tests reading the catalog, whose favorites can be in a separate list. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { readPagedList } from '../../client/lists.ts';
import { catalogList } from '../../nodes/PortalIo/resources/catalog.ts';
import { recordingSession } from './playedSession.mts';

describe('a page of the catalog', () => {
	const list = catalogList({});
	const records = list.records as (response: IDataObject) => IDataObject[];
	const uncounted = list.uncounted!;

	it('gives each catalog item its type', () => {
		const page = { items: [{ id: 1 }], labors: [{ id: 3 }] };
		expect(records(page)).toEqual([
			{ id: 1, itemType: 'Part' },
			{ id: 3, itemType: 'Labor' },
		]);
		expect(records({ Items: [{ id: 1 }] })).toEqual([{ id: 1, itemType: 'Part' }]);
	});

	it('does not count favorites', () => {
		const page = { items: [{ id: 1 }], favoriteItems: [{ id: 2 }] };
		expect(records(page)).toMatchObject([{ id: 1 }]);
		expect(uncounted(page)).toEqual([{ id: 2, itemType: 'Part' }]);
	});

	it('is rejected if the list of items is missing, unless its count is 0', () => {
		expect(records({ totalItemCount: 0 })).toEqual([]);
		expect(() => records({ totalItemCount: 2 })).toThrow("did not return the list 'items'");
	});
});

describe('a search for favorites', () => {
	const listed = Array.from({ length: 250 }, (_, index) => ({ id: index + 1 }));
	const pageOf = (query: URLSearchParams) => {
		const [number, size] = [query.get('PageNumber'), query.get('PageSize')].map(Number);
		return listed.slice((number! - 1) * size!, number! * size!);
	};

	it.each<[string, (query: URLSearchParams) => object]>([
		['as items', (query) => ({ items: pageOf(query), totalItemCount: 250 })],
		[
			'in their own list',
			(query) => ({
				items: [],
				totalItemCount: 0,
				favoriteItems: pageOf(query),
				favoriteItemCount: 250,
			}),
		],
		[
			'as items, and in their own list',
			(query) => ({
				items: pageOf(query),
				totalItemCount: 250,
				favoriteItems: pageOf(query),
				favoriteItemCount: 250,
			}),
		],
		[
			'as items, and all of them with each page',
			(query) => ({
				items: pageOf(query),
				totalItemCount: 250,
				favoriteItems: listed,
				favoriteItemCount: 250,
			}),
		],
		[
			'as items, with an empty list of their own',
			(query) => ({
				items: pageOf(query),
				totalItemCount: 250,
				favoriteItems: [],
				favoriteItemCount: 300,
			}),
		],
	])(
		'returns each of 250 favorites exactly once if Portal.io returns them %s',
		async (_, respond) => {
			const { session } = recordingSession(respond);
			const { records } = await readPagedList(session, catalogList({ isFavorite: true }));
			expect(records.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
		},
	);
});
