import type { Resource } from '../../operation/operation';
import { get } from './get';
import { getMany } from './getMany';

/** The change orders of a proposal: proposals themselves, with a parent. */
export const changeOrder: Resource = {
	name: 'Change Order',
	description: 'A change to an accepted proposal',
	operations: { get, getMany },
};
