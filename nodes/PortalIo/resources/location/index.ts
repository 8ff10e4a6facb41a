import type { Resource } from '../../shared/operation';
import { create } from './create';
import { getMany } from './getMany';

export const location: Resource = { name: 'Location', operations: { create, getMany } };
