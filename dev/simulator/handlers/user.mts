import { viewOf } from '../serializers/fields.mts';
import type { Handler } from '../context.mts';

/** `GET /public/users`: active users only. */
const getMany: Handler = ({ database, accountId }) => {
	const users = database
		.all('SELECT * FROM users WHERE account_id = ? AND is_active = 1 ORDER BY id', accountId)
		.map((row) => viewOf('ListedUser', row));
	return { body: { users, usersCount: users.length } };
};

/** Handlers of the user operations. */
export const user: Record<string, Handler> = { 'user.getMany': getMany };
