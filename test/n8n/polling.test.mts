/** Polling triggers that n8n runs as it does by default, without its durable scheduler. */
import { expect, test } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { until } from '../../dev/testbed/until.mts';
import { sharedEnvironment } from './environments.mts';
import { setUp } from './polled.mts';

const environment = sharedEnvironment();
const { submitted, viewed } = seed.proposals;

test('publishes a workflow while Portal.io fails, and keeps polling', async (context) => {
	const polled = await setUp(environment(), context);
	const { n8n, control, polling, publish, change, reported, reports } = polled;
	await publish();
	control.setStatus(viewed, 'Accepted');
	await reports(1);
	control.setStatus(submitted, 'Accepted');
	control.failNext({ operationId: 'proposal.getMany', status: 500, times: 1000 });
	const { length } = n8n.logs();
	const { parameters } = polling.nodes[0]!;
	await change({ parameters: { ...parameters, options: { fetchProposal: false } } });
	// The scheduler would not poll at this time.
	const isLeft = () =>
		n8n.logs().slice(length).includes('the first poll failed and will be retried');
	await until('the first poll of the new version', () => isLeft() || undefined, 120_000);
	control.clearFaults();
	await reports(2);
	expect(await reported()).toMatchObject([{ proposalId: viewed }, { proposalId: submitted }]);
});

test('reports what a poll has found that n8n discards, because the workflow is published during it', async (context) => {
	const polled = await setUp(environment(), context);
	const { control, polling, publish, change, reported, reports } = polled;
	await publish();
	control.setStatus(viewed, 'Accepted');
	await reports(1);
	control.setStatus(submitted, 'Accepted');
	const gate = control.hold('proposal.getMany');
	await gate.arrived(1, 60_000);
	const { parameters } = polling.nodes[0]!;
	await change({ parameters: { ...parameters, options: { fetchProposal: false } } });
	gate.release();
	await reports(2);
	expect(await reported()).toMatchObject([{ proposalId: viewed }, { proposalId: submitted }]);
});
