import type { IDataObject } from 'n8n-workflow';
import type { PageShape } from '../../../../client/pagination';
import { listOf } from '../../shared/output';

/** How the catalog comes in pages: its count leaves out what is repeated as a favorite. */
export const catalogPages: PageShape = {
	records: catalogRecords,
	count: 'totalItemCount',
	counted: (answer) =>
		['items', 'labors', 'customItems'].flatMap((name) => listOf(answer, name)).length,
};

/** What a page of the catalog found, each with its type; a favorite may be in it twice. */
function catalogRecords(answer: IDataObject): IDataObject[] {
	const typed = (name: string, itemType: string) =>
		listOf(answer, name).map((record) => ({ itemType, ...record }));
	return [
		...typed('items', 'Part'),
		...typed('favoriteItems', 'Part'),
		...typed('labors', 'Labor'),
		...typed('customItems', 'CustomItem'),
	];
}
