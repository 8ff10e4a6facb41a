import type { Resource } from '../../operation/operation';
import { create } from './create';
import { getMany } from './getMany';

export const location: Resource = {
	name: 'Location',
	description: 'An address of a contact',
	operations: { create, getMany },
};
