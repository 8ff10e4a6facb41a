/** Reading a paged list from a service that is played by an array. Every count is worked out by hand. */
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { readNewestFirst, readPage, readPagedList, type PagedList } from '../../client/lists.ts';
import { playedSession, Refusal } from './playedSession.mts';

interface Service {
	records: IDataObject[];
	/** The count in its responses, if not the real number of records. */
	count?: unknown;
	/** The size of its pages at most, whatever is requested. */
	largestPage?: number;
	/** The number of its first page. */
	firstPage?: number;
	ignoresPageNumber?: boolean;
	/** What a page returns in place of its records. */
	respond?: (page: number) => unknown;
	change?: (records: IDataObject[], page: number) => void;
}

const listed = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

function serviceOf(count: number, more: Partial<Service> = {}) {
	const service: Service = { records: listed(count), ...more };
	const asked: URLSearchParams[] = [];
	let open = 0;
	const seen = { asked, pages: [] as number[], mostOpen: 0 };
	const { session } = playedSession(async ({ url }) => {
		seen.mostOpen = Math.max(seen.mostOpen, ++open);
		await new Promise(setImmediate);
		open--;
		const query = new URL(url, 'https://api.example.com').searchParams;
		asked.push(query);
		const page = Number(query.get('PageNumber'));
		seen.pages.push(page);
		service.change?.(service.records, page);
		const { largestPage = Infinity, firstPage = 1, ignoresPageNumber } = service;
		const size = Math.min(Number(query.get('PageSize')), largestPage);
		const start = ignoresPageNumber ? 0 : (page - firstPage) * size;
		const records = service.records.slice(start, start + size);
		const total = 'count' in service ? service.count : service.records.length;
		return service.respond?.(page) ?? { records, total };
	});
	const request = { method: 'GET', path: '/list' } as const;
	const list: PagedList = { request, records: 'records', count: 'total' };
	const read = async (limits: { limit?: number } = {}, changes: Partial<PagedList> = {}) =>
		await readPagedList(session, { ...list, ...changes }, limits);
	const readIds = async (...limits: Parameters<typeof read>) =>
		(await read(...limits)).records.map(({ id }) => id);
	const readNewest = async (isEnough: (times: number[]) => boolean) =>
		(await readNewestFirst<IDataObject>(session, list, ({ time }) => Number(time), isEnough)).map(
			({ id }) => id,
		);
	return { ...seen, seen, service, session, list, read, readIds, readNewest };
}

const upTo = (last: number) => listed(last).map(({ id }) => id);
/** Numbers without a pattern, the same for the same seed. */
function randomFrom(seed: number) {
	let last = (seed % 2_147_483_646) + 1;
	return { random: () => (last = (last * 48_271) % 2_147_483_647) / 2_147_483_647 };
}

it.each<[count: number, limit: number | undefined, requests: string]>([
	[0, undefined, '1 of 100'],
	[1, undefined, '1 of 100'],
	[99, undefined, '1 of 100'],
	// A full page may not be the last one, whatever the service counts.
	[100, undefined, '1 of 100, 2 of 100'],
	[101, undefined, '1 of 100, 2 of 100'],
	[201, undefined, '1 of 100, 2 of 100, 3 of 100'],
	[1700, 1, '1 of 1'],
	[1700, 100, '1 of 100'],
	[1700, 101, '1 of 100, 2 of 100'],
])('reads a list of %i records up to the limit of %s: %s', async (count, limit, requests) => {
	const { read, asked } = serviceOf(count);
	const records = listed(limit ?? count);
	expect(await read({ limit })).toEqual({ records, total: count });
	const pages = asked.map((one) => `${one.get('PageNumber')} of ${one.get('PageSize')}`);
	expect(pages.join(', ')).toBe(requests);
});

it('reads five pages at a time after the first', async () => {
	const { readIds, pages, seen } = serviceOf(1199);
	expect(await readIds()).toEqual(upTo(1199));
	expect([pages, seen.mostOpen]).toEqual([upTo(12), 5]);
});

it('reads smaller pages than requested to the end', async () => {
	const { readIds, pages } = serviceOf(250, { largestPage: 40 });
	expect(await readIds()).toEqual(upTo(250));
	expect(Math.max(...pages)).toBe(7);
});

it('returns the records that are not counted once, behind those that are', async () => {
	const { readIds, pages } = serviceOf(150);
	// Each page repeats a favorite that is counted, and one that is not.
	const uncounted = () => [{ id: 1 }, { id: 'favorite' }];
	expect(await readIds({}, { uncounted })).toEqual([...upTo(150), 'favorite']);
	expect(await readIds({ limit: 150 }, { uncounted })).toEqual(upTo(150));
	expect(pages).toEqual([1, 2, 1, 2]);
});

it('does not count a favorite in place of a missing record', async () => {
	const { readIds } = serviceOf(150, { count: 151 });
	const reading = readIds({}, { uncounted: () => [{ id: 'favorite' }] });
	await expect(reading).rejects.toThrow('Only 150 of 151 records could be read');
});

it('keeps records apart with the same ID of different types, and equal ones without an ID', async () => {
	const withId = [{ id: 1, itemType: 'Part' }, { id: 1, itemType: 'Labor' }, { id: 1 }];
	const records = [...withId, { name: 'Den' }, { name: 'Den' }];
	expect((await serviceOf(0, { records }).read()).records).toEqual(records);
});

const others = 'Statuses=Draft&Statuses=Lost';
const query = { Statuses: ['Draft', 'Lost'] };
const user = { ...query, SortBy: 'Name', SortDirection: 'Desc' };
it.each<[string, number | undefined, PagedList['request']['query'], string | undefined, string]>([
	['stable', undefined, query, 'Date', `${others}&SortBy=Date&SortDirection=Asc&`],
	['stable without others', undefined, undefined, 'Date', 'SortBy=Date&SortDirection=Asc&'],
	['open where none is stable', undefined, query, undefined, `${others}&`],
	['open for the first few records', 101, query, 'Date', `${others}&`],
	['that of the user', undefined, user, 'Date', `${others}&SortBy=Name&SortDirection=Desc&`],
])('sends the order of a list as %s', async (_what, limit, query, stableSort, expected) => {
	const { read, asked } = serviceOf(101);
	await read({ limit }, { request: { method: 'GET', path: '/list', query }, stableSort });
	const pages = ['PageNumber=1&PageSize=100', 'PageNumber=2&PageSize=100'];
	expect(asked.map(String)).toEqual(pages.map((page) => expected + page));
});

it.each<[string, (records: IDataObject[]) => void]>([
	['another one is removed', (records) => void records.splice(0, 1)],
	['the number stays the same', (records) => void records.unshift(...records.splice(220, 1))],
])(
	'loses no record that moves to a page that was read, and returns no removed one: %s',
	async (_when, move) => {
		const change = (records: IDataObject[]) => pages.length === 2 && move(records);
		const { readIds, pages, service } = serviceOf(250, { change });
		expect(await readIds()).toEqual(service.records.map(({ id }) => id));
		expect(pages).toEqual([1, 2, 3, 1, 2, 3]);
	},
);

it('returns every record or says how many, although they change places with each page', async () => {
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
		const said = expect.stringMatching(new RegExp(`^Only \\d+ of ${count} records could be read$`));
		const ids = Array.isArray(result) ? result.toSorted((a, b) => Number(a) - Number(b)) : result;
		expect([upTo(count), said], `seed ${seed}`).toContainEqual(ids);
		expect(service.pages.filter((page) => page === 1).length, `seed ${seed}`).toBeLessThan(4);
	}
});

it('does not read a list again when records were added behind those already read', async () => {
	const { readIds, pages } = serviceOf(250, {
		change: (records, page) => page === 2 && records.push({ id: 251 }),
	});
	expect(await readIds()).toEqual(upTo(251));
	expect(pages).toEqual([1, 2, 3]);
});

it('returns a record once that came twice, as it was read last', async () => {
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
	['the list changes in each of three passes', { change: shift }, 250, '247 of 248'],
	['the count is too high', { count: 275 }, 250, '250 of 275'],
	[
		'a record is on two pages',
		{ records: [...listed(100), ...listed(109).slice(99)] },
		0,
		'109 of 110',
	],
	['pages count from 0', { firstPage: 0 }, 250, '150 of 250'],
	['pages count from 0, and the first one has all', { firstPage: 0 }, 50, '0 of 50'],
	['the page number is ignored', { ignoresPageNumber: true }, 250, '100 of 250'],
	[
		'a page is empty behind a window',
		{ respond: behind(10, { records: [], total: 2e6 }) },
		2000,
		'1,000 of 2,000',
	],
	[
		'the count is 0 behind a window',
		{ respond: behind(10, { records: [], total: 0 }) },
		2000,
		'1,000 of 2,000',
	],
	[
		'there is no list behind a window',
		{ respond: behind(10, { total: 0 }) },
		2000,
		'1,000 of 2,000',
	],
	[
		'a page fails behind a window',
		{ respond: behind(10, new Refusal(400, 'Too far')) },
		2000,
		'1,000 of 2,000',
	],
])('says how many of how many were read when %s', async (_when, service, count, said) => {
	const { read, pages } = serviceOf(count, service);
	await expect(read()).rejects.toMatchObject({
		message: `Only ${said} records could be read`,
		advice: [
			"Narrow the search, or use 'Limit' in place of 'Return All'.",
			'If the list changed while it was read, try again in a moment.',
		],
	});
	expect(pages.filter((page) => page === 1)).toHaveLength(3);
});

/** Removes the first record between the first two pages: another one moves to the first page. */
function shift(records: IDataObject[], page: number) {
	if (page === 2) records.shift();
}

/** A search engine that shows so many pages, and this response behind them. */
function behind(pages: number, response: unknown) {
	return (page: number) => (page > pages ? response : undefined);
}

it.each([1, 2, 3])('fails with the error of page %i', async (failing) => {
	const { read } = serviceOf(250, {
		respond: (page) =>
			page === failing ? new Refusal(page === 1 ? 400 : 403, 'Not yours') : undefined,
	});
	const status = failing === 1 ? '400' : '403';
	await expect(read()).rejects.toMatchObject({ facts: { status } });
});

it.each([600, 1400, 1600])(
	'returns all of 1,500 records although counts move after %i',
	async (count) => {
		const { readIds, service, pages } = serviceOf(1500);
		service.respond = (page) => {
			service.count = page === 1 ? Math.min(count, 1500) : count + page;
			return undefined;
		};
		expect(await readIds()).toEqual(upTo(1500));
		expect(pages).toContain(16);
	},
);

it.each<[string, Partial<Service>, number, number]>([
	['a window that is shorter', { respond: behind(10, { records: [], total: 0 }) }, 1500, 1000],
	['a page number that is ignored', { ignoresPageNumber: true }, 1500, 100],
])(
	'returns what it can up to a limit below the count: %s',
	async (_what, service, limit, count) => {
		const { read } = serviceOf(2000, service);
		const { records, total } = await read({ limit });
		expect([records.length, total]).toEqual([count, 2000]);
	},
);

it('says how many are missing below a limit that is above the count', async () => {
	const reading = serviceOf(250, { firstPage: 0 }).read({ limit: 300 });
	await expect(reading).rejects.toThrow('Only 150 of 250 records could be read');
});

it('reads no more than three passes of pages that are all the same', async () => {
	const service = serviceOf(100, { count: 1_000_000, ignoresPageNumber: true });
	await expect(service.read()).rejects.toThrow('Only 100 of 1,000,000 records could be read');
	// Five pages at once that repeat the first one.
	expect(service.asked).toHaveLength(3 * 6);
});

it.each<[string, number, number | undefined, Partial<Service>, number[]]>([
	['a short page', 250, undefined, {}, [1, 2, 3]],
	['an empty page', 200, undefined, {}, [1, 2, 3]],
	['its limit', 250, 150, {}, [1, 2]],
	[
		'a page that is short although pages are smaller',
		100,
		undefined,
		{ largestPage: 40 },
		[1, 2, 3],
	],
	[
		'a page that repeats all of a service without pages',
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
		expect([pages, seen.mostOpen]).toEqual([expected, 1]);
	},
);

it('fails without a count when a full page repeats', async () => {
	const { read } = serviceOf(250, { count: undefined, ignoresPageNumber: true });
	await expect(read()).rejects.toThrow(
		'Only 100 records could be read, and Portal.io does not say how many there are',
	);
});

/** Records that were modified one second after another, or all at the same time; the newest first. */
const timed = (count: number, isEqual = false) =>
	listed(count).map(({ id }) => ({ id, time: isEqual ? 1 : 10_000 - id }));
const olderThan = (time: number) => (times: number[]) => times.at(-1)! < time;

it('reads a list with the newest records first page by page up to the one that is enough', async () => {
	const { readNewest, pages, seen } = serviceOf(0, { records: timed(1200) });
	expect(await readNewest(olderThan(10_000 - 250))).toEqual(upTo(300));
	expect([pages, seen.mostOpen]).toEqual([[1, 2, 3], 1]);
});

it.each<[string, number, number[]]>([
	['the whole list', 0, [1, 2, 3, 1, 2, 3]],
	['a part of it', 10_000 - 150, [1, 2, 1, 2]],
])(
	'loses no record that moves to a page that was read when one leaves: %s',
	async (_what, since, expected) => {
		const change = (records: IDataObject[], page: number) =>
			page === 2 && pages.length === 2 && records.splice(5, 1);
		const { readNewest, pages } = serviceOf(0, { records: timed(250), change });
		const ids = await readNewest(olderThan(since));
		expect(ids).toContain(101);
		expect(pages).toEqual(expected);
	},
);

/** Swaps the last record of the first page with the first record of the second one. */
function swapAcrossPages(records: IDataObject[]) {
	records.splice(99, 0, ...records.splice(100, 1));
}

it('loses no record with a time that others have when they change places between pages', async () => {
	const change = (records: IDataObject[], page: number) => {
		if (pages.length === 2 && page === 2) swapAcrossPages(records);
	};
	const { readNewest, pages } = serviceOf(0, { records: timed(150, true), change });
	expect((await readNewest(olderThan(0))).toSorted((a, b) => Number(a) - Number(b))).toEqual(
		upTo(150),
	);
	expect(pages).toEqual([1, 2, 1, 2]);
});

it('counts no record that has left the list in place of one that two passes have missed', async () => {
	const change = (records: IDataObject[]) => {
		// Record 101 moves to the first page, which was read.
		if (pages.length === 2) records.splice(5, 1);
		// In the second pass it is on the second page first, and on the first page afterward.
		if (pages.length === 3 || pages.length === 4) swapAcrossPages(records);
	};
	const { readNewest, pages } = serviceOf(0, { records: timed(150, true), change });
	expect(await readNewest(olderThan(0))).toContain(101);
	expect(pages).toEqual([1, 2, 1, 2, 1, 2]);
});

it.each<[string, number]>([
	['the whole list', 0],
	['a part of it', 10_000 - 350],
])('reads a list once that grows at its top with each page: %s', async (_what, since) => {
	const change = (records: IDataObject[]) =>
		records.unshift({ id: `new ${records.length}`, time: 10_000 + records.length });
	const { readNewest, pages } = serviceOf(0, { records: timed(450), change });
	const ids = await readNewest(olderThan(since));
	expect(ids).toEqual(expect.arrayContaining(upTo(350)));
	expect(new Set(pages).size).toBe(pages.length);
});

it.each<[string, Partial<Service>, string]>([
	['pages count from 0', { firstPage: 0 }, 'Only 0 of 50 records could be read'],
	[
		'the page number is ignored',
		{ ignoresPageNumber: true, largestPage: 20 },
		'Only 20 of 50 records',
	],
	['the count is too high', { count: 60 }, 'Only 50 of 60 records could be read'],
	[
		'the next page is empty',
		{ respond: behind(1, { records: [], total: 0 }), largestPage: 20 },
		'Only 20 of 50',
	],
	[
		'the next page fails',
		{ respond: behind(1, new Refusal(400, 'Too far')), largestPage: 20 },
		'Only 20 of 50',
	],
	['the count is missing', { count: undefined }, 'does not say how many records a list has'],
	['it is not sorted', { records: timed(50).reverse() }, 'does not sort a list as requested'],
])('fails to read the newest records when %s', async (_when, more, message) => {
	const { readNewest } = serviceOf(0, { records: timed(50), ...more });
	await expect(readNewest(olderThan(0))).rejects.toThrow(message);
});

it.each<[unknown, number]>([
	[0, 0],
	['7', 7],
	[-1, Infinity],
	['many', Infinity],
	[null, Infinity],
	[undefined, Infinity],
])('reads the number of records in %j as %d', async (count, total) => {
	const { session, list } = serviceOf(3, { count });
	const expected = { records: [{ id: 3 }], total, uncounted: [] };
	expect(await readPage(session, list, 2, 2)).toEqual(expected);
});
