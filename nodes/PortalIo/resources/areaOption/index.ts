import type { Resource } from '../../operation/operation';
import { create } from './create';
import { update } from './update';

/** The options of an area; the client chooses one. */
export const areaOption: Resource = {
	name: 'Area Option',
	description: 'One of the alternatives of an area',
	operations: { create, update },
};
