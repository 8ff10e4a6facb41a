import { randomBytes } from 'node:crypto';
import { unauthorized } from '../authentication.mts';
import { viewOf } from '../serializers/fields.mts';
import type { Handler } from '../context.mts';

export const user: Record<string, Handler> = {
	/** Returns a user API key. Previous keys remain valid (assumed). */
	'authentication.exchangeKey': ({ context, database, values, appKey, now }) => {
		const email = values.UserName.toLowerCase();
		const user = database
			.rows('users', { password: values.Password, is_active: 1 })
			.find((one) => String(one.email).toLowerCase() === email);
		if (!user) throw unauthorized('Invalid user name or password.');
		if (!user.is_email_verified) {
			throw unauthorized('The e-mail address of this account is not verified.');
		}
		const owner = { app_key: appKey, user_id: user.id! };
		let key = database.row('user_keys', owner)?.key;
		if (key === undefined || context.settings.userKeys === 'new') {
			key = randomBytes(32).toString('base64');
			database.insert('user_keys', { key, ...owner, created_date: now });
		}
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
	},

	'user.getMany': ({ database, accountId }) => {
		const users = database
			.rows('users', { account_id: accountId, is_active: 1 })
			.map((row) => viewOf('ListedUser', row));
		return { body: { users, usersCount: users.length } };
	},
};
