/** Tests paged lists against a simulated service. The expected counts were calculated by hand. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { readPages, type PagedList } from '../../client/lists.ts';
import { after, listed, serviceOf, upTo, type Service } from './pagedService.mts';
import { Refusal } from './playedSession.mts';

/** Returns a function that generates pseudorandom numbers from a seed. */
function randomFrom(seed: number) {
	let last = (seed % 2_147_483_646) + 1;
	return { random: () => (last = (last * 48_271) % 2_147_483_647) / 2_147_483_647 };
}

it.each<[count: number, limit: number | undefined, requests: string]>([
	[0, undefined, '1 of 100'],
	[1, undefined, '1 of 100'],
	[99, undefined, '1 of 100'],
	// Expect another request, because a full page is not necessarily the last one.
	[100, undefined, '1 of 100, 2 of 100'],
	[101, undefined, '1 of 100, 2 of 100'],
	[201, undefined, '1 of 100, 2 of 100, 3 of 100'],
	[1700, 1, '1 of 1'],
	[1700, 100, '1 of 100'],
	[1700, 101, '1 of 100, 2 of 100'],
])(
	'reads a list of %i records with the limit %s in pages of these sizes: %s',
	async (count, limit, requests) => {
		const { read, queries } = serviceOf(count);
		const records = listed(limit ?? count);
		expect(await read({ limit })).toEqual({ records, total: count });
		const pages = queries.map((query) => `${query.get('PageNumber')} of ${query.get('PageSize')}`);
		expect(pages.join(', ')).toBe(requests);
	},
);

it('reads five pages at a time after the first page', async () => {
	const { readIds, pages, seen } = serviceOf(1199);
	expect(await readIds()).toEqual(upTo(1199));
	expect([pages, seen.mostOpenRequests]).toEqual([upTo(12), 5]);
});

it('reads a list to its end even if its pages are smaller than requested', async () => {
	const { readIds, pages } = serviceOf(250, { largestPage: 40 });
	expect(await readIds()).toEqual(upTo(250));
	expect(Math.max(...pages)).toBe(7);
});

it('returns uncounted records after all counted ones', async () => {
	const { readIds, pages } = serviceOf(150);
	// Each page repeats two favorites, only one of which is also among the counted records.
	const uncounted = () => [{ id: 1 }, { id: 'favorite' }];
	expect(await readIds({}, { uncounted })).toEqual([...upTo(150), 'favorite']);
	expect(await readIds({ limit: 150 }, { uncounted })).toEqual(upTo(150));
	expect(pages).toEqual([1, 2, 1, 2]);
});

it('reports a missing record even if an uncounted favorite was read', async () => {
	const { readIds } = serviceOf(150, { count: 151 });
	const reading = readIds({}, { uncounted: () => [{ id: 'favorite' }] });
	await expect(reading).rejects.toThrow('Only 150 of 151 records could be read');
});

it('returns records with the same ID but different types', async () => {
	const withId = [{ id: 1, itemType: 'Part' }, { id: 1, itemType: 'Labor' }, { id: 1 }];
	const records = [...withId, { name: 'Den' }, { name: 'Den' }];
	expect((await serviceOf(0, { records }).read()).records).toEqual(records);
});

const filter = { Statuses: ['Draft', 'Lost'] };
const filterText = 'Statuses=Draft&Statuses=Lost';
const sortedByUser = { ...filter, SortBy: 'Name', SortDirection: 'Desc' };
it.each<[string, number | undefined, PagedList['request']['query'], string | undefined, string]>([
	[
		'the stable order, after a filter',
		undefined,
		filter,
		'Date',
		`${filterText}&SortBy=Date&SortDirection=Asc&`,
	],
	['the stable order', undefined, undefined, 'Date', 'SortBy=Date&SortDirection=Asc&'],
	['none if the list has no stable order', undefined, filter, undefined, `${filterText}&`],
	['none with a limit', 101, filter, 'Date', `${filterText}&`],
	[
		'the order that the user chose',
		undefined,
		sortedByUser,
		'Date',
		`${filterText}&SortBy=Name&SortDirection=Desc&`,
	],
])('chooses the sort order of a list: %s', async (_order, limit, query, stableSort, expected) => {
	const { read, queries } = serviceOf(101);
	await read({ limit }, { request: { method: 'GET', path: '/list', query }, stableSort });
	const pages = ['PageNumber=1&PageSize=100', 'PageNumber=2&PageSize=100'];
	expect(queries.map(String)).toEqual(pages.map((page) => expected + page));
});

it.each<[string, (records: IDataObject[]) => void]>([
	['a record is removed', (records) => void records.splice(0, 1)],
	[
		'a record moves from the third page to the first',
		(records) => void records.unshift(...records.splice(220, 1)),
	],
])('returns exactly the records that remain if, during the read, %s', async (_when, move) => {
	const change = (records: IDataObject[]) => pages.length === 2 && move(records);
	const { readIds, pages, service } = serviceOf(250, { change });
	expect(await readIds()).toEqual(service.records.map(({ id }) => id));
	expect(pages).toEqual([1, 2, 3, 1, 2, 3]);
});

it('returns every record or reports how many it read, even if the order changes', async () => {
	const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
	const { random } = randomFrom(seed);
	const shuffle = (records: IDataObject[]) => {
		const places = new Map(records.map((record) => [record, random()]));
		records.sort((a, b) => places.get(a)! - places.get(b)!);
	};
	for (const count of [101, 110, 150, 400]) {
		const change = (records: IDataObject[]) => random() < 0.3 && shuffle(records);
		const service = serviceOf(count, { change });
		const result = await service.readIds().catch((error: Error) => error.message);
		const failure = expect.stringMatching(
			new RegExp(`^Only \\d+ of ${count} records could be read$`),
		);
		const ids = Array.isArray(result) ? result.toSorted((a, b) => Number(a) - Number(b)) : result;
		expect([upTo(count), failure], `seed ${seed}`).toContainEqual(ids);
		const passes = service.pages.filter((page) => page === 1).length;
		expect(passes, `seed ${seed}`).toBeLessThanOrEqual(3);
	}
});

it('does not read a list again if records are added after the ones already read', async () => {
	const { readIds, pages } = serviceOf(250, {
		change: (records, page) => page === 2 && records.push({ id: 251 }),
	});
	expect(await readIds()).toEqual(upTo(251));
	expect(pages).toEqual([1, 2, 3]);
});

it('returns a repeated record only once, in its later version', async () => {
	const { read, pages } = serviceOf(150, {
		change: (records) => {
			const renewed = records.map(({ id }) => ({ id, isNew: true }));
			if (pages.length === 2) records.splice(0, 150, { id: 'new' }, ...renewed);
		},
	});
	const { records } = await read();
	expect(records.map(({ id }) => id)).toEqual(upTo(150));
	expect(records.find(({ id }) => id === 100)).toEqual({ id: 100, isNew: true });
});

it.each<[string, Partial<Service>, number, string]>([
	['the list changes in each of three passes', { change: removeOne }, 250, '247 of 248'],
	['the count is too high', { count: 275 }, 250, '250 of 275'],
	[
		'a record is on two pages',
		{ records: [...listed(100), ...listed(109).slice(99)] },
		0,
		'109 of 110',
	],
	// Each pass misses page 0, which has 100, 90, and then 80 records.
	['pages count from 0', { firstPage: 0 }, 250, '170 of 250'],
	['pages count from 0, and page 0 has all records', { firstPage: 0 }, 50, '0 of 50'],
	['the page number is ignored', { ignoresPageNumber: true }, 250, '100 of 250'],
	[
		'a search engine returns an empty page after its last one',
		{ respond: after(10, { records: [], total: 2e6 }) },
		2000,
		'1,000 of 2,000',
	],
	[
		'a search engine returns the count 0 after its last page',
		{ respond: after(10, { records: [], total: 0 }) },
		2000,
		'1,000 of 2,000',
	],
	[
		'a search engine returns no list after its last page',
		{ respond: after(10, { total: 0 }) },
		2000,
		'1,000 of 2,000',
	],
	[
		'a search engine returns an error after its last page',
		{ respond: after(10, new Refusal(400, 'Too far')) },
		2000,
		'1,000 of 2,000',
	],
])(
	'reports the number of records read and the total when %s',
	async (_when, service, count, said) => {
		const { read, pages } = serviceOf(count, service);
		await expect(read()).rejects.toMatchObject({
			message: `Only ${said} records could be read`,
			advice: [
				"Narrow the search, or use 'Limit' instead of 'Return All'.",
				'If the list changed while it was being read, try again in a moment.',
			],
		});
		expect(pages.filter((page) => page === 1)).toHaveLength(3);
	},
);

/** Removes the first record between the first two pages, so another record moves to the first page. */
function removeOne(records: IDataObject[], page: number) {
	if (page === 2) records.shift();
}

it.each<[number, number, string?]>([
	// On a later page, status 400 means that a search engine has no more records to return.
	[400, 1, 'Too far'],
	[400, 2],
	[403, 2, 'Not yours'],
	[403, 3, 'Not yours'],
])('fails with the status %i of page %i', async (status, failingPage, message) => {
	const { read } = serviceOf(250, {
		respond: (page) => (page === failingPage ? new Refusal(status, message) : undefined),
	});
	await expect(read()).rejects.toMatchObject({ facts: { status: String(status) } });
});

it.each([600, 1400, 1500])(
	'returns all 1,500 records even if the first page reports a count of %i and later pages report a higher one',
	async (firstCount) => {
		const { readIds, service, pages } = serviceOf(1500, {
			change: (_records, page) => (service.count = firstCount + 100 * (page - 1)),
		});
		expect(await readIds()).toEqual(upTo(1500));
		expect(pages).toContain(16);
	},
);

it.each<[string, Partial<Service>, number, number]>([
	['what a search engine shows', { respond: after(10, { records: [], total: 0 }) }, 1500, 1000],
	['the first page, if Portal.io ignores the page number', { ignoresPageNumber: true }, 1500, 100],
])(
	'returns the readable records if the limit is lower than the count: %s',
	async (_what, service, limit, count) => {
		const { read } = serviceOf(2000, service);
		const { records, total } = await read({ limit });
		expect([records.length, total]).toEqual([count, 2000]);
	},
);

describe('pages that overlap in the same way each time, because many records have the same sort value', () => {
	/** Returns a page whose last record is also the first record of the next page. */
	const overlapping = (records: IDataObject[], page: number, size: number) => {
		const [start, end] = [(page - 1) * size, page * size];
		const shown = records.slice(start, end);
		if (records[end] !== undefined) shown[size - 1] = records[end];
		return { records: shown, total: records.length };
	};

	it('returns the records from all passes', async () => {
		const records = listed(250);
		const { readIds, pages } = serviceOf(0, {
			respond: (page, size) => overlapping(records, page, size),
		});
		expect((await readIds()).toSorted((a, b) => Number(a) - Number(b))).toEqual(upTo(250));
		expect(pages.filter((page) => page === 1)).toHaveLength(2);
	});

	it.each([
		['during the first pass', 2, 100],
		['between the first two passes', 1, 90],
	])('drops a record that has left the list %s', async (_when, pageNumber, pageSize) => {
		const records = listed(250);
		const { readIds, pages } = serviceOf(0, {
			respond: (page, size) => {
				if (page === pageNumber && size === pageSize) records.splice(4, 1);
				return overlapping(records, page, size);
			},
		});
		const ids = upTo(250).filter((id) => id !== 5);
		expect((await readIds()).toSorted((a, b) => Number(a) - Number(b))).toEqual(ids);
		expect(pages.filter((page) => page === 1)).toHaveLength(3);
	});
});

describe('readPages', () => {
	it('requests the next pages while one is processed', async () => {
		const { session, list, pages } = serviceOf(1199);
		const reading = readPages(session, list);
		const readOne = async () => {
			await reading.next();
			for (let cycle = 0; cycle < 5; cycle++) await new Promise(setImmediate);
			return pages.length;
		};
		// While one page is processed, the next four are in memory or being requested.
		expect([await readOne(), await readOne(), await readOne(), await readOne()]).toEqual([
			1, 6, 7, 8,
		]);
		await reading.return();
	});

	it('ends when the requested pages have arrived or failed', async () => {
		const forbidden = new Refusal(403, 'Not yours');
		const { session, list, seen } = serviceOf(1199, {
			respond: (page) => (page === 3 ? forbidden : undefined),
		});
		for await (const { records } of readPages<IDataObject>(session, list)) {
			if (records[0]!.id === 101) break;
		}
		expect(seen.openRequests).toBe(0);
	});
});

it('reports how many of all records were read if the limit is higher than the count', async () => {
	const reading = serviceOf(250, { firstPage: 0 }).read({ limit: 300 });
	await expect(reading).rejects.toThrow('Only 170 of 250 records could be read');
});

it('fails after three passes in which every page is the same', async () => {
	const service = serviceOf(100, { count: 1_000_000, ignoresPageNumber: true });
	await expect(service.read()).rejects.toThrow('Only 100 of 1,000,000 records could be read');
	// Each pass sends six requests: one for the first page, then five at the same time, which return the same page
	// again.
	expect(service.queries).toHaveLength(3 * 6);
});

it.each<[string, number, number | undefined, Partial<Service>, number[]]>([
	['a short page', 250, undefined, {}, [1, 2, 3]],
	['an empty page', 200, undefined, {}, [1, 2, 3]],
	['the limit', 250, 150, {}, [1, 2]],
	[
		'a page that is shorter than the others, if pages are smaller than requested',
		100,
		undefined,
		{ largestPage: 40 },
		[1, 2, 3],
	],
	[
		'a repeated page from a service without paging',
		3,
		undefined,
		{ ignoresPageNumber: true },
		[1, 2],
	],
])(
	'reads a list without a count page by page up to %s',
	async (_what, count, limit, more, expected) => {
		const { read, pages, seen } = serviceOf(count, { count: undefined, ...more });
		const { records, total } = await read({ limit });
		expect(records).toEqual(listed(limit ?? count));
		expect(total).toBe(limit === undefined ? count : Infinity);
		expect([pages, seen.mostOpenRequests]).toEqual([expected, 1]);
	},
);

it('fails without a count if a full page repeats', async () => {
	const { read } = serviceOf(250, { count: undefined, ignoresPageNumber: true });
	await expect(read()).rejects.toThrow(
		'Only 100 records could be read, and Portal.io did not report a total',
	);
});

it.each<[unknown, number]>([
	[0, 0],
	['7', 7],
	[-1, Infinity],
	['many', Infinity],
	[null, Infinity],
	[undefined, Infinity],
])('reads the count %j as %d', async (count, total) => {
	const { session, list } = serviceOf(3, { count });
	const { value: page } = await readPages(session, list, { firstPage: 2, pageSize: 2 }).next();
	expect(page).toEqual({ records: [{ id: 3 }], total, uncounted: [] });
});
