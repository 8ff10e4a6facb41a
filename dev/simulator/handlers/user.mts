import { randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.mts';
import { viewOf } from '../serializers/fields.mts';
import type { Handler } from '../context.mts';

/**
 * Exchanges user name and password for a user key. Every exchange issues a new key; earlier ones
 * stay valid (assumed).
 */
const exchangeKey: Handler = ({ context, database, values, appKey }) => {
	const { clock } = context;
	const user = database.get(
		'SELECT * FROM users WHERE lower(email) = lower(?) AND is_active = 1',
		values.UserName,
	);
	if (!user || user.password !== values.Password) {
		throw new ServiceError(401, 'You are not authorized. Invalid user name or password.');
	}
	if (!user.is_email_verified) {
		throw new ServiceError(
			401,
			'You are not authorized. The e-mail address of this account is not verified.',
		);
	}
	const key = randomBytes(32).toString('base64');
	database.insert('user_keys', {
		key,
		app_key: appKey,
		user_id: user.id,
		created_date: clock.iso(),
	});
	return {
		body: {
			userId: String(user.id),
			sessionId: randomBytes(15).toString('base64url'),
			userName: user.email,
			displayName: [user.first_name, user.last_name].filter(Boolean).join(' '),
			bearerToken: '',
			refreshToken: '',
			roles: [user.permission_group],
			permissions: [],
			meta: { apiKey: key },
		},
	};
};

const getMany: Handler = ({ database, accountId }) => {
	const users = database
		.all('SELECT * FROM users WHERE account_id = ? AND is_active = 1 ORDER BY id', accountId)
		.map((row) => viewOf('ListedUser', row));
	return { body: { users, usersCount: users.length } };
};

export const user: Record<string, Handler> = {
	'authentication.exchangeKey': exchangeKey,
	'user.getMany': getMany,
};
