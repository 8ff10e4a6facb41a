/**
 * Polling triggers in a real n8n with its durable scheduler, which gives each poll new static data and
 * ends it after a time. Without it: restarts.test.mts. Copied, renamed and older static data:
 * test/wire/pollingMemory.
 */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { until } from '../../dev/testbed/until.mts';
import { createChain, noOp, pollingTrigger } from '../../dev/testbed/workflowBuilder.mts';
import { ownEnvironment } from './environments.mts';
import { finishedExecutions } from './handRuns.mts';

const environment = ownEnvironment();
const { submitted, viewed } = seed.proposals;
const control = () => environment().simulator.control;

/** Publishes a workflow that polls for statuses of proposals. */
async function publish(parameters: object = {}) {
	const { n8n } = environment();
	const trigger = pollingTrigger('proposalStatusChanged');
	const parts = [{ ...trigger, parameters: { ...trigger.parameters, ...parameters } }, noOp];
	const workflow = await createChain(environment(), 'Polling', parts);
	onTestFinished(() => n8n.deactivate(workflow));
	await n8n.activate(workflow);
	const reported = async () =>
		(await finishedExecutions(environment(), workflow)).flatMap((one) => itemsOf(one, 'Poll'));
	return {
		reported,
		reports: async (count: number) =>
			await until(`report ${count}`, async () => (await reported())[count - 1]),
		/** Waits for the end of a poll that begins after now: two requests each. */
		async nextPoll() {
			const { length } = control().requests;
			await until('two polls', () => control().requests.length >= length + 5 || undefined);
		},
	};
}

describe.each([
	['with', viewed, 'ViewedByClient'],
	['without', submitted, 'Submitted'],
])('%s durable cursors', (cursors, proposalId, status) => {
	beforeAll(async () => {
		await environment().n8n.restart({
			N8N_SCHEDULER_ENABLED: 'true',
			N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
			// In seconds: 5 and 10 by default.
			N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
			N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
			N8N_SCHEDULER_POLL_TIMEOUT: '15',
			N8N_POLLER_DURABLE_CURSORS_ENABLED: String(cursors === 'with'),
		});
	});

	// Only the memory shows a status that is not chosen.
	test(`reports a status again that was left for one that is not chosen, ${cursors} durable cursors`, async () => {
		const { reported, reports, nextPoll } = await publish({ statuses: ['Accepted'] });
		control().setStatus(proposalId, 'Accepted');
		await reports(1);
		control().setStatus(proposalId, 'Draft');
		await nextPoll();
		control().setStatus(proposalId, 'Accepted');
		await reports(2);
		await nextPoll();
		expect(await reported()).toMatchObject([
			{ proposalId, status: 'Accepted', previousStatus: status },
			{ proposalId, status: 'Accepted', previousStatus: 'Draft' },
		]);
	});
});

test('keeps polling after a response that stops in the middle', async () => {
	const { reports } = await publish();
	control().failNext({ operationId: 'proposal.getMany', brokenResponse: 'stuck' });
	control().setStatus(viewed, 'Completed');
	await reports(1);
	control().setStatus(viewed, 'Declined');
	expect(await reports(2)).toMatchObject({ status: 'Declined', previousStatus: 'Completed' });
});
