/** Stored credentials for the accounts of a simulator. */
import { seed, startSimulator, type Simulator } from '../../simulator/index.mts';
import { StoredCredential } from './harness.mts';

export { seed };

export type AccountName = 'dealer' | 'unverified' | 'lapsed' | 'restricted' | 'otherDealer';

/** Starts a simulator and gives ways to make credentials for it. */
export async function startService(options: Parameters<typeof startSimulator>[0] = {}) {
	const simulator = await startSimulator(options);
	return {
		simulator,
		control: simulator.control,
		credential: (name: AccountName = 'dealer', changes: Record<string, string> = {}) =>
			credentialFor(simulator, name, changes),
	};
}

function credentialFor(simulator: Simulator, name: AccountName, changes: Record<string, string>) {
	return new StoredCredential({
		environment: 'custom',
		baseUrl: simulator.url,
		...seed[name],
		...changes,
	});
}
