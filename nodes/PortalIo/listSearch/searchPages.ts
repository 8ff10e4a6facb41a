import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { openSession } from '../../../client/session';
import { readPage, type PagedList } from '../../../client/pagination';

/** What the list of a resource locator shows at a time; more come as the user scrolls. */
const PAGE_SIZE = 50;

/**
 * One page of the choices of a resource locator.
 *
 * @param token the number of the page, as the page before gave it; the first when absent
 */
export async function searchPages<T>(
	context: ILoadOptionsFunctions,
	list: PagedList,
	token: string | undefined,
	choice: (record: T) => INodeListSearchItems,
): Promise<INodeListSearchResult> {
	const session = await openSession(context);
	const pageNumber = Number(token ?? 1);
	const { records, total } = await readPage<T>(session, list, pageNumber, PAGE_SIZE);
	const hasMore = records.length > 0 && pageNumber * PAGE_SIZE < total;
	return {
		results: records.map(choice),
		paginationToken: hasMore ? String(pageNumber + 1) : undefined,
	};
}
