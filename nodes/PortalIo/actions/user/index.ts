import { listOf } from '../answers';
import { paging } from '../fields';
import type { Operation, Resource } from '../operation';

/** Public reference, 6. The service gives all active users at once. */
const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many users',
	description:
		'List the active users of the account; the ID of one is the salesperson of a proposal. Changes nothing.',
	mark: 'docs',
	fields: paging,
	request: () => ({ method: 'GET', path: '/public/users' }),
	output: (answer) => listOf(answer, 'users'),
};

/** The users of an account. */
export const user: Resource = { name: 'User', operations: { getMany } };
