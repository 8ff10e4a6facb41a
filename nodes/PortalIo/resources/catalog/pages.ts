import type { IDataObject } from 'n8n-workflow';
import type { PageShape } from '../../../../client/pagination';
import { listOf, withKnown } from '../../shared/output';

/**
 * How the catalog comes in pages: its count leaves out what is repeated as a favorite.
 *
 * @param itemType that is searched for; Portal.io takes *Part* where none is given
 */
export const catalogPages = (itemType = 'Part'): PageShape => ({
	records: (answer) => [
		...typed(answer, 'items', itemType),
		...typed(answer, 'favoriteItems', itemType),
		...typed(answer, 'labors', 'Labor'),
		...typed(answer, 'customItems', 'CustomItem'),
	],
	count: 'totalItemCount',
	counted: (answer) =>
		['items', 'labors', 'customItems'].flatMap((name) => listOf(answer, name)).length,
});

/** What a page found under a name, each with its type; a favorite may be on the page twice. */
const typed = (answer: IDataObject, name: string, itemType: string) =>
	listOf(answer, name).map((record) => withKnown(record, { itemType }));
