import { listOf } from '../../shared/answers';
import { paging } from '../../shared/lists';
import { operation } from '../../shared/operation';

/** docs/portal-api.md#users */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many users',
	description:
		'List the active users of the account; the ID of one is the salesperson of a proposal. Changes nothing.',
	mark: 'docs',
	fields: paging,
	request: () => ({ method: 'GET', path: '/public/users' }),
	output: (answer) => listOf(answer, 'users'),
});
