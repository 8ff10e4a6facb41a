import { requiredIds } from '../../shared/fieldTypes';

/** The items that an operation on several of them works on. */
export const itemIds = requiredIds('Item IDs', {
	placeholder: 'e.g. 101, 102',
	description: 'The items of the proposal, separated by commas, or a list',
});
