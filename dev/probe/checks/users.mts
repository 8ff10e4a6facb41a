/** The login and the users of the account. */
import { compareRecords, isSame } from '../compare.mts';
import { endpointOf } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import { listIn } from './reading.mts';

const LOGIN = 'authentication.exchangeKey';

/**
 * Logs in, which everything else needs, and exchanges a second key to see whether the first one stays
 * valid.
 *
 * @throws CredentialError when the service refuses the login
 */
export async function checkLogin(probe: Probe): Promise<void> {
	const { session, options, facts, records } = probe;
	const userApiKey = await session.logIn();
	probe.reportOf(LOGIN).verdict = 'confirmed';
	const { method, path } = endpointOf(LOGIN);
	const query = { UserName: options.keys.username, Password: options.keys.password };
	const { isSuccess, data } = await session.send({ method, path, query, userApiKey: '' });
	if (isSuccess) compareRecords(endpointOf(LOGIN), data, records);
	session.conversation.hide(String(data?.meta?.apiKey ?? ''));
	const first = await session.send({ method: 'GET', path: '/public/users', userApiKey });
	// Another failure says nothing about the key.
	const isTold = first.isSuccess || [401, 403].includes(first.status);
	if (isTold) facts.secondLoginLeavesFirstKeyValid = first.status !== 401;
}

export const userChecks: Check[] = [
	{
		operation: 'user.getMany',
		after: async (probe, { data }) => {
			const users = listIn(data, 'users');
			const own = users.find(({ email }) => isSame(probe.options.keys.username, email));
			probe.kept.userId = (own ?? users[0])?.id;
		},
	},
];
