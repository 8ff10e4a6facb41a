import type { Resource } from '../../shared/operation';
import { getMany } from './getMany';

/** The users of an account. */
export const user: Resource = { name: 'User', operations: { getMany } };
