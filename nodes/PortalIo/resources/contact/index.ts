import type { Resource } from '../../operation/operation';
import { create } from './create';
import { get } from './get';
import { getMany } from './getMany';

/** The people and companies of an account. */
export const contact: Resource = {
	name: 'Contact',
	description: 'A person or company',
	operations: { create, get, getMany },
};
