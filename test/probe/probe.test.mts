import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seed, startSimulator, type Simulator } from '../../simulator/index.mts';
import { probeOf } from './probing.mts';

describe('against the simulator as it is', () => {
	let simulator: Simulator;
	beforeAll(async () => void (simulator = await startSimulator()));
	afterAll(async () => await simulator.stop());

	test('confirms a change that the read-back shows', async () => {
		const probe = probeOf(simulator.url);
		await probe.service.logIn();
		const ids = { ProposalId: seed.proposals.empty };
		const answer = await probe.try({
			operation: 'proposal.update',
			ids,
			values: (attempt) => ({ Name: `n8n probe ${attempt}` }),
			hasEffect: async ({ Name }) =>
				((await probe.call('proposal.get', ids)).data as { name: string }).name === Name,
		});
		expect(answer?.status).toBe(200);
		expect(probe.endpoints.get('proposal.update')).toEqual({
			method: 'POST',
			path: '/public/proposals/{ProposalId}',
			operation: 'proposal.update',
			verdict: 'confirmed',
			request: { format: 'form', fields: { Name: 'string' } },
			response: { status: 200, added: [], absent: [], types: [] },
		});
	});
});
