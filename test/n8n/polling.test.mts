/** Tests polling triggers in n8n's default mode, without its durable scheduler. */
import { expect, it } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { until } from '../../dev/testbed/until.mts';
import { sharedEnvironment } from './environments.mts';
import { createPollingWorkflow } from './pollingWorkflow.mts';

const environment = sharedEnvironment();
const { submitted, viewed } = seed.proposals;

it('keeps polling if Portal.io fails while a workflow is being published', async (context) => {
	const polled = await createPollingWorkflow(environment(), context);
	const { n8n, control, polling, publish, change, reported, reports } = polled;
	await publish();
	control.setStatus(viewed, 'Accepted');
	await reports(1);
	control.setStatus(submitted, 'Accepted');
	control.failNext({ operationId: 'proposal.getMany', status: 500, times: 1000 });
	const { length } = n8n.logs();
	const { parameters } = polling.nodes[0]!;
	await change({ parameters: { ...parameters, options: { fetchProposal: false } } });
	// Without the durable scheduler, n8n polls when it publishes the workflow. Wait until this poll has failed.
	const isRetryLogged = () =>
		n8n.logs().slice(length).includes('the first poll failed and will be retried');
	await until('the first poll of the new version', () => isRetryLogged() || undefined, 120_000);
	control.clearFaults();
	await reports(2);
	expect(await reported()).toMatchObject([{ proposalId: viewed }, { proposalId: submitted }]);
});

it('reports a change in the next poll if n8n discards a poll because the workflow is published again', async (context) => {
	const polled = await createPollingWorkflow(environment(), context);
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
