/** Polls with n8n's durable scheduler. */
import { expect, type TestContext } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import type { Environment } from '../../dev/testbed/environment.mts';
import { createPollingWorkflow } from '../n8n/pollingWorkflow.mts';

/** Settings of the scheduler, in seconds. The defaults of the first two are 5 and 10. */
export const scheduler = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_POLL_TIMEOUT: '15',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'false',
};

/**
 * Expects another report about a proposal that leaves the chosen status and returns to it. Only the trigger's memory
 * shows that it left the status.
 */
export async function returnToStatus(environment: Environment, context: TestContext) {
	const { viewed } = seed.proposals;
	const { control, publish, reported, reports, nextPoll } = await createPollingWorkflow(
		environment,
		context,
		{
			statuses: ['Accepted'],
		},
	);
	await publish();
	control.setStatus(viewed, 'Accepted');
	await reports(1);
	control.setStatus(viewed, 'Draft');
	await nextPoll();
	control.setStatus(viewed, 'Accepted');
	await reports(2);
	await nextPoll();
	expect(await reported()).toMatchObject([
		{ proposalId: viewed, status: 'Accepted', previousStatus: 'ViewedByClient' },
		{ proposalId: viewed, status: 'Accepted', previousStatus: 'Draft' },
	]);
}
