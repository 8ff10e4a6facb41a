import type { Resource } from '../../operation/operation';
import { getMany } from './getMany';

/** What a proposal sells again and again, such as monitoring. */
export const recurringService: Resource = {
	name: 'Recurring Service',
	description: 'A recurring service of a proposal',
	operations: { getMany },
};
