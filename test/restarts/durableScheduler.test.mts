/**
 * Polling triggers in a real n8n with its durable scheduler, which gives each poll new static data and
 * ends it after a time. Each test has a service of its own, so that they run side by side.
 */
import { expect, test, type TestContext } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { until } from '../../dev/testbed/until.mts';
import {
	chain,
	createChain,
	manualStart,
	noOp,
	pollingTrigger,
	portal,
	webhook,
} from '../../dev/testbed/workflowBuilder.mts';
import { ownEnvironment } from '../n8n/environments.mts';
import { finishedExecutions, importCopy } from '../n8n/handRuns.mts';
import { setUp } from '../n8n/polled.mts';
import { returnToStatus, scheduler } from './durablePolls.mts';

const environment = ownEnvironment({ settings: scheduler });
const { accepted, submitted, viewed } = seed.proposals;

const start = (context: TestContext) => setUp(environment(), context);
const readUsers = portal({ resource: 'user', operation: 'getMany' });

test.concurrent('reports a status again that was left for another', (context) =>
	returnToStatus(environment(), context));

test.concurrent('keeps polling after a response that stops in the middle', async (context) => {
	const { control, publish, reports } = await start(context);
	await publish();
	control.failNext({ operationId: 'proposal.getMany', brokenResponse: 'stuck' });
	control.setStatus(viewed, 'Accepted');
	await reports(1);
	control.setStatus(viewed, 'Completed');
	expect(await reports(2)).toMatchObject({ status: 'Completed', previousStatus: 'Accepted' });
});

test.concurrent('ends a login whose response stops in the middle', async (context) => {
	const { n8n, credential, control, publish } = await start(context);
	control.failNext({ operationId: 'authentication.exchangeKey', brokenResponse: 'stuck' });
	const account = { n8n, credential };
	const reading = await createChain(account, 'Reading', [manualStart, readUsers]);
	const [{ status }] = await Promise.all([n8n.runManually(reading, manualStart.name), publish()]);
	expect(status).toBe('success');
	expect(control.exchangeCount()).toBe(2);
});

test.concurrent('begins with a baseline in a copy of a workflow that polls', async (context) => {
	const { n8n, control, polling, publish, reported, reports } = await start(context);
	await publish();
	control.setStatus(viewed, 'Accepted');
	await reports(1);
	await n8n.deactivate(polling);
	control.setStatus(submitted, 'Accepted');
	const { copy, staticData } = await importCopy(environment(), polling);
	expect(Object.keys(staticData)).toContain('node:Poll');
	await publish(copy);
	control.setStatus(accepted, 'Completed');
	await reports(1, copy);
	expect(await reported(copy)).toMatchObject([{ proposalId: accepted, status: 'Completed' }]);
});

test.concurrent('keeps its memory when the trigger is renamed and renamed back', async (context) => {
	const { n8n, control, polling, publish, change, reported, reports, nextPoll } =
		await start(context);
	await publish();
	control.setStatus(viewed, 'Accepted');
	await reports(1);
	await n8n.deactivate(polling);
	control.setStatus(viewed, 'Draft');
	await change({ name: 'Renamed' });
	await reports(2);
	await change({ name: 'Poll' });
	await nextPoll();
	expect(await reported()).toMatchObject([
		{ proposalId: viewed, status: 'Accepted', previousStatus: 'ViewedByClient' },
		{ proposalId: viewed, status: 'Draft', previousStatus: 'Accepted' },
	]);
});

test.concurrent('reports nothing again when a long execution puts older static data back', async (context) => {
	const { n8n, credential, control, publish, reported, reports, nextPoll } = await start(context);
	const call = webhook({ responseMode: 'onReceived' });
	const code = {
		name: 'Code',
		type: 'n8n-nodes-base.function',
		parameters: { functionCode: "getWorkflowStaticData('global').executions = 1; return items;" },
	};
	const { nodes, connections, ...more } = chain(
		'Polling and writing static data',
		[pollingTrigger('proposalStatusChanged'), noOp, call, code, readUsers],
		credential,
	);
	// Two chains.
	delete connections.End;
	const both = await n8n.createWorkflow({ ...more, nodes, connections });
	await publish(both);
	control.setStatus(viewed, 'Accepted');
	await reports(1, both);
	const gate = control.hold('user.getMany');
	await fetch(`${n8n.url}/webhook/${call.webhookId}`, { method: 'POST' });
	await gate.arrived(1, 60_000);
	control.setStatus(submitted, 'Accepted');
	await reports(2, both);
	control.setStatus(accepted, 'Completed');
	await reports(3, both);
	gate.release();
	await until(
		'the end of the long execution',
		async () => (await finishedExecutions(environment(), both))[3],
	);
	const { staticData } = await n8n.rest<{ staticData: object }>('GET', `/workflows/${both.id}`);
	expect(staticData).toMatchObject({ global: { executions: 1 } });
	await nextPoll();
	expect((await reported(both)).map(({ proposalId }) => proposalId)).toEqual([
		viewed,
		submitted,
		accepted,
	]);
});
