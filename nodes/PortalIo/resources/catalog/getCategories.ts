import { listOf } from '../../shared/answers';
import type { Operation } from '../../shared/operation';

/** Public reference, 7.3. */
export const getCategories: Operation = {
	name: 'Get Categories',
	action: 'Get categories of catalog',
	description:
		'List the industries of the catalog with their categories, for the filters of a search. Changes nothing.',
	mark: 'docs',
	fields: [],
	request: () => ({ method: 'GET', path: '/public/catalog/categories' }),
	output: (answer) => (Array.isArray(answer) ? listOf(answer, '') : answer),
};
