/** Polling triggers that n8n runs as it does by default, without its durable scheduler. */
import { expect, test } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { sharedEnvironment } from './environments.mts';
import { setUp } from './polled.mts';

const environment = sharedEnvironment();
const { submitted, viewed } = seed.proposals;

test('publishes a workflow while Portal.io fails, and keeps polling', async (context) => {
	const { control, publish, change, reported, reports } = await setUp(environment(), context);
	await publish();
	control.setStatus(viewed, 'Accepted');
	await reports(1);
	control.setStatus(submitted, 'Accepted');
	control.failNext({ operationId: 'proposal.getMany', status: 500, times: 1000 });
	await change({ notes: 'Changed' });
	control.clearFaults();
	await reports(2);
	expect(await reported()).toMatchObject([{ proposalId: viewed }, { proposalId: submitted }]);
});
