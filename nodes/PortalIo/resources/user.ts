import { paging } from '../fields/listFields';
import { runOneRequest, defineOperation, type Resource } from '../operation/operation';
import { request } from '../operation/requests';

/** See docs/dev/portal-api.md#users. */
const getMany = defineOperation({
	name: 'Get Many',
	action: 'Get many users',
	description: "Retrieve a list of the account's active users, such as salespeople",
	kind: 'read',
	fields: paging,
	run: runOneRequest(() => request.get('/public/users'), { list: ['users', 'usersCount'] }),
	output: {
		asIs: {
			userId: ['integer', 'id'],
			firstName: 'string',
			lastName: 'string',
			email: 'string',
			permissionGroup: 'string',
		},
	},
});

export const user: Resource = {
	name: 'User',
	description: 'A user in your account',
	operations: { getMany },
};
