/** The kinds of lists in the editor: how each is read, searched and shown. */
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { PortalError } from '../../../client/errors';
import { readPage, type PagedList } from '../../../client/lists';
import { readProposal } from '../../../client/proposal';
import { openSession, type Session } from '../../../client/session';
import { withNodeErrors } from '../../shared/failure';
import { nameKey, plainText } from '../../shared/text';
import { isEmpty, type Field, type Reading } from '../fields/field';
import { proposalId } from '../fields/locators';
import { lookupsOf } from '../lookup/lookups';

/** The node as it is open in the editor, and the account that its credential is for. */
function editorOf(context: ILoadOptionsFunctions, session: Session) {
	/** Whether another field has a value. */
	const has = (name: string) => !isEmpty(context.getCurrentNodeParameter(name));

	/** The ID of the record in another field; throws a PortalError without one. */
	const chosen = async (
		name: string,
		field: Field<number>,
		earlierValues = {},
	): Promise<number> => {
		const label = field.property.displayName;
		if (!has(name)) throw new PortalError(`Choose the '${label}' first`);
		// The field of a record needs no more.
		const reading = { lookups: lookupsOf(session), earlierValues } as Reading;
		return await field.read(context.getCurrentNodeParameter(name), label, reading);
	};
	const chosenProposal = async () => await chosen('proposalId', proposalId);
	return {
		context,
		session,
		has,
		chosen,
		proposalId: chosenProposal,
		proposal: async () => await readProposal(session, await chosenProposal()),
	};
}

export type Editor = ReturnType<typeof editorOf>;

/** Runs a method that n8n calls for a list; the editor shows what it throws. */
const inEditor = async <R>(context: ILoadOptionsFunctions, read: (editor: Editor) => Promise<R>) =>
	await withNodeErrors(
		context,
		async () => await read(editorOf(context, await openSession(context))),
	);

/** The list of a multi-select. */
export const multiSelect = (read: (editor: Editor) => Promise<INodePropertyOptions[]>) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await inEditor(this, read);
	};

/** The words that a user searches for, without the punctuation of a label around them. */
const wordsOf = (filter: string): string[] =>
	plainText(filter)
		.split(' ')
		.flatMap((word) => /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/u.exec(word)?.[0] ?? []);

const hasAll = (words: string[], ...texts: unknown[]): boolean => {
	const text = nameKey(texts.flat().join(' '));
	return words.every((word) => text.includes(word.toLowerCase()));
};

/** The list of a resource locator whose choices are read all at once; the user's words narrow it. */
export const wholeList = (read: (editor: Editor) => Promise<INodeListSearchItems[]>) =>
	async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const choices = await inEditor(this, read);
		return { results: choices.filter(({ name }) => hasAll(wordsOf(filter), name)) };
	};

interface SearchedList<T> {
	/** @param text that Portal.io searches for; undefined for all records */
	list(text: string | undefined, editor: Editor): PagedList | Promise<PagedList>;
	label(record: T): string;
	/** Texts besides the label that a search looks at. */
	also?(record: T): unknown[];
	/** Words of labels that Portal.io does not find anything by, in lower case. */
	notSearched?: string[];
	/** Whether Portal.io itself finds records by several words. */
	findsWords?: boolean;
}

const LIST_PAGE_SIZE = 50;
/** The number of pages that are searched for a label with all words. */
const MAX_PAGES = 5;

/**
 * A list that Portal.io searches. It cannot find *First Last* or `#1042`: it gets only the most
 * specific word, and the label has to contain the others.
 */
export const pagedList = <T extends { id?: unknown }>(searched: SearchedList<T>) =>
	async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const { list, label, also, notSearched, findsWords } = searched;
		const words = wordsOf(filter);
		const text = findsWords ? words.join(' ') : mostTelling(words, notSearched);
		return await inEditor(this, async (editor) => {
			const pages = await list(text || undefined, editor);
			const first = Number(paginationToken ?? 1);
			for (let page = first; ; page++) {
				const read = await readPage<T>(editor.session, pages, page, LIST_PAGE_SIZE);
				const { records, uncounted, total } = read;
				// By its ID: favorites may be on a page twice. Without an ID, a record cannot be chosen.
				const choices = new Map<number, string>();
				for (const record of [...records, ...uncounted]) {
					const name = label(record);
					const isMatch = findsWords || hasAll(words, name, also?.(record));
					if (isMatch && record.id) choices.set(Number(record.id), name);
				}
				const hasMore = records.length > 0 && page * LIST_PAGE_SIZE < total;
				if (choices.size > 0 || !hasMore || page - first === MAX_PAGES - 1) {
					return {
						results: [...choices].map(([value, name]) => ({ name, value })),
						paginationToken: hasMore ? String(page + 1) : undefined,
					};
				}
			}
		});
	};

function mostTelling(words: string[], notSearched: string[] = []): string | undefined {
	const weight = (word: string) => word.length + (/[\d@]/.test(word) ? 100 : 0);
	const searched = words.filter((word) => !notSearched.includes(word.toLowerCase()));
	return searched.sort((first, second) => weight(second) - weight(first))[0];
}
