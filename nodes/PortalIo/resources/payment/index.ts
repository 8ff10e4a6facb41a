import type { Resource } from '../../operation/operation';
import { getMany } from './getMany';

/** What the client of a proposal has to pay: requested, or planned by the schedule. */
export const payment: Resource = {
	name: 'Payment',
	description: 'A payment of a proposal',
	operations: { getMany },
};
