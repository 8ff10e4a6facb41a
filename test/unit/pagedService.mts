/** Simulates a service whose paged list is an array. */
import type { IDataObject } from 'n8n-workflow';
import { readPagedList, type PagedList } from '../../client/lists.ts';
import { playedSession } from './playedSession.mts';

export interface Service {
	records: IDataObject[];
	/** Count in the responses, or undefined for none. Defaults to the number of records. */
	count?: unknown;
	/** Maximum size of a page, even if the request has a larger `PageSize`. */
	largestPage?: number;
	/** Number of the first page. Defaults to 1. */
	firstPage?: number;
	ignoresPageNumber?: boolean;
	/** Returns the response to a request for a page. Defaults to the page's records and the count. */
	respond?: (page: number, size: number) => unknown;
	/** Changes the records before the service responds with a page. */
	change?: (records: IDataObject[], page: number) => void;
}

export const listed = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

/** Creates a service with a list of `count` records, and collects the queries. */
export function serviceOf(count: number, more: Partial<Service> = {}) {
	const service: Service = { records: listed(count), ...more };
	const queries: URLSearchParams[] = [];
	const seen = { queries, pages: [] as number[], openRequests: 0, mostOpenRequests: 0 };
	const { session } = playedSession(async ({ url }) => {
		seen.mostOpenRequests = Math.max(seen.mostOpenRequests, ++seen.openRequests);
		await new Promise(setImmediate);
		seen.openRequests--;
		const query = new URL(url, 'https://api.example.com').searchParams;
		queries.push(query);
		const page = Number(query.get('PageNumber'));
		seen.pages.push(page);
		service.change?.(service.records, page);
		const { largestPage = Infinity, firstPage = 1, ignoresPageNumber } = service;
		const size = Math.min(Number(query.get('PageSize')), largestPage);
		const start = ignoresPageNumber ? 0 : (page - firstPage) * size;
		const records = service.records.slice(start, start + size);
		const total = 'count' in service ? service.count : service.records.length;
		return service.respond?.(page, size) ?? { records, total };
	});
	const request = { method: 'GET', path: '/list' } as const;
	const list: PagedList = { request, records: 'records', count: 'total' };
	const read = async (limits: { limit?: number } = {}, changes: Partial<PagedList> = {}) =>
		await readPagedList(session, { ...list, ...changes }, limits);
	const readIds = async (...limits: Parameters<typeof read>) =>
		(await read(...limits)).records.map(({ id }) => id);
	return { ...seen, seen, service, session, list, read, readIds };
}

export const upTo = (last: number) => listed(last).map(({ id }) => id);

/**
 * Returns a `respond` function for a search engine. The engine returns pages up to `lastPage`, and `response` for any
 * later page.
 */
export function after(lastPage: number, response: unknown) {
	return (page: number) => (page > lastPage ? response : undefined);
}
