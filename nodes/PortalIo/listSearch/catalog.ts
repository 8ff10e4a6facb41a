import {
	NodeOperationError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { catalogPages } from '../resources/catalog/pages';
import { label } from './choices';
import { searchPages } from './searchPages';

/** Items of the catalog by text, of the type in the field above. */
export async function searchCatalog(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const itemType = this.getCurrentNodeParameter('itemType');
	return await search(this, itemType, filter, paginationToken);
}

/** Items of the catalog by text, of the type in the same row of a list. */
export async function searchCatalogOfRow(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const itemType = this.getCurrentNodeParameter('&itemType');
	if (itemType === 'Fee') {
		throw new NodeOperationError(
			this.getNode(),
			"Portal.io has no list of fees: choose 'By ID' and enter the ID of the fee",
		);
	}
	return await search(this, itemType, filter, paginationToken);
}

/** Portal.io takes *Part* where no type is given. */
async function search(
	context: ILoadOptionsFunctions,
	itemType: unknown,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const query = {
		SearchText: filter,
		ItemType: typeof itemType === 'string' && itemType !== '' ? itemType : undefined,
	};
	const { results, paginationToken: next } = await searchPages<IDataObject>(
		context,
		{ request: { method: 'GET', path: '/public/catalog', query }, ...catalogPages },
		paginationToken,
		(record) => ({ name: itemLabel(record), value: Number(record.id) }),
	);
	// A favorite may stand on the page twice.
	const once = new Map(results.map((choice) => [choice.value, choice]));
	return { results: [...once.values()], paginationToken: next };
}

/** What an item is and does; once, where its description begins with its name, as that of labor may. */
function itemLabel({ id, brand, model, name, shortDescription }: IDataObject): string {
	const title = label(' ', brand, model) || String(name ?? '');
	const text = String(shortDescription ?? '');
	const isRepeated = text.startsWith(title) && !/\w/.test(text.charAt(title.length));
	return (isRepeated ? text : label(' – ', title, text)) || `Item ${String(id)}`;
}
