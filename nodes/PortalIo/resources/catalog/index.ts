import type { Resource } from '../../shared/operation';
import { get } from './get';
import { getCategories } from './getCategories';
import { search } from './search';

/** The catalog of items (specification, *Catalog search*; public reference, 7). */
export const catalog: Resource = { name: 'Catalog', operations: { get, getCategories, search } };
