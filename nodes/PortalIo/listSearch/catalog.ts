import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { catalogPages } from '../resources/catalog/pages';
import { label } from './choices';
import { searchPages } from './searchPages';

/** Items of the catalog by text. */
export async function searchCatalog(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const request = {
		method: 'GET',
		path: '/public/catalog',
		query: { SearchText: filter },
	} as const;
	const { results, paginationToken: next } = await searchPages<IDataObject>(
		this,
		{ request, ...catalogPages },
		paginationToken,
		({ id, brand, model, shortDescription }) => ({
			name: label(' – ', label(' ', brand, model), shortDescription),
			value: Number(id),
		}),
	);
	// A favorite may stand on the page twice.
	const once = new Map(results.map((choice) => [choice.value, choice]));
	return { results: [...once.values()], paginationToken: next };
}
