/** The polling trigger under n8n's durable scheduler, which gives each poll new static data. */
import { expect, onTestFinished, test } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { until } from '../../dev/testbed/until.mts';
import { createChain, noOp, pollingTrigger } from '../../dev/testbed/workflowBuilder.mts';
import { ownEnvironment } from './environments.mts';
import { finishedExecutions, newRequests } from './handRuns.mts';

const environment = ownEnvironment();

const { viewed } = seed.proposals;

test.each(['false', 'true'])(
	'reports a status again that was left for one that is not chosen, with durable cursors: %s',
	async (cursors) => {
		const { n8n, simulator } = environment();
		simulator.control.setStatus(viewed, 'ViewedByClient');
		await n8n.restart({
			N8N_SCHEDULER_ENABLED: 'true',
			N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
			N8N_POLLER_DURABLE_CURSORS_ENABLED: cursors,
		});
		const trigger = pollingTrigger('proposalStatusChanged');
		const parameters = { ...trigger.parameters, statuses: ['Accepted'] };
		const polling = await createChain(environment(), 'Polling', [{ ...trigger, parameters }, noOp]);
		await n8n.activate(polling);
		onTestFinished(() => n8n.deactivate(polling));
		const reported = async () =>
			(await finishedExecutions(environment(), polling)).flatMap((one) => itemsOf(one, 'Poll'));
		/** Waits for the end of a poll that begins after now: two requests each. */
		const nextPoll = async () => {
			const requests = newRequests(environment());
			await until('three polls', () => requests().length >= 5 || undefined, 120_000);
		};

		simulator.control.setStatus(viewed, 'Accepted');
		await until('the first report', async () => (await reported())[0], 120_000);
		simulator.control.setStatus(viewed, 'Draft');
		await nextPoll();
		simulator.control.setStatus(viewed, 'Accepted');
		await until('the second report', async () => (await reported())[1], 120_000);
		await nextPoll();
		expect(await reported()).toMatchObject([
			{ proposalId: viewed, status: 'Accepted' },
			{ proposalId: viewed, status: 'Accepted', previousStatus: 'Draft' },
		]);
	},
);
