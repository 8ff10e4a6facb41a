import { filters, flag, ids, options, text, texts } from '../../shared/fieldTypes';
import { paging, simplify } from '../../shared/lists';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';
import { itemType } from './get';
import { catalogPages } from './pages';
import { simplifyCatalogItem } from './simplify';

const MAX_RAW = 100;
const DEFAULT_RAW = 50;
const several = (what: string) => ({ description: `${what}, separated by commas, or a list` });

/** docs/portal-api.md#catalog */
export const search = operation({
	name: 'Search',
	action: 'Search catalog',
	description:
		'Find items of the catalog by text, brand, supplier or category, with list price and cost. Finds labor and custom items when asked for them. Changes nothing.',
	mark: 'spec',
	fields: {
		...paging,
		simplify,
		filters: filters({
			brands: texts('Brands', several('Only items of these brands')),
			categoryIds: ids('Category IDs', several('Only items of these categories')),
			isCompanyApproved: flag('Company Approved', {
				description: 'Whether to find only approved items',
			}),
			isFavorite: flag('Favorite', { description: 'Whether to find only favorites' }),
			isInStock: flag('In Stock', { description: 'Whether to find only items in stock' }),
			itemType,
			parentCategoryIds: ids('Parent Category IDs', several('Only items below these categories')),
			searchText: text('Search Text', {
				description: 'Only items with this text in their name, brand or description',
			}),
			suppliers: texts('Suppliers', several('Only items of these suppliers')),
		}),
		options: options({
			rawResponse: flag('Raw Response', {
				default: false,
				description:
					'Whether to return the first page as Portal.io gives it, in one item, with counts and facets',
			}),
		}),
	},
	request: ({ filters: given, options: { rawResponse }, returnAll, limit = DEFAULT_RAW }) => ({
		method: 'GET',
		path: '/public/catalog',
		query: toWire(
			rawResponse ? { ...given, pageNumber: 1, pageSize: returnAll ? MAX_RAW : limit } : given,
		),
	}),
	list: (values) => (values.options.rawResponse ? undefined : catalogPages),
	output: (answer, values) =>
		values.simplify && !values.options.rawResponse ? simplifyCatalogItem(answer) : answer,
});
