/** The login and the users of the account. */
import { compareRecords, endpointOf, type Json } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import type { Keys } from '../session.mts';
import { listIn } from './reading.mts';

const LOGIN = 'authentication.exchangeKey';

/**
 * Logs in, which everything else needs, and exchanges a second key to see whether the first one stays
 * valid.
 *
 * @throws CredentialError when the service refuses the login
 */
export async function checkLogin(probe: Probe, { username, password }: Keys): Promise<void> {
	const { session } = probe;
	const userApiKey = await session.logIn();
	probe.reportOf(LOGIN).verdict = 'confirmed';
	const endpoint = endpointOf(LOGIN);
	const query = { UserName: username, Password: password };
	const { path } = endpoint;
	const { isSuccess, data } = await session.send({ method: 'GET', path, query, userApiKey: '' });
	if (isSuccess) compareRecords(endpoint, data, probe.records);
	session.conversation.hide(String(data?.meta?.apiKey ?? ''));
	const { status } = await session.send({ method: 'GET', path: '/public/users', userApiKey });
	probe.facts.secondLoginLeavesFirstKeyValid = status !== 401;
}

export const userChecks: Check[] = [
	{
		operation: 'user.getMany',
		after: async (probe, { data }) => {
			const users = listIn(data, 'users');
			const isOwn = ({ email }: Json) =>
				String(email).toLowerCase() === probe.options.username.toLowerCase();
			probe.kept.userId = (users.find(isOwn) ?? users[0])?.id;
		},
	},
];
