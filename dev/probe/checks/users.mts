/** The login and the users of the account. */
import { compareRecords, isSame } from '../compare.mts';
import { endpointOf } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import { Ended } from '../session.mts';
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
	const report = probe.reportOf(LOGIN);
	const userApiKey = await session.logIn().catch(async (error: Error) => {
		if (!/refused the signature/.test(error.message)) throw error;
		session.signQuery(true);
		const key = await session.logIn().catch((other: Error) => {
			session.signQuery(false);
			throw other instanceof Ended ? other : error;
		});
		report.note =
			'The signature covers the query string as well: one edition of the documentation says so. Set `signsQuery` of the credential.';
		return key;
	});
	report.verdict = report.note === undefined ? 'confirmed' : 'differs';
	facts.signsQuery = report.verdict === 'differs';
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
