/** The fields of operations that return lists or long records. */
import { added, shownIf } from './field';
import { choice, collection, count, requiredFlag } from './types';

/** The fields that limit the number of records. */
export const paging = {
	returnAll: requiredFlag('Return All', {
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	limit: shownIf(
		'returnAll',
		false,
		added(count('Limit', { default: 50, description: 'Max number of results to return' })),
	),
};

/** The same for a list that is of use as a whole. */
export const wholePaging = {
	...paging,
	returnAll: {
		...paging.returnAll,
		property: { ...paging.returnAll.property, default: true },
	},
};

/**
 * The fields that sort a list.
 *
 * @param sortFields the values of `SortBy` that the service knows for it, `ModifiedDate` among them
 */
export const sort = (sortFields: readonly string[]) =>
	collection('Sort', 'Add sort', {
		sortBy: added(choice('Sort By', sortFields, { default: 'ModifiedDate' })),
		sortDirection: added(
			choice(
				'Sort Direction',
				[
					{ name: 'Ascending', value: 'Asc' },
					{ name: 'Descending', value: 'Desc' },
				],
				{ default: 'Desc' },
			),
		),
	});

/**
 * The order of a list: the given one, dates and numbers from the newest unless the user says otherwise.
 *
 * @param usual what the list is sorted by where the user does not say
 */
export function orderOf(
	{ sortBy, sortDirection }: { sortBy?: string; sortDirection?: string },
	usual: string,
) {
	const by = sortBy ?? usual;
	const isNewestFirst = /Date|Number|Active|Modified/.test(by);
	return { sortBy: by, sortDirection: sortDirection ?? (isNewestFirst ? 'Desc' : 'Asc') };
}
