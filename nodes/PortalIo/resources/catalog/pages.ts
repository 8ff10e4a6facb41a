import type { IDataObject } from 'n8n-workflow';
import { listOrNone, takeList, valueUnder } from '../../../../client/data';
import type { PageShape } from '../../../../client/pages';
import { withKnown } from '../../operation/output';

/** The lists of a page, and the type of what is in them where it is not the one that is searched for. */
const COUNTED = { items: undefined, labors: 'Labor', customItems: 'CustomItem' };
const LISTS = { ...COUNTED, favoriteItems: undefined };

/**
 * How the catalog comes in pages: its count leaves out what is repeated as a favorite.
 *
 * @param sought type; Portal.io takes *Part* where none is given
 */
export const catalogPages = (sought = 'Part'): PageShape => ({
	records: (answer) => catalogRecords(answer, LISTS, sought),
	count: 'totalItemCount',
	counted: (answer) => catalogRecords(answer, COUNTED, sought),
});

/** What a page of the catalog found, each with its type; a favorite may be in it twice. */
function catalogRecords(
	answer: IDataObject,
	lists: Record<string, string | undefined>,
	sought: string,
): IDataObject[] {
	const isPage = Object.keys(LISTS).some((name) => valueUnder(answer, name) !== undefined);
	const typed = (records: IDataObject[], itemType = sought) =>
		records.map((record) => withKnown(record, { itemType }));
	return isPage
		? Object.entries(lists).flatMap(([name, type]) => typed(listOrNone(answer, name), type))
		: typed(takeList(answer, 'items', 'totalItemCount'));
}
