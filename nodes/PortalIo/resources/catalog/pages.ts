import type { IDataObject } from 'n8n-workflow';
import { listOrNone, takeList, valueUnder } from '../../../../client/list';
import type { PageShape } from '../../../../client/pagination';

/** How the catalog comes in pages: its count leaves out what is repeated as a favorite. */
export const catalogPages: PageShape = {
	records: (answer) => catalogRecords(answer, LISTS),
	count: 'totalItemCount',
	counted: (answer) => catalogRecords(answer, COUNTED).length,
};

/** The lists of a page, and the type of what is in them. */
const COUNTED = { items: 'Part', labors: 'Labor', customItems: 'CustomItem' };
const LISTS = { items: 'Part', favoriteItems: 'Part', labors: 'Labor', customItems: 'CustomItem' };

/** What a page of the catalog found, each with its type; a favorite may be in it twice. */
function catalogRecords(answer: IDataObject, lists: Record<string, string>): IDataObject[] {
	const isPage = Object.keys(LISTS).some((name) => valueUnder(answer, name) !== undefined);
	const typed = (itemType: string, records: IDataObject[]) =>
		records.map((record) => ({ itemType, ...record }));
	return isPage
		? Object.entries(lists).flatMap(([name, type]) => typed(type, listOrNone(answer, name)))
		: typed('Part', takeList(answer, 'items', 'totalItemCount'));
}
