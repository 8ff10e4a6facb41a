import { paging } from '../../fields/lists';
import { operation } from '../../operation/operation';

/** docs/dev/portal-api.md#users */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many users',
	description:
		'Retrieve a list of the active users of the account, any of whom can be the salesperson of a proposal',
	fields: paging,
	request: () => ({ method: 'GET', path: '/public/users' }),
	output: {
		list: ['users', 'usersCount'],
		schema: {
			id: 'integer',
			firstName: 'string',
			lastName: 'string',
			email: 'string',
			permissionGroup: 'string',
		},
	},
});
