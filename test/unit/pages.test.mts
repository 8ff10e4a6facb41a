/**
 * Reading a paged list from a service that is played by an array. Every count is worked out by
 * hand.
 */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { readList, readPage, type PagedList, type ReadingLimits } from '../../client/pages.ts';
import { playedSession } from './playedSession.mts';

interface Asked {
	page: number;
	size: number;
	query: URLSearchParams;
}

class Service {
	records: IDataObject[];
	/** The count in its responses; by default the real number of records. */
	count: unknown = 'how many there are';
	/** The size of its pages at most, whatever it is asked for. */
	largestPage = Infinity;
	/** Called before each response. */
	onRequest: (asked: Asked) => void = () => {};
	readonly asked: Asked[] = [];
	mostOpen = 0;
	private open = 0;

	constructor(count: number) {
		this.records = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
	}

	get pages() {
		return this.asked.map(({ page }) => page);
	}

	get requests() {
		return this.asked.map(({ page, size }) => `${page} of ${size}`);
	}

	session() {
		return playedSession(async ({ url }) => {
			this.mostOpen = Math.max(this.mostOpen, ++this.open);
			await new Promise(setImmediate);
			this.open--;
			return this.respond(new URL(url, 'https://api.example.com').searchParams);
		}).session;
	}

	/** Reads the list of the service. */
	async read(limits: ReadingLimits<IDataObject> = {}, list: Partial<PagedList> = {}) {
		const { session, ...more } = this.list(list);
		return (await readList(session, more, limits)).records;
	}

	list(list: Partial<PagedList> = {}) {
		const request = { method: 'GET', path: '/list' } as const;
		return { session: this.session(), request, records: 'records', count: 'total', ...list };
	}

	private respond(query: URLSearchParams) {
		const page = Number(query.get('PageNumber'));
		const size = Number(query.get('PageSize'));
		const asked = { page, size, query };
		this.asked.push(asked);
		this.onRequest(asked);
		const given = Math.min(size, this.largestPage);
		const records = this.records.slice((page - 1) * given, page * given);
		const total = this.count === 'how many there are' ? this.records.length : this.count;
		return { records, total };
	}
}

const ids = (records: IDataObject[]) => records.map(({ id }) => id);
const upTo = (last: number, first = 1) =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('a list', () => {
	it.each<[count: number, limit: number | undefined, requests: string[]]>([
		[0, undefined, ['1 of 100']],
		[1, undefined, ['1 of 100']],
		[100, undefined, ['1 of 100']],
		[101, undefined, ['1 of 100', '2 of 100']],
		[201, undefined, ['1 of 100', '2 of 100', '3 of 100']],
		[1700, 1, ['1 of 1']],
		[1700, 100, ['1 of 100']],
		[1700, 101, ['1 of 100', '2 of 100']],
	])('reads a list of %i records up to the limit of %s: %j', async (count, limit, requests) => {
		const service = new Service(count);
		const { session, ...list } = service.list();
		const { records, total } = await readList(session, list, { limit });
		expect([ids(records), total]).toEqual([upTo(limit ?? count), count]);
		expect(service.requests).toEqual(requests);
	});

	it('reads five pages at a time after the first', async () => {
		const service = new Service(1200);
		expect(await service.read()).toHaveLength(1200);
		expect(service.pages).toEqual(upTo(12));
		expect(service.mostOpen).toBe(5);
	});

	it('reads page by page up to the one that is enough', async () => {
		const service = new Service(1200);
		const isNeeded = ({ id }: IDataObject) => Number(id) < 250;
		const neededUpTo = (page: IDataObject[]) => (page.every(isNeeded) ? undefined : isNeeded);
		expect(ids(await service.read({ neededUpTo }))).toEqual(upTo(300));
		expect(service.pages).toEqual([1, 2, 3]);
		expect(service.mostOpen).toBe(1);
	});

	it('reads smaller pages than requested to the end', async () => {
		const service = new Service(250);
		service.largestPage = 40;
		expect(ids(await service.read())).toEqual(upTo(250));
		expect(Math.max(...service.pages)).toBe(7);
	});

	it('collects and counts the records as the caller says', async () => {
		const service = new Service(150);
		// Each record comes with one of its own that the number of records does not count.
		const twice = ({ records }: IDataObject) =>
			(records as IDataObject[]).flatMap(({ id }) => [{ id }, { id: `${id} of it` }]);
		const counted = ({ records }: IDataObject) => records as IDataObject[];
		const found = await service.read({}, { records: twice, counted });
		expect(ids(found)).toEqual(upTo(150).flatMap((id) => [id, `${id} of it`]));
		expect(service.pages).toEqual([1, 2]);
	});

	it('keeps records with the same ID of different types apart', async () => {
		const service = new Service(0);
		service.records = [{ id: 1, itemType: 'Part' }, { id: 1, itemType: 'Labor' }, { id: 1 }];
		expect(await service.read()).toEqual(service.records);
	});
});

describe('the order of a list', () => {
	const others = 'Statuses=Draft&Statuses=Lost';
	const query = { Statuses: ['Draft', 'Lost'] };
	const user = { ...query, SortBy: 'Name', SortDirection: 'Desc' };
	const pages = ['PageNumber=1&PageSize=100', 'PageNumber=2&PageSize=100'];
	it.each<[string, number, object | undefined, string | undefined, string]>([
		['stable when all are read', 101, query, 'Date', `${others}&SortBy=Date&SortDirection=Asc&`],
		['stable without other parameters', 101, undefined, 'Date', 'SortBy=Date&SortDirection=Asc&'],
		['open where none is stable', 101, query, undefined, `${others}&`],
		['open for the first few records', 500, query, 'Date', `${others}&`],
		['that of the user', 101, user, 'Date', `${others}&SortBy=Name&SortDirection=Desc&`],
	])('sends the order of a list as %s', async (_what, count, query, stableSort, expected) => {
		const service = new Service(count);
		const request = { method: 'GET', path: '/list', query: query as never } as const;
		await service.read({ limit: count === 500 ? 101 : undefined }, { request, stableSort });
		const asked = service.asked.map((one) => String(one.query));
		expect(asked).toEqual(pages.map((page) => expected + page));
	});
});

describe('a list that changes while it is read', () => {
	it.each<[string, (records: IDataObject[]) => void]>([
		['another one is removed', (records) => void records.splice(0, 1)],
		['the number stays the same', (records) => void records.unshift(...records.splice(220, 1))],
	])('loses no record that moves to a page that was read when %s', async (_when, move) => {
		const service = new Service(250);
		service.onRequest = () => {
			if (service.asked.length === 2) move(service.records);
		};
		const found = ids(await service.read());
		expect(found.sort()).toEqual(upTo(250).sort());
		expect(service.pages).toEqual([1, 2, 3, 1, 2, 3]);
	});

	it('finds every record although those with equal sort values change places with each page', async () => {
		const service = new Service(400);
		// Numbers without a pattern, the same in each run.
		let last = 1;
		const random = () => (last = (last * 48_271) % 2_147_483_647);
		service.onRequest = () => {
			const places = new Map(service.records.map((one) => [one, random()]));
			service.records.sort((one, other) => places.get(one)! - places.get(other)!);
		};
		expect(await service.read()).toHaveLength(400);
	});

	it('reads no second time when records were added behind those that were read', async () => {
		const service = new Service(250);
		service.onRequest = ({ page }) => {
			if (page === 2) service.records.push({ id: 251 });
		};
		expect(ids(await service.read())).toEqual(upTo(251));
		expect(service.pages).toEqual([1, 2, 3]);
	});

	it('returns a record once that came twice, as it was read last', async () => {
		const service = new Service(150);
		service.onRequest = ({ page }) => {
			if (page === 2 && service.asked.length === 2) {
				service.records = service.records.map(({ id }) => ({ id, isNew: true }));
				service.records.unshift({ id: 'new' });
			}
		};
		const found = await service.read();
		expect(new Set(ids(found))).toEqual(new Set(['new', ...upTo(150)]));
		expect(found).toHaveLength(151);
		expect(found.find(({ id }) => id === 100)).toEqual({ id: 100, isNew: true });
	});

	it('says so when the list changes in every reading', async () => {
		const service = new Service(150);
		service.onRequest = ({ page }) => {
			if (page === 2) service.records.unshift({ id: `new ${service.asked.length}` });
			if (page === 2) service.records.splice(50, 2);
		};
		await expect(service.read()).rejects.toThrow('The list changed faster than it could be read');
	});
});

describe('the number of records', () => {
	it('reads a list once more, and no more, when the number of records is too high', async () => {
		const service = new Service(170);
		service.count = 175;
		expect(await service.read()).toHaveLength(170);
		expect(service.pages).toEqual([1, 2, 3, 1, 2, 3]);
	});

	it.each([1, 100])(
		'stops reading a list of millions whose pages all have the same %i records',
		async (size) => {
			const service = new Service(size);
			service.count = 1_000_000;
			const records = () => service.records;
			expect(await service.read({}, { records })).toHaveLength(size);
			// Five pages at once that repeat the first one, in two readings.
			expect(service.asked).toHaveLength(2 * 6);
		},
	);

	it('accepts a list with a record on two pages as complete after eleven equal readings', async () => {
		const service = new Service(0);
		service.records = [...upTo(100), ...upTo(109, 100)].map((id) => ({ id }));
		expect(await service.read()).toHaveLength(109);
		expect(service.asked).toHaveLength(2 * 12);
	});

	it.each<[number | undefined, number, number[]]>([
		[undefined, 250, [1, 2, 3, 4]],
		[150, 150, [1, 2]],
	])(
		'reads page by page without a number of records, up to the limit of %s',
		async (limit, count, pages) => {
			const service = new Service(250);
			service.count = undefined;
			expect(ids(await service.read({ limit }))).toEqual(upTo(count));
			expect(service.pages).toEqual(pages);
			expect(service.mostOpen).toBe(1);
		},
	);

	it('stops after a page without a number of records at a service that has no pages', async () => {
		const service = new Service(3);
		service.count = undefined;
		const records = () => service.records;
		expect(ids(await service.read({}, { records }))).toEqual([1, 2, 3]);
		expect(service.pages).toEqual([1, 2]);
	});

	it.each<[unknown, number]>([
		[0, 0],
		[7, 7],
		['7', 7],
		[-1, Infinity],
		['many', Infinity],
		[null, Infinity],
		[undefined, Infinity],
	])('reads the number of records in %j as %d', async (given, total) => {
		const service = new Service(3);
		service.count = given;
		const { session, ...list } = service.list();
		const expected = { records: [{ id: 3 }], total, counted: [{ id: 3 }] };
		expect(await readPage(session, list, 2, 2)).toEqual(expected);
		expect(service.requests).toEqual(['2 of 2']);
	});
});
