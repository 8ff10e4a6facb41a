import { expect, test } from 'vitest';

import { seed, startSimulator } from '../../dev/simulator/index.mts';
import { Client } from './client.mts';

test('answers off the contract with a loud 500', async () => {
	const lines: string[] = [];
	const simulator = await startSimulator({ log: (line) => lines.push(line) });
	const client = await new Client(simulator, seed.dealer).signIn();
	const { proposals } = seed;
	simulator.control.setStatus(proposals.empty, 'Nonsense');
	const reply = await client.get(`/public/proposals/${proposals.empty}`);
	expect(reply.status).toBe(500);
	expect(simulator.control.contractViolations).toMatchObject([
		{ operationId: 'proposal.get', status: 200 },
	]);
	expect(lines.join('\n')).toContain('CONTRACT VIOLATION');
	await simulator.stop();
});
