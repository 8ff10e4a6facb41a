/** Reading a paged list from a service that is played by an array. Every count is worked out by hand. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { Session, type Context } from '../../client/session.ts';
import { readPage, readPages, type PagedList } from '../../client/pagination.ts';

interface Asked {
	page: number;
	size: number;
	query: URLSearchParams;
}

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
	private readonly baseUrl = `https://${randomUUID()}.example.com`;

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
	])('reads a list of %i records in pages of 500: %j', async (count, pages) => {
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
	])('reads a list no further than the limit of %i: %j', async (limit, requests) => {
		const service = new Service(1700);
		expect(ids(await service.read(limit))).toEqual(upTo(limit));
		expect(service.requests).toEqual(requests);
	});

	it('reads a list five pages at a time after the first', async () => {
		const service = new Service(500 * 12);
		expect(await service.read()).toHaveLength(6000);
		expect(service.pages).toEqual(upTo(12));
		expect(service.mostOpen).toBe(5);
	});

	it('collects and counts the records as the caller says', async () => {
		const service = new Service(700);
		// Each record comes with one of its own that the number of records does not count.
		const twice = ({ records }: IDataObject) =>
			(records as IDataObject[]).flatMap(({ id }) => [{ id }, { id: `${id} of it` }]);
		const counted = ({ records }: IDataObject) => records as IDataObject[];
		const found = await service.read(Infinity, { records: twice, counted });
		expect(ids(found)).toEqual(upTo(700).flatMap((id) => [id, `${id} of it`]));
		expect(service.pages).toEqual([1, 2]);
	});

	it('keeps records with the same ID of different types apart', async () => {
		const service = new Service(0);
		service.records = [{ id: 1, itemType: 'Part' }, { id: 1, itemType: 'Labor' }, { id: 1 }];
		expect(await service.read()).toEqual(service.records);
	});

	it('keeps the other parameters of a request for pages', async () => {
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
	])('sends the order of a list as %s', async (_what, limit, query, stableSort, expected) => {
		const service = new Service(3);
		const request = { method: 'GET', path: '/list', query: { ...query, Own: 'x' } } as const;
		await service.read(limit, { request, stableSort });
		const { query: asked } = service.asked[0]!;
		expect([asked.get('SortBy'), asked.get('SortDirection')]).toEqual(expected);
		expect(asked.get('Own')).toBe('x');
	});

	it('keeps the order of a list stable without other parameters too', async () => {
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

	it('retries with a smaller page after a refusal, and remembers it', async () => {
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

	it('forgets a smaller page that did not help after a refusal', async () => {
		const service = new Service(3);
		service.refusal = refuseAbove(0, 'No such user');
		await expect(service.read()).rejects.toMatchObject({ httpCode: '400' });
		service.refusal = () => undefined;
		await service.read();
		expect(service.sizes).toEqual([500, 100, 500]);
	});

	it('asks for large pages after a read with a small limit', async () => {
		const service = new Service(250);
		await service.read(2);
		await service.read();
		expect(service.sizes).toEqual([2, 500]);
	});

	it('remembers the size of a page for one path of a service', async () => {
		const service = new Service(3);
		service.refusal = refuseAbove(100, 'No');
		await service.read();
		await service.read(Infinity, { request: { method: 'GET', path: '/other' } });
		expect(service.sizes).toEqual([500, 100, 500, 100]);
	});

	it.each(['page size', 'PageSize', 'Page Size'])(
		'makes pages smaller, down to 10, while the refusal names the %s',
		async (name) => {
			const service = new Service(25);
			service.refusal = refuseAbove(10, `The ${name} is too large`);
			expect(ids(await service.read())).toEqual(upTo(25));
			expect(service.sizes).toEqual([500, 100, 50, 25, 10, 10, 10]);
		},
	);

	it('makes a page smaller from the size that the limit gives', async () => {
		const service = new Service(300);
		service.refusal = refuseAbove(25, 'Page size');
		expect(ids(await service.read(30))).toEqual(upTo(30));
		expect(service.sizes).toEqual([30, 25, 25]);
	});

	it.each([
		['100 or less, and the refusal says something else', 50, 'No such user', 400, [500, 100]],
		['10, and there is no smaller one', 9, 'Page size', 400, [500, 100, 50, 25, 10]],
		['not the reason, by its status', 100, 'Page size', 403, [500]],
	])(
		'gives up a page that is refused when it is %s',
		async (_when, largest, message, status, sizes) => {
			const service = new Service(3);
			service.refusal = refuseAbove(largest, message, status);
			await expect(service.read()).rejects.toMatchObject({ httpCode: String(status) });
			expect(service.sizes).toEqual(sizes);
		},
	);

	it('gives up a page that is refused at a limit of its own, where the refusal says nothing of pages', async () => {
		const service = new Service(300);
		service.refusal = (size) => ({ status: 400, message: `${size}` });
		await expect(service.read(100)).rejects.toMatchObject({ httpCode: '400' });
		expect(service.sizes).toEqual([100]);
		await expect(service.read(101)).rejects.toMatchObject({ httpCode: '400' });
		expect(service.sizes).toEqual([100, 101, 100]);
	});

	it('takes the size of a page from the service where it returns less than requested', async () => {
		const service = new Service(250);
		service.largestPage = 100;
		expect(ids(await service.read())).toEqual(upTo(250));
		expect(service.requests).toEqual(['1 of 500', '2 of 100', '3 of 100']);
	});
});

describe('a list that changes while it is read', () => {
	it('loses no record when others before it are removed while a list is read', async () => {
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

	it('loses no record that moves to a page that was read while the number stays the same', async () => {
		const service = new Service(1200);
		service.onRequest = ({ page }) => {
			if (page === 2 && service.asked.length === 2) {
				service.records.unshift(...service.records.splice(1099, 1));
			}
		};
		const found = ids(await service.read());
		expect(new Set(found)).toEqual(new Set(upTo(1200)));
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
		'stops reading a list that changes when the %i wanted records were found',
		async (limit) => {
			const service = new Service(1200);
			service.onRequest = ({ page }) => {
				if (page === 2) service.records.push({ id: 'new' });
			};
			expect(await service.read(limit)).toHaveLength(limit);
			expect(service.pages).toEqual([1, 2]);
		},
	);

	it('reads a list that changes again when a single page says so', async () => {
		const service = new Service(1200);
		service.onRequest = ({ page }) => {
			if (service.asked.length === 2) service.records.push({ id: 'new' });
			if (page === 3) service.records.length = 1200;
		};
		expect(ids(await service.read())).toEqual(upTo(1200));
		expect(service.pages).toEqual([1, 2, 3, 1, 2, 3]);
	});

	it('reads a list that changes four times at most', async () => {
		const service = new Service(600);
		service.onRequest = ({ page }) => {
			if (page === 2) service.records.push({ id: `new ${service.asked.length}` });
		};
		expect((await service.read()).length).toBeGreaterThan(600);
		expect(service.pages).toEqual([1, 2, 1, 2, 1, 2, 1, 2]);
	});
});

describe('the number of records', () => {
	it('reads a list once more, and no more, when the number of records is too high', async () => {
		const service = new Service(700);
		service.count = 705;
		expect(await service.read()).toHaveLength(700);
		expect(service.pages).toEqual([1, 2, 1, 2]);
	});

	it('distrusts the number of records once five pages in a row brought nothing new', async () => {
		const service = new Service(100);
		service.count = 1_000_000;
		const records = () => service.records.slice(0, 100);
		expect(await service.read(Infinity, { records })).toHaveLength(100);
		// The first page, then five that repeat it and what was under way beside them, in two passes.
		expect(service.asked.length).toBeLessThanOrEqual(2 * 10);
	});

	it('refuses a number of records for which pages are far too small, but not where they just suffice', async () => {
		const service = new Service(9);
		service.count = 909;
		service.largestPage = 9;
		await expect(service.read()).rejects.toThrow(
			'Unexpected response: Portal.io counts 909 records, but a page of 500 has 9',
		);
		expect(service.pages).toEqual([1]);
		service.count = 18;
		expect(await service.read()).toHaveLength(9);
		expect(await service.read(9)).toHaveLength(9);
	});

	it.each([
		[9, 900],
		[10, 2000],
	])(
		'reads pages of %i, the smallest, of which there are many: %i records',
		async (size, count) => {
			const service = new Service(count);
			service.largestPage = size;
			expect(await service.read()).toHaveLength(count);
		},
	);

	it('distrusts a number of records above zero when the first page is empty', async () => {
		const service = new Service(0);
		service.count = 7;
		expect(await service.read()).toEqual([]);
		expect(service.pages).toEqual([1]);
	});

	it.each([600, 599])(
		'stops at the number of records, %i, when a service gives 600 at once',
		async (count) => {
			const service = new Service(600);
			service.count = count;
			const records = () => service.records;
			expect(ids(await service.read(Infinity, { records }))).toEqual(upTo(600));
			expect(service.pages).toEqual([1]);
		},
	);

	it('reads pages one after the other without a number of records, until one brings nothing', async () => {
		const service = new Service(1200);
		service.count = undefined;
		expect(ids(await service.read())).toEqual(upTo(1200));
		expect(service.pages).toEqual([1, 2, 3, 4]);
		expect(service.mostOpen).toBe(1);
	});

	it('reads pages up to the limit without a number of records', async () => {
		const service = new Service(1700);
		service.count = undefined;
		expect(ids(await service.read(1000))).toEqual(upTo(1000));
		expect(service.pages).toEqual([1, 2]);
	});

	it('stops after a page without a number of records at a service that has no pages', async () => {
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
	])('reads the number of records in %j as %d', async (given, total) => {
		const service = new Service(3);
		service.count = given;
		const { session, ...list } = service.list();
		expect(await readPage(session, list, 2, 2)).toEqual({
			records: [{ id: 3 }],
			total,
			counted: [{ id: 3 }],
		});
		expect(service.asked).toMatchObject([{ page: 2, size: 2 }]);
	});
});

it('names the input in an error of any page', async () => {
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
