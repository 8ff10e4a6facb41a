import { compact } from '../serializers/fields.mts';
import type { Handler } from '../context.mts';

/** `GET /public/users`: active users only. */
const getMany: Handler = ({ database, accountId }) => {
	const users = database
		.all('SELECT * FROM users WHERE account_id = ? AND is_active = 1 ORDER BY id', accountId)
		.map((row) =>
			compact({
				id: row.id,
				firstName: row.first_name,
				lastName: row.last_name,
				email: row.email,
				permissionGroup: row.permission_group,
			}),
		);
	return { body: { users, usersCount: users.length } };
};

/** Handlers of the user operations. */
export const user: Record<string, Handler> = { 'user.getMany': getMany };
