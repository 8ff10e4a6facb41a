import { collection } from './collections';
import { showIf } from './declare';
import { choice, REQUIRED_NUMBER, requiredFlag, setting } from './fieldTypes';

const createPaging = (returnsAll: boolean) => ({
	returnAll: requiredFlag('Return All', {
		default: returnsAll,
		description: 'Whether to return all results or only up to a given limit',
	}),
	limit: showIf('returnAll', false, {
		...setting('Limit', {
			min: 1,
			isWhole: true,
			default: 50,
			description: 'Max number of results to return',
		}),
		...REQUIRED_NUMBER,
	}),
});
export const paging = createPaging(false);
/** Paging for lists that are usually needed in full. */
export const wholePaging = createPaging(true);

const DIRECTIONS = [
	{ name: 'Ascending', value: 'Asc' },
	{ name: 'Descending', value: 'Desc' },
];

/** @param sortFields values that the list accepts as `SortBy`, including `ModifiedDate` */
export const sortCollection = (sortFields: readonly string[]) =>
	collection('Sort', 'Add sort', {
		sortBy: choice('Sort By', sortFields, { default: 'ModifiedDate' }),
		sortDirection: choice('Sort Direction', DIRECTIONS, { default: 'Desc' }),
	});

/**
 * Returns the order that the user chose. By default, dates and numbers are in descending order, and text in ascending
 * order.
 */
export function chooseOrder(
	sortValues: { sortBy?: string; sortDirection?: string },
	defaultSortBy: string,
) {
	const { sortBy = defaultSortBy } = sortValues;
	const defaultDirection = /Date|Number|Active|Modified/.test(sortBy) ? 'Desc' : 'Asc';
	return { sortBy, sortDirection: sortValues.sortDirection ?? defaultDirection };
}
