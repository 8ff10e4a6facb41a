import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { PortalError } from '../../../client/errors';
import { readPages, type PagedList } from '../../../client/lists';
import { readProposal } from '../../../client/proposal';
import { openSession, type Session } from '../../../client/session';
import { runWithNodeErrors } from '../../shared/nodeError';
import { nameKey, toPlainText } from '../../shared/text';
import { isEmpty, RecordReference, type Field } from '../fields/field';
import { labelErrors } from '../fields/fieldError';
import { proposalId } from '../fields/locators';
import { createLookups } from '../lookup/lookups';
import { findWithLabel, type Scope } from '../lookup/references';

function createEditor(context: ILoadOptionsFunctions, session: Session) {
	/** Returns the ID of the record that is chosen in another field. Throws a PortalError if that field is empty. */
	const chosenId = async (
		name: string,
		field: Field<number | RecordReference>,
		scope: Scope = {},
	): Promise<number> => {
		const { displayName } = field.property;
		const value = context.getCurrentNodeParameter(name);
		if (isEmpty(value)) throw new PortalError(`Choose the '${displayName}' first`);
		const timezone = context.getTimezone();
		const id = labelErrors(displayName, () => field.parse(value, { timezone }));
		return id instanceof RecordReference
			? await findWithLabel(id, createLookups(session), scope)
			: id;
	};
	const chosenProposalId = async () => await chosenId('proposalId', proposalId);
	return {
		context,
		session,
		chosenId,
		proposalId: chosenProposalId,
		proposal: async () => await readProposal(session, await chosenProposalId()),
	};
}

export type Editor = ReturnType<typeof createEditor>;

const runInEditor = async <R>(
	context: ILoadOptionsFunctions,
	read: (editor: Editor) => Promise<R>,
) =>
	await runWithNodeErrors(
		context,
		async () => await read(createEditor(context, await openSession(context))),
	);

export const multiSelect = (read: (editor: Editor) => Promise<INodePropertyOptions[]>) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await runInEditor(this, read);
	};

/** Returns the words of the search text. Drops the punctuation around each word, such as the parentheses in labels. */
const splitWords = (filter: string): string[] =>
	toPlainText(filter)
		.split(' ')
		.flatMap((word) => /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/u.exec(word)?.[0] ?? []);

const hasAll = (words: string[], ...texts: unknown[]): boolean => {
	const text = nameKey(texts.flat().join(' '));
	return words.every((word) => text.includes(word.toLowerCase()));
};

/**
 * Returns a search method for a resource locator. The method reads all choices and keeps those that contain the words
 * that the user typed.
 */
export const wholeList = (read: (editor: Editor) => Promise<INodeListSearchItems[]>) =>
	async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const choices = await runInEditor(this, read);
		return { results: choices.filter(({ name }) => hasAll(splitWords(filter), name)) };
	};

interface SearchedList<T> {
	/** @param text text that Portal.io searches for; undefined for all records */
	list(text: string | undefined, editor: Editor): PagedList | Promise<PagedList>;
	label(record: T): string;
	extraTexts?(record: T): unknown[];
	/** Lowercase words that labels contain but that Portal.io cannot search for, such as `draft`. */
	unsearchableWords?: string[];
	/** True if Portal.io's search returns only records that contain all words, in any order. */
	matchesAllWords?: boolean;
}

const LIST_PAGE_SIZE = 50;
/** Maximum number of pages that one search reads to find a match. */
const MAX_PAGES = 5;

/**
 * Returns a search method for a resource locator whose list Portal.io searches. Most lists cannot be searched for
 * *First Last* or `#1042`. So unless `matchesAllWords` is true, the method sends only the most specific word to Portal.io,
 * and looks for the other words in the labels.
 */
export const pagedList = <T extends { id?: unknown }>(searchedList: SearchedList<T>) =>
	async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const { list, label, extraTexts, unsearchableWords, matchesAllWords } = searchedList;
		const words = splitWords(filter);
		const text = matchesAllWords ? words.join(' ') : mostSpecific(words, unsearchableWords);
		return await runInEditor(this, async (editor) => {
			const firstPage = Number(paginationToken ?? 1);
			const lastPage = firstPage + MAX_PAGES - 1;
			const pages = readPages<T>(editor.session, await list(text || undefined, editor), {
				firstPage,
				pageSize: LIST_PAGE_SIZE,
				lastRecord: lastPage * LIST_PAGE_SIZE,
			});
			let page = firstPage;
			for await (const { records, uncounted, total } of pages) {
				// Show a favorite only once, even if the page repeats it, and skip records without an ID, which cannot
				// be chosen.
				const choices = new Map<number, string>();
				for (const record of [...records, ...uncounted]) {
					const name = label(record);
					const isMatch = matchesAllWords || hasAll(words, name, extraTexts?.(record));
					if (isMatch && record.id) choices.set(Number(record.id), name);
				}
				const hasMore = records.length > 0 && page * LIST_PAGE_SIZE < total;
				if (choices.size > 0 || !hasMore || page === lastPage) {
					return {
						results: [...choices].map(([value, name]) => ({ name, value })),
						paginationToken: hasMore ? String(page + 1) : undefined,
					};
				}
				page++;
			}
			return { results: [] };
		});
	};

function mostSpecific(words: string[], unsearchableWords: string[] = []): string | undefined {
	const weight = (word: string) => word.length + (/[\d@]/.test(word) ? 100 : 0);
	const searchable = words.filter((word) => !unsearchableWords.includes(word.toLowerCase()));
	return searchable.sort((first, second) => weight(second) - weight(first))[0];
}
