import { expect, onTestFinished } from 'vitest';

import { seed, startSimulator, type Settings, type Simulator } from '../../dev/simulator/index.mts';
import { Client } from './client.mts';

/**
 * Starts a simulator for the current test. When the test ends, the simulator must have kept to its
 * contract, and is stopped; the test may stop it earlier.
 */
async function startWithoutClient(settings: Partial<Settings> = {}): Promise<Simulator> {
	const simulator = await startSimulator(settings);
	onTestFinished(async () => {
		await simulator.stop();
		expect(simulator.control.contractViolations).toEqual([]);
	});
	return simulator;
}

/** The same, with the dealer signed in. */
export async function startForTest(
	settings: Partial<Settings> = {},
): Promise<{ simulator: Simulator; client: Client }> {
	const simulator = await startWithoutClient(settings);
	const client = await new Client(simulator, seed.dealer).signIn();
	return { simulator, client };
}
