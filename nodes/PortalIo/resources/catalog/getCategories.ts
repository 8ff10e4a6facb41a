import { operation } from '../../shared/operation';

/** docs/portal-api.md#catalog */
export const getCategories = operation({
	name: 'Get Categories',
	action: 'Get categories of catalog',
	description:
		'List the industries of the catalog with their categories, for the filters of a search. Changes nothing.',
	mark: 'docs',
	fields: {},
	request: () => ({ method: 'GET', path: '/public/catalog/categories' }),
});
