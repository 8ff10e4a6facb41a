/**
 * Tests polling triggers in a real n8n with its durable scheduler, which gives each poll new static data and stops it
 * after a time limit. Each test has its own Portal.io, so the tests run concurrently.
 */
import { expect, it, type TestContext } from 'vitest';
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
import { finishedExecutions, importCopy } from '../n8n/executions.mts';
import { createPollingWorkflow } from '../n8n/pollingWorkflow.mts';
import { returnToStatus, scheduler } from './schedulerPolls.mts';

const environment = ownEnvironment({ settings: scheduler });
const { accepted, submitted, viewed } = seed.proposals;

const start = (context: TestContext) => createPollingWorkflow(environment(), context);
const readUsers = portal({ resource: 'user', operation: 'getMany' });

it.concurrent('reports a status again when a proposal returns to it', (context) =>
	returnToStatus(environment(), context));

it.concurrent('keeps polling after a response that stops in the middle', async (context) => {
	const { control, publish, reports } = await start(context);
	await publish();
	control.failNext({ operationId: 'proposal.getMany', brokenResponse: 'stuck' });
	control.setStatus(viewed, 'Accepted');
	await reports(1);
	control.setStatus(viewed, 'Completed');
	expect(await reports(2)).toMatchObject({ status: 'Completed', previousStatus: 'Accepted' });
});

it.concurrent('retries a login whose response stops in the middle', async (context) => {
	const { n8n, credential, control, publish } = await start(context);
	control.failNext({ operationId: 'authentication.exchangeKey', brokenResponse: 'stuck' });
	const account = { n8n, credential };
	const readWorkflow = await createChain(account, 'Reading', [manualStart, readUsers]);
	const [{ status }] = await Promise.all([
		n8n.runManually(readWorkflow, manualStart.name),
		publish(),
	]);
	expect(status).toBe('success');
	expect(control.loginCount()).toBe(2);
});

it.concurrent('records a new baseline in a copied workflow', async (context) => {
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

it.concurrent('preserves its memory when the trigger is renamed twice', async (context) => {
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

it.concurrent('reports each change only once if a long execution restores older static data', async (context) => {
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
	// Disconnect the second trigger, so there are two chains.
	delete connections.End;
	const workflow = await n8n.createWorkflow({ ...more, nodes, connections });
	await publish(workflow);
	control.setStatus(viewed, 'Accepted');
	await reports(1, workflow);
	const gate = control.hold('user.getMany');
	await fetch(`${n8n.url}/webhook/${call.webhookId}`, { method: 'POST' });
	await gate.arrived(1, 60_000);
	control.setStatus(submitted, 'Accepted');
	await reports(2, workflow);
	control.setStatus(accepted, 'Completed');
	await reports(3, workflow);
	gate.release();
	await until(
		'the end of the long execution',
		async () => (await finishedExecutions(environment(), workflow))[3],
	);
	const { staticData } = await n8n.rest<{ staticData: object }>('GET', `/workflows/${workflow.id}`);
	expect(staticData).toMatchObject({ global: { executions: 1 } });
	await nextPoll();
	expect((await reported(workflow)).map(({ proposalId }) => proposalId)).toEqual([
		viewed,
		submitted,
		accepted,
	]);
});
