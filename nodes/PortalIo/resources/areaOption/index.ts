import type { Resource } from '../../operation/operation';
import { create } from './create';
import { update } from './update';

/** The options of an area; the client chooses one. */
export const areaOption: Resource = { name: 'Area Option', operations: { create, update } };
