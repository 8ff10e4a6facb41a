import type { Resource } from '../../operation/operation';
import { get } from './get';
import { getCategories } from './getCategories';
import { search } from './search';

/** The catalog of items, and the labor and custom items of the account's own library. */
export const catalog: Resource = {
	name: 'Catalog',
	description: 'What your account can put into proposals',
	operations: { get, getCategories, search },
};
