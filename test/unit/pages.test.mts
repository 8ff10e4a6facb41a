/** Reading a paged list from a service that is played by an array. Every count is worked out by hand. */
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { readList, readPage, type PagedList, type ReadingLimits } from '../../client/pages.ts';
import { playedSession } from './playedSession.mts';

interface Service {
	records: IDataObject[];
	/** The count in its responses, if not the real number of records. */
	count?: unknown;
	/** The size of its pages at most, whatever it is asked for. */
	largestPage?: number;
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
		const size = Math.min(Number(query.get('PageSize')), service.largestPage ?? Infinity);
		const records = service.records.slice((page - 1) * size, page * size);
		return { records, total: 'count' in service ? service.count : service.records.length };
	});
	const request = { method: 'GET', path: '/list' } as const;
	const list: PagedList = { request, records: 'records', count: 'total' };
	const read = async (limits: ReadingLimits<IDataObject> = {}, changes: Partial<PagedList> = {}) =>
		await readList(session, { ...list, ...changes }, limits);
	const readIds = async (...given: Parameters<typeof read>) =>
		(await read(...given)).records.map(({ id }) => id);
	return { ...seen, seen, service, session, list, read, readIds };
}

const upTo = (last: number) => listed(last).map(({ id }) => id);
const whole = ({ service }: ReturnType<typeof serviceOf>) => ({ records: () => service.records });

it.each<[count: number, limit: number | undefined, requests: string]>([
	[0, undefined, '1 of 100'],
	[1, undefined, '1 of 100'],
	[100, undefined, '1 of 100'],
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
	const { readIds, pages, seen } = serviceOf(1200);
	expect(await readIds()).toEqual(upTo(1200));
	expect([pages, seen.mostOpen]).toEqual([upTo(12), 5]);
});

it('reads page by page up to the one that is enough', async () => {
	const { readIds, pages, seen } = serviceOf(1200);
	const isNeeded = ({ id }: IDataObject) => Number(id) < 250;
	const neededUpTo = (page: IDataObject[]) => (page.every(isNeeded) ? undefined : isNeeded);
	expect(await readIds({ neededUpTo })).toEqual(upTo(300));
	expect([pages, seen.mostOpen]).toEqual([[1, 2, 3], 1]);
});

it('reads smaller pages than requested to the end', async () => {
	const { readIds, pages } = serviceOf(250, { largestPage: 40 });
	expect(await readIds()).toEqual(upTo(250));
	expect(Math.max(...pages)).toBe(7);
});

it('collects and counts the records as the caller says', async () => {
	const { readIds, pages } = serviceOf(150);
	// Each record comes with one of its own that the number of records does not count.
	const counted = ({ records }: IDataObject) => records as IDataObject[];
	const records = (response: IDataObject) =>
		counted(response).flatMap(({ id }) => [{ id }, { id: `${id} of it` }]);
	const expected = upTo(150).flatMap((id) => [id, `${id} of it`]);
	expect(await readIds({}, { records, counted })).toEqual(expected);
	expect(pages).toEqual([1, 2]);
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
])('loses no record that moves to a page that was read when %s', async (_when, move) => {
	const change = (records: IDataObject[]) => pages.length === 2 && move(records);
	const { readIds, pages } = serviceOf(250, { change });
	expect((await readIds()).sort()).toEqual(upTo(250).sort());
	expect(pages).toEqual([1, 2, 3, 1, 2, 3]);
});

it('finds every record although those with equal sort values change places with each page', async () => {
	// Numbers without a pattern, the same in each run.
	let last = 1;
	const random = () => (last = (last * 48_271) % 2_147_483_647);
	const change = (records: IDataObject[]) => {
		const places = new Map(records.map((one) => [one, random()]));
		records.sort((one, other) => places.get(one)! - places.get(other)!);
	};
	expect(await serviceOf(400, { change }).readIds()).toHaveLength(400);
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
	expect(new Set(records.map(({ id }) => id))).toEqual(new Set(['new', ...upTo(150)]));
	expect(records).toHaveLength(151);
	expect(records.find(({ id }) => id === 100)).toEqual({ id: 100, isNew: true });
});

it('says so when the list changes in every reading', async () => {
	const { read, pages } = serviceOf(150, {
		change: (records, page) => {
			if (page === 2) records.unshift({ id: `new ${pages.length}` });
			if (page === 2) records.splice(50, 2);
		},
	});
	await expect(read()).rejects.toThrow('The list changed faster than it could be read');
	expect(pages).toHaveLength(2 * 40);
});

it('reads a list once more, and no more, when the number of records is too high', async () => {
	const { readIds, pages } = serviceOf(170, { count: 175 });
	expect(await readIds()).toEqual(upTo(170));
	expect(pages).toEqual([1, 2, 3, 1, 2, 3]);
});

it.each([1, 100])('stops reading a list of millions whose pages have the same %i', async (size) => {
	const service = serviceOf(size, { count: 1_000_000 });
	expect(await service.readIds({}, whole(service))).toEqual(upTo(size));
	// Five pages at once that repeat the first one, in two readings.
	expect(service.asked).toHaveLength(2 * 6);
});

it('accepts a list with a record on two pages as complete after eleven equal readings', async () => {
	const { readIds, asked } = serviceOf(0, { records: [...listed(100), ...listed(109).slice(99)] });
	expect(await readIds()).toEqual(upTo(109));
	expect(asked).toHaveLength(2 * 12);
});

it.each<[number | undefined, number, number[]]>([
	[undefined, 250, [1, 2, 3, 4]],
	[150, 150, [1, 2]],
])('reads page by page without a total, up to the limit of %s', async (limit, count, expected) => {
	const { readIds, pages, seen } = serviceOf(250, { count: undefined });
	expect(await readIds({ limit })).toEqual(upTo(count));
	expect([pages, seen.mostOpen]).toEqual([expected, 1]);
});

it('stops after a page without a number of records at a service that has no pages', async () => {
	const service = serviceOf(3, { count: undefined });
	expect(await service.readIds({}, whole(service))).toEqual([1, 2, 3]);
	expect(service.pages).toEqual([1, 2]);
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
	const expected = { records: [{ id: 3 }], total, counted: [{ id: 3 }] };
	expect(await readPage(session, list, 2, 2)).toEqual(expected);
});
