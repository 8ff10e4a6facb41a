import type { IDataObject } from 'n8n-workflow';
import { send, type Caller, type ServiceRequest } from './request';

/** Where the answers of a list that comes in pages hold what. */
export interface PageShape {
	/** The property that holds the records, or how to gather them from the answer. */
	records: string | ((answer: IDataObject) => IDataObject[]);
	/** The property that counts them over all pages. */
	count: string;
	/** How many of the records of an answer that count is about, where it is not all of them. */
	counted?: (answer: IDataObject) => number;
}

/** How to read a list that comes in pages. */
export interface PagedList extends PageShape {
	/** The request without its paging parameters. */
	request: ServiceRequest;
}

/** The largest page that the service is known to give (public reference, 3.1: a third party's word). */
const PAGE_SIZE = 100;

/**
 * Reads a list page by page (`PageNumber` from 1, `PageSize`).
 *
 * A record that a page repeats, because the list changed meanwhile or because it stands in two parts
 * of the answer, is given once. The count of the service ends the reading and not a short page: the
 * service may give smaller pages than it was asked for. A page that brings nothing new ends it too,
 * so that it cannot go on for ever.
 *
 * @param limit how many records at the most; Infinity for all
 */
export async function readPages<T extends IDataObject>(
	caller: Caller,
	list: PagedList,
	limit: number,
	itemIndex?: number,
): Promise<T[]> {
	const found = new Map<string, T>();
	const pageSize = Math.min(limit, PAGE_SIZE);
	let seen = 0;
	for (let pageNumber = 1; found.size < limit; pageNumber++) {
		const page = await readPage<T>(caller, list, pageNumber, pageSize, itemIndex);
		const before = found.size;
		// IDs are unique among records of one type only.
		for (const record of page.records) found.set(`${record.itemType ?? ''} ${record.id}`, record);
		seen += page.counted;
		if (found.size === before || seen >= page.total) break;
	}
	return [...found.values()].slice(0, limit);
}

/**
 * Reads one page of a list.
 *
 * @param pageNumber from 1
 * @returns its records, how many there are over all pages, and how many of those are on this one
 */
export async function readPage<T>(
	caller: Caller,
	{ request, records, count, counted }: PagedList,
	pageNumber: number,
	pageSize: number,
	itemIndex?: number,
): Promise<{ records: T[]; total: number; counted: number }> {
	const query = { ...request.query, PageNumber: pageNumber, PageSize: pageSize };
	const answer = (await send(caller, { ...request, query }, itemIndex)) as IDataObject;
	const found = (typeof records === 'string' ? (answer[records] ?? []) : records(answer)) as T[];
	return {
		records: found,
		total: Number(answer[count] ?? Infinity),
		counted: counted?.(answer) ?? found.length,
	};
}
