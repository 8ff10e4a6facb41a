/**
 * Writes a simulated system's page for people: a table for each kind of record, with links to attached files.
 */
import { Eta } from 'eta';
import { isAttachment, isHtml, type Attachment, type PageRecords } from './system.mts';

const eta = new Eta({ views: import.meta.dirname });

interface Link {
	name: string;
	url: string;
}

/** @param pages the pages of all systems */
export function renderPage(name: string, url: string, shown: PageRecords, pages: Link[]): string {
	const tables = Object.entries(shown).map(([title, records]) => {
		const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
		const rows = records.map((record, row) =>
			columns.map((column) => {
				const value = (record as Record<string, unknown>)[column];
				const files = attachmentsIn(value);
				const links = files.map(({ filename }, index) => ({
					name: filename,
					url: `${url}/files/${encodeURIComponent(title)}/${row}/${index}`,
				}));
				if (isHtml(value)) return { html: value.html, text: '', links };
				return { text: files.length > 0 ? '' : textOf(value), links };
			}),
		);
		return { title, columns, rows: rows.toReversed() };
	});
	return eta.render('./page', { name, pages, tables });
}

/** Returns the file behind a link on the page; undefined if there is none. */
export function findFile(shown: PageRecords, pathname: string): Attachment | undefined {
	const [title, row, index] = pathname.split('/files/')[1]!.split('/') as [string, string, string];
	const record = shown[decodeURIComponent(title)]?.[Number(row)] ?? {};
	return Object.values(record).flatMap(attachmentsIn)[Number(index)];
}

const attachmentsIn = (value: unknown): Attachment[] =>
	Array.isArray(value) ? value.filter(isAttachment) : [];

const textOf = (value: unknown): string =>
	typeof value === 'object' && value !== null
		? JSON.stringify(value, null, 1)
		: String(value ?? '');
