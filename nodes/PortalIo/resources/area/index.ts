import type { Resource } from '../../operation/operation';
import { create } from './create';
import { getMany } from './getMany';

/** The areas of a proposal, such as rooms. */
export const area: Resource = {
	name: 'Area',
	description: 'A room or zone of a proposal',
	operations: { create, getMany },
};
