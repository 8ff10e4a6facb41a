import type { Resource } from '../../operation/operation';
import { getMany } from './getMany';

export const user: Resource = {
	name: 'User',
	description: 'A user of your account',
	operations: { getMany },
};
