import { listOf } from '../../shared/answers';
import { paging } from '../../shared/fields';
import type { Operation, Resource } from '../../shared/operation';

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
