import type { Resource } from '../../shared/operation';
import { create } from './create';
import { getMany } from './getMany';

/** The locations of a contact (public reference, 5.4 and 5.5). */
export const location: Resource = { name: 'Location', operations: { create, getMany } };
