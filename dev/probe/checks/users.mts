/** The login and the users of the account. */
import { isSame } from '../compare.mts';
import type { Check, Probe } from '../probe.mts';
import { Ended } from '../session.mts';
import { listIn } from './reading.mts';

/** @throws CredentialError when the service refuses the login, which everything else needs */
export async function checkLogin(probe: Probe): Promise<void> {
	const { session } = probe;
	const report = probe.reportOf('authentication.exchangeKey');
	await session.logIn().catch(async (error: Error) => {
		if (!/refused the signature/.test(error.message)) throw error;
		session.signQuery();
		await session.logIn().catch((other: Error) => {
			throw other instanceof Ended ? other : error;
		});
		report.note =
			'The signature covers the query string as well: one edition of the documentation says so. Set `signsQuery` of the credential.';
	});
	report.verdict = report.note === undefined ? 'confirmed' : 'differs';
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
