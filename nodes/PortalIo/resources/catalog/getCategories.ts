import { operation } from '../../operation/operation';

/** docs/dev/portal-api.md#catalog */
export const getCategories = operation({
	name: 'Get Categories',
	action: 'Get catalog categories',
	description:
		'Retrieve the industries of the catalog with their categories, for the filters of a search',
	fields: {},
	request: () => ({ method: 'GET', path: '/public/catalog/categories' }),
	output: { list: ['industries'], schema: { id: 'integer', name: 'string', categories: 'array' } },
});
