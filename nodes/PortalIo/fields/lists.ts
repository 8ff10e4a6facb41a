/** The fields of operations that return lists or long records. */
import { added, shownIf } from './field';
import { choice, collection, count, requiredFlag } from './types';

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

/** The same for lists that people need in full. */
export const wholePaging = {
	...paging,
	returnAll: {
		...paging.returnAll,
		property: { ...paging.returnAll.property, default: true },
	},
};

/** @param sortFields the values of `SortBy` for the list, with `ModifiedDate` */
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

/** The chosen order, or else by `usual`; dates and numbers start with the newest. */
export function orderOf(
	{ sortBy, sortDirection }: { sortBy?: string; sortDirection?: string },
	usual: string,
) {
	const by = sortBy ?? usual;
	const isNewestFirst = /Date|Number|Active|Modified/.test(by);
	return { sortBy: by, sortDirection: sortDirection ?? (isNewestFirst ? 'Desc' : 'Asc') };
}
