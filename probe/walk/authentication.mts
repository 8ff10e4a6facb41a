/** The login. */
import { compareWithContract, endpointOf } from '../contract.mts';
import type { Keys } from '../service.mts';
import type { Walk } from './walk.mts';

const OPERATION = 'authentication.exchangeKey';

/**
 * Logs in, learns what an unknown route looks like, and exchanges a second key to compare the
 * response and to see whether the first one stays valid.
 */
export async function tryLogIn({ probe }: Walk, keys: Keys): Promise<void> {
	const { service } = probe;
	const firstKey = await service.logIn();
	await service.learnMissingRoute();
	const endpoint = endpointOf(OPERATION);
	const answer = await service.send({
		method: endpoint.method,
		path: endpoint.path,
		query: { UserName: keys.username, Password: keys.password },
		userApiKey: '',
	});
	const differences = compareWithContract(endpoint, answer.data);
	const differs = differences.absent.length + differences.types.length > 0;
	Object.assign(probe.endpoints.get(OPERATION)!, {
		verdict: answer.status !== 200 ? 'refused' : differs ? 'differs' : 'confirmed',
		request: { format: 'none', fields: { UserName: 'string', Password: 'string' } },
		response: { status: answer.status, ...differences },
	});
	probe.facts.queryIsSigned = service.isQuerySigned;
	const read = await service.send({ method: 'GET', path: '/public/users', userApiKey: firstKey });
	probe.facts.exchangeEndsFirstKey = answer.status === 200 && read.status === 401;
}
