/** The fields of operations that return lists or long records. */
import type { IDataObject } from 'n8n-workflow';
import { added, shownIf, withDefault } from './field';
import { choice, field, flag, requiredFlag } from './fieldTypes';
import { idOf } from './values';

/** How many records an operation returns. */
export const paging = {
	returnAll: withDefault(
		requiredFlag('Return All', {
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		}),
	),
	limit: shownIf(
		'returnAll',
		false,
		added(
			field('number', 'Limit', idOf, {
				typeOptions: { minValue: 1 },
				default: 50,
				description: 'Max number of results to return',
			}),
		),
	),
};

/** Whether to return the few fields that people map. */
export const simplify = flag('Simplify', {
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** The output of an operation with the field `simplify`. */
export const simplifiedBy =
	(simplified: (record: IDataObject) => IDataObject) =>
	(record: IDataObject, values: { simplify?: boolean }): IDataObject =>
		values.simplify ? simplified(record) : record;

/**
 * The options that sort a list.
 *
 * @param sortFields the values of `SortBy` that the service knows for it, `ModifiedDate` among them
 */
export const sorting = (sortFields: readonly string[]) => ({
	sortBy: added(choice('Sort By', sortFields, { default: 'ModifiedDate' })),
	sortDirection: added(
		choice('Sort Direction', [
			{ name: 'Ascending', value: 'Asc' },
			{ name: 'Descending', value: 'Desc' },
		]),
	),
});
