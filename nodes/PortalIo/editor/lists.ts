import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { readPage, type PagedList } from '../../../client/pages';
import { openSession } from '../../../client/session';

/** The list of a resource locator whose choices are read all at once; the user's text narrows it. */
export const wholeList = (
	read: (context: ILoadOptionsFunctions) => Promise<INodeListSearchItems[]>,
) =>
	async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const choices = await read(this);
		const sought = filter.trim().toLowerCase();
		return { results: choices.filter(({ name }) => name.toLowerCase().includes(sought)) };
	};

/** A record to choose; without a value where it has no ID. */
interface Choice extends Omit<INodeListSearchItems, 'value'> {
	value: INodeListSearchItems['value'] | undefined;
}

/** What a list that comes in pages shows at a time; more come as the user scrolls. */
const PAGE_SIZE = 50;

/** The list of a resource locator that Portal.io searches, and gives page by page. */
export const pagedList = <T>(
	listFor: (
		context: ILoadOptionsFunctions,
		filter: string | undefined,
	) => PagedList | Promise<PagedList>,
	choice: (record: T) => Choice,
) =>
	async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const list = await listFor(this, filter);
		const session = await openSession(this);
		const pageNumber = Number(paginationToken ?? 1);
		const { records, total } = await readPage<T>(session, list, pageNumber, PAGE_SIZE);
		const hasMore = records.length > 0 && pageNumber * PAGE_SIZE < total;
		// The ID of a location is optional, and without it nothing can be chosen.
		const usable = records
			.map(choice)
			.filter((one): one is INodeListSearchItems => one.value !== undefined);
		// A favorite of the catalog may stand on a page twice.
		const choices = new Map(usable.map((one) => [one.value, one]));
		return {
			results: [...choices.values()],
			paginationToken: hasMore ? String(pageNumber + 1) : undefined,
		};
	};
