import type { Resource } from '../../operation/operation';
import { create } from './create';
import { getMany } from './getMany';

export const location: Resource = { name: 'Location', operations: { create, getMany } };
