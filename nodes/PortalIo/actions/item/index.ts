import type { Resource } from '../operation';
import { getMany } from './getMany';
import { refreshCosts } from './refreshCosts';

/** The items of a proposal: parts, labor, custom items and fees (specification, *AreaItem*). */
export const item: Resource = { name: 'Item', operations: { getMany, refreshCosts } };
