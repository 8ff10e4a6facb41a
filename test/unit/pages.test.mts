/** Reading a paged list from a service that is played by an array. Every count is worked out by hand. */
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { Session, type Context } from '../../client/session.ts';
import { readPage, readPages, type PagedList } from '../../client/pagination.ts';

interface Asked {
	page: number;
	size: number;
	query: URLSearchParams;
}

let services = 0;

/** A service of its own, as the sizes of its pages are learned by its address. */
class Service {
	records: IDataObject[];
	/** What its responses say about the number of records; by default how many there are. */
	count: unknown = 'how many there are';
	/** The size of its pages at most, whatever it is asked for. */
	largestPage = Infinity;
	/** Refuses what this returns an error response for. */
	refusal: (size: number) => { status: number; message: string } | undefined = () => undefined;
	/** Called before each response. */
	onRequest: (asked: Asked) => void = () => {};
	readonly asked: Asked[] = [];
	mostOpen = 0;
	private open = 0;
	private readonly baseUrl = `https://service-${++services}.example.com`;

	constructor(count: number) {
		this.records = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
	}

	/** The sizes that the first pages were asked for with. */
	get sizes() {
		return this.asked.map(({ size }) => size);
	}

	get pages() {
		return this.asked.map(({ page }) => page);
	}

	/** Pages and their sizes. */
	get requests() {
		return this.asked.map(({ page, size }) => `${page} of ${size}`);
	}

	session(): Session {
		const credential = {
			...{ environment: 'custom', baseUrl: this.baseUrl, appKey: 'a', secretKey: 'b' },
			...{ username: 'c', password: 'd', userApiKey: '' },
		};
		const httpRequestWithAuthentication = async (_type: string, { url }: IHttpRequestOptions) => {
			this.mostOpen = Math.max(this.mostOpen, ++this.open);
			await new Promise(setImmediate);
			this.open--;
			return this.respond(new URL(url, this.baseUrl).searchParams);
		};
		const context = {
			getNode: () => ({ name: 'Portal.io' }),
			helpers: { httpRequestWithAuthentication },
		} as unknown as Context;
		return new Session(context, credential, { attempts: 1 });
	}

	/** Reads the list of the service. */
	async read(limit = Infinity, list: Partial<PagedList> = {}) {
		const { session, request, records, count, ...more } = this.list(list);
		const found = await readPages(session, { request, records, count, ...more }, limit);
		return found as IDataObject[];
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
		const { status, message } = this.refusal(size) ?? { status: 200, message: '' };
		if (status !== 200) {
			return { statusCode: status, headers: {}, body: { errorCode: 'X', message } };
		}
		const given = Math.min(size, this.largestPage);
		const records = this.records.slice((page - 1) * given, page * given);
		const total = this.count === 'how many there are' ? this.records.length : this.count;
		return { statusCode: 200, headers: {}, body: { records, total } };
	}
}

const ids = (records: IDataObject[]) => records.map(({ id }) => id);
const upTo = (last: number, first = 1) =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('a list', () => {
	it.each([
		[0, [1]],
		[1, [1]],
		[500, [1]],
		[501, [1, 2]],
		[1000, [1, 2]],
		[1001, [1, 2, 3]],
	])('of %i records is read in pages of 500: %j', async (count, pages) => {
		const service = new Service(count);
		expect(ids(await service.read())).toEqual(upTo(count));
		expect(service.pages).toEqual(pages);
		expect(new Set(service.sizes)).toEqual(new Set([500]));
	});

	it.each([
		[1, ['1 of 1']],
		[10, ['1 of 10']],
		[500, ['1 of 500']],
		[501, ['1 of 500', '2 of 500']],
		[1000, ['1 of 500', '2 of 500']],
	])('is not read further than the limit of %i: %j', async (limit, requests) => {
		const service = new Service(1700);
		expect(ids(await service.read(limit))).toEqual(upTo(limit));
		expect(service.requests).toEqual(requests);
	});

	it('is read five pages at a time after the first', async () => {
		const service = new Service(500 * 12);
		expect(await service.read()).toHaveLength(6000);
		expect(service.pages).toEqual(upTo(12));
		expect(service.mostOpen).toBe(5);
	});

	it('is collected as it says, and counted as it says', async () => {
		const service = new Service(700);
		// Each record comes with one of its own that the number of records does not count.
		const twice = ({ records }: IDataObject) =>
			(records as IDataObject[]).flatMap(({ id }) => [{ id }, { id: `${id} of it` }]);
		const counted = ({ records }: IDataObject) => (records as IDataObject[]).length;
		const found = await service.read(Infinity, { records: twice, counted });
		expect(ids(found)).toEqual(upTo(700).flatMap((id) => [id, `${id} of it`]));
		expect(service.pages).toEqual([1, 2]);
	});

	it('keeps records with the same ID of different types apart', async () => {
		const service = new Service(0);
		service.records = [{ id: 1, itemType: 'Part' }, { id: 1, itemType: 'Labor' }, { id: 1 }];
		expect(await service.read()).toEqual(service.records);
	});

	it('keeps the other parameters of its request', async () => {
		const service = new Service(501);
		const query = { Statuses: ['Draft', 'Lost'] };
		await service.read(Infinity, { request: { method: 'GET', path: '/list', query } });
		for (const asked of service.asked) {
			expect(asked.query.getAll('Statuses')).toEqual(['Draft', 'Lost']);
		}
		expect(service.asked).toHaveLength(2);
	});
});

describe('the order of a list', () => {
	const USERS = { SortBy: 'Name', SortDirection: 'Desc' };
	it.each<[string, number, IDataObject, string | undefined, (string | null)[]]>([
		['stable when all are read', Infinity, {}, 'CreatedDate', ['CreatedDate', 'Asc']],
		['open where none is stable', Infinity, {}, undefined, [null, null]],
		['open for the first few records', 3, {}, 'CreatedDate', [null, null]],
		['that of the user', Infinity, USERS, 'CreatedDate', ['Name', 'Desc']],
	])('is %s', async (_what, limit, query, stableSort, expected) => {
		const service = new Service(3);
		const request = { method: 'GET', path: '/list', query: { ...query, Own: 'x' } } as const;
		await service.read(limit, { request, stableSort });
		const { query: asked } = service.asked[0]!;
		expect([asked.get('SortBy'), asked.get('SortDirection')]).toEqual(expected);
		expect(asked.get('Own')).toBe('x');
	});

	it('is stable without other parameters too', async () => {
		const service = new Service(3);
		await service.read(Infinity, { stableSort: 'CreatedDate' });
		expect(service.asked[0]!.query.get('SortBy')).toBe('CreatedDate');
	});
});

describe('the size of a page', () => {
	const refuseAbove = (largest: number, message: string, status = 400) =>
		function refusal(size: number) {
			return size > largest ? { status, message } : undefined;
		};

	it('that is refused is made smaller, and not tried again at this service', async () => {
		const service = new Service(250);
		service.refusal = refuseAbove(100, 'No');
		expect(ids(await service.read())).toEqual(upTo(250));
		expect(service.sizes).toEqual([500, 100, 100, 100]);
		expect(await service.read()).toHaveLength(250);
		expect(service.sizes.slice(4)).toEqual([100, 100, 100]);
		const another = new Service(1);
		await another.read();
		expect(another.sizes).toEqual([500]);
	});

	it('is learned for one path of a service', async () => {
		const service = new Service(3);
		service.refusal = refuseAbove(100, 'No');
		await service.read();
		await service.read(Infinity, { request: { method: 'GET', path: '/other' } });
		expect(service.sizes).toEqual([500, 100, 500, 100]);
	});

	it.each(['page size', 'PageSize', 'Page Size'])(
		'is made smaller down to 10 while the refusal names the %s',
		async (name) => {
			const service = new Service(25);
			service.refusal = refuseAbove(10, `The ${name} is too large`);
			expect(ids(await service.read())).toEqual(upTo(25));
			expect(service.sizes).toEqual([500, 100, 50, 25, 10, 10, 10]);
		},
	);

	it('is made smaller from the one that the limit gives', async () => {
		const service = new Service(300);
		service.refusal = refuseAbove(25, 'Page size');
		expect(ids(await service.read(30))).toEqual(upTo(30));
		expect(service.sizes).toEqual([30, 25, 25]);
	});

	it.each([
		['100 or less, and the refusal says something else', 50, 'No such user', 400, [500, 100]],
		['10, and there is no smaller one', 9, 'Page size', 400, [500, 100, 50, 25, 10]],
		['not the reason, by its status', 100, 'Page size', 403, [500]],
	])('is given up when it is %s', async (_when, largest, message, status, sizes) => {
		const service = new Service(3);
		service.refusal = refuseAbove(largest, message, status);
		await expect(service.read()).rejects.toMatchObject({ httpCode: String(status) });
		expect(service.sizes).toEqual(sizes);
	});

	it('that was refused at a limit of its own is given up where it says nothing of pages', async () => {
		const service = new Service(300);
		service.refusal = (size) => ({ status: 400, message: `${size}` });
		await expect(service.read(100)).rejects.toMatchObject({ httpCode: '400' });
		expect(service.sizes).toEqual([100]);
		await expect(service.read(101)).rejects.toMatchObject({ httpCode: '400' });
		expect(service.sizes).toEqual([100, 101, 100]);
	});

	it('is that of the service where it returns less than it is asked for', async () => {
		const service = new Service(250);
		service.largestPage = 100;
		expect(ids(await service.read())).toEqual(upTo(250));
		expect(service.requests).toEqual(['1 of 500', '2 of 100', '3 of 100']);
	});
});

describe('a list that changes while it is read', () => {
	it('loses no record when others before it are removed', async () => {
		const service = new Service(1200);
		service.onRequest = ({ page }) => {
			// The record 501 moves to the first page, which was read.
			if (page === 2 && service.asked.length === 2) service.records.splice(0, 1);
		};
		const found = ids(await service.read());
		expect(new Set(found)).toEqual(new Set(upTo(1200)));
		expect(found).toHaveLength(1200);
		expect(service.pages).toEqual([1, 2, 3, 1, 2, 3]);
	});

	it('returns a record once that came twice, as it was read last', async () => {
		const service = new Service(800);
		service.onRequest = ({ page }) => {
			if (page === 2 && service.asked.length === 2) {
				service.records = service.records.map(({ id }) => ({ id, isNew: true }));
				service.records.unshift({ id: 'new' });
			}
		};
		const found = await service.read();
		expect(new Set(ids(found))).toEqual(new Set(['new', ...upTo(800)]));
		expect(found).toHaveLength(801);
		expect(found.find(({ id }) => id === 500)).toEqual({ id: 500, isNew: true });
		expect(service.pages).toEqual([1, 2, 1, 2]);
	});

	it.each([700, 1000])(
		'is not read again when the %i that are wanted were found',
		async (limit) => {
			const service = new Service(1200);
			service.onRequest = ({ page }) => {
				if (page === 2) service.records.push({ id: 'new' });
			};
			expect(await service.read(limit)).toHaveLength(limit);
			expect(service.pages).toEqual([1, 2]);
		},
	);

	it('is read again when a single page says so', async () => {
		const service = new Service(1200);
		service.onRequest = ({ page }) => {
			if (service.asked.length === 2) service.records.push({ id: 'new' });
			if (page === 3) service.records.length = 1200;
		};
		expect(ids(await service.read())).toEqual(upTo(1200));
		expect(service.pages).toEqual([1, 2, 3, 1, 2, 3]);
	});

	it('is read four times at most', async () => {
		const service = new Service(600);
		service.onRequest = ({ page }) => {
			if (page === 2) service.records.push({ id: `new ${service.asked.length}` });
		};
		expect((await service.read()).length).toBeGreaterThan(600);
		expect(service.pages).toEqual([1, 2, 1, 2, 1, 2, 1, 2]);
	});
});

describe('the number of records', () => {
	it('that is too high makes the list be read once more, and no more', async () => {
		const service = new Service(700);
		service.count = 705;
		expect(await service.read()).toHaveLength(700);
		expect(service.pages).toEqual([1, 2, 1, 2]);
	});

	it('that says more than an empty first page has is not believed', async () => {
		const service = new Service(0);
		service.count = 7;
		expect(await service.read()).toEqual([]);
		expect(service.pages).toEqual([1]);
	});

	it.each([600, 599])(
		'of %i ends the reading of a service that gives 600 at once',
		async (count) => {
			const service = new Service(600);
			service.count = count;
			const records = () => service.records;
			expect(ids(await service.read(Infinity, { records }))).toEqual(upTo(600));
			expect(service.pages).toEqual([1]);
		},
	);

	it('that is absent makes the pages be read one after the other, until one brings nothing', async () => {
		const service = new Service(1200);
		service.count = undefined;
		expect(ids(await service.read())).toEqual(upTo(1200));
		expect(service.pages).toEqual([1, 2, 3, 4]);
		expect(service.mostOpen).toBe(1);
	});

	it('that is absent does not make the pages be read beyond the limit', async () => {
		const service = new Service(1700);
		service.count = undefined;
		expect(ids(await service.read(1000))).toEqual(upTo(1000));
		expect(service.pages).toEqual([1, 2]);
	});

	it('that is absent ends the reading of a service that has no pages', async () => {
		const service = new Service(3);
		service.count = undefined;
		const records = () => service.records;
		expect(ids(await service.read(Infinity, { records }))).toEqual([1, 2, 3]);
		expect(service.pages).toEqual([1, 2]);
	});

	it.each<[unknown, number]>([
		[0, 0],
		[7, 7],
		['7', 7],
		[10_000_000, 10_000_000],
		[10_000_001, Infinity],
		[-1, Infinity],
		['many', Infinity],
		[null, Infinity],
		[undefined, Infinity],
	])('%j is read as %d', async (given, total) => {
		const service = new Service(3);
		service.count = given;
		const { session, ...list } = service.list();
		expect(await readPage(session, list, 2, 2)).toEqual({
			records: [{ id: 3 }],
			total,
			counted: 1,
		});
		expect(service.asked).toMatchObject([{ page: 2, size: 2 }]);
	});
});

it('an error of any page names the input', async () => {
	const service = new Service(600);
	service.onRequest = ({ page }) => {
		if (page === 2) service.refusal = () => ({ status: 403, message: 'No' });
	};
	const { session, ...list } = service.list();
	await expect(readPages(session, list, Infinity, 7)).rejects.toMatchObject({
		httpCode: '403',
		context: { itemIndex: 7 },
	});
	service.asked.length = 0;
	await expect(readPages(session, list, Infinity, 7)).rejects.toMatchObject({
		context: { itemIndex: 7 },
	});
	expect(service.pages).toEqual([1]);
});
