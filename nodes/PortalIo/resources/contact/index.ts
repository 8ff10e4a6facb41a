import type { Resource } from '../../shared/operation';
import { create } from './create';
import { get } from './get';
import { getMany } from './getMany';

/** The people and companies of an account. */
export const contact: Resource = { name: 'Contact', operations: { create, get, getMany } };
