/** The probe changes nothing but what it has made, whatever a service returns. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProbe } from '../../probe/run.mts';
import { seed, startSimulator, type Simulator } from '../../simulator/index.mts';
import { requestHelper } from '../../testbed/nodeRunner.mts';
import { startGateway, type Incoming } from './gateway.mts';

let simulator: Simulator;
beforeAll(async () => void (simulator = await startSimulator()));
afterAll(async () => await simulator.stop());

/** Runs the probe where the response to a creation has the ID of another record. */
const runWithForeignId = async (path: string, id: number) =>
	await runWith(({ method, url }, body) => {
		if (method !== 'POST' || url !== path) return undefined;
		return { body: JSON.stringify({ ...JSON.parse(body), id }) };
	});

/** Runs the probe where some responses are changed. */
async function runWith(after: Parameters<typeof startGateway>[1]['after']) {
	const { appKey, secretKey, username, password } = seed.dealer;
	const gateway = await startGateway(simulator.port, { after });
	try {
		return await runProbe({
			baseUrl: gateway.url,
			keys: { appKey, secretKey, username, password },
			httpRequest: requestHelper() as never,
			signal: new AbortController().signal,
			intervalMs: 0,
		});
	} finally {
		await gateway.stop();
	}
}

it('leaves another proposal alone whose ID the creation returns', async () => {
	const id = seed.proposals.staleTheatre;
	const before = JSON.stringify(simulator.control.proposal(id));
	const report = await runWithForeignId('/public/proposals', id);
	expect(JSON.stringify(simulator.control.proposal(id))).toBe(before);
	const verdict = (name: string) => report.endpoints.find(({ operation }) => operation === name)!;
	expect(verdict('proposal.create').verdict).not.toBe('confirmed');
	expect(verdict('proposal.update').verdict).toBe('not tried');
	expect(verdict('item.delete').verdict).toBe('not tried');
});

it('leaves another contact alone whose ID the creation returns', async () => {
	const people = () =>
		JSON.stringify(simulator.control.proposal(seed.proposals.submitted).customer);
	const before = people();
	const { id } = JSON.parse(before) as { id: number };
	const report = await runWithForeignId('/public/people', id);
	expect(people()).toBe(before);
	const { verdict } = report.endpoints.find(({ operation }) => operation === 'location.create')!;
	expect(verdict).toBe('not tried');
});

it('names what it has made although no response told of it', async () => {
	let isLost = false;
	const report = await runWith(({ method, url }: Incoming) => {
		if (method !== 'POST' || url !== '/public/proposals' || isLost) return undefined;
		isLost = true;
		return { status: 500, body: '{}' };
	});
	expect(report.left.join()).toContain('2 proposals named');
});
