import type { Resource } from '../../shared/operation';
import { getMany } from './getMany';

export const user: Resource = { name: 'User', operations: { getMany } };
