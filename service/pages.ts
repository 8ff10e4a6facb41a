import { send, type Caller, type ServiceRequest } from './request';

/** How to read a list that comes in pages. */
export interface PagedList {
	/** The request without its paging parameters. */
	request: ServiceRequest;
	/** The property of the answer that holds the records. */
	records: string;
	/** The property of the answer that counts them over all pages. */
	count: string;
}

/** The largest page that the service is known to give (public reference, 3.1: a third party's word). */
const PAGE_SIZE = 100;

/**
 * Reads a list page by page (`PageNumber` from 1, `PageSize`).
 *
 * A record that a page repeats, because the list changed meanwhile, is given once. The count of the
 * service ends the reading and not a short page: the service may give smaller pages than it was
 * asked for. A page that brings nothing new ends it too, so that it cannot go on for ever.
 *
 * @param limit how many records at the most; Infinity for all
 */
export async function readPages<T extends { id: number }>(
	caller: Caller,
	list: PagedList,
	limit: number,
	itemIndex?: number,
): Promise<T[]> {
	const found = new Map<number, T>();
	const pageSize = Math.min(limit, PAGE_SIZE);
	let seen = 0;
	for (let pageNumber = 1; found.size < limit; pageNumber++) {
		const { records, total } = await readPage<T>(caller, list, pageNumber, pageSize, itemIndex);
		const before = found.size;
		for (const record of records) found.set(record.id, record);
		seen += records.length;
		if (found.size === before || seen >= total) break;
	}
	return [...found.values()].slice(0, limit);
}

/**
 * Reads one page of a list.
 *
 * @param pageNumber from 1
 * @returns its records, and how many there are over all pages
 */
export async function readPage<T>(
	caller: Caller,
	{ request, records, count }: PagedList,
	pageNumber: number,
	pageSize: number,
	itemIndex?: number,
): Promise<{ records: T[]; total: number }> {
	const query = { ...request.query, PageNumber: pageNumber, PageSize: pageSize };
	const answer = (await send(caller, { ...request, query }, itemIndex)) as Record<string, unknown>;
	return {
		records: (answer[records] ?? []) as T[],
		total: Number(answer[count] ?? Infinity),
	};
}
