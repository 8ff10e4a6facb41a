/**
 * What n8n does with the secret of a subscription that a workflow has created. The node marks it as
 * sensitive output; docs/dev/n8n-internals.md#what-is-stored-and-shown says what that is worth.
 */
import axios from 'axios';
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../dev/testbed/until.mts';
import { createChain, portal } from '../../dev/testbed/workflowBuilder.mts';
import { sharedEnvironment } from './environments.mts';

const environment = sharedEnvironment();

test('hands a secret to the next step, and keeps none where the workflow saves no executions', async () => {
	const { n8n, simulator } = environment();
	onTestFinished(() => simulator.control.deleteSubscriptions());
	const path = randomUUID();
	const url = 'https://receiver.example.com/secret';
	const create = { url, events: ['proposal.status_changed'] };
	const jsonOutput = '={{ { hasSecret: typeof $json.secretKey === "string" } }}';
	const parts = [
		{
			name: 'Call',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { path, responseMode: 'lastNode', options: {} },
			webhookId: path,
		},
		portal({ resource: 'webhookSubscription', operation: 'create', ...create }),
		{
			name: 'Use',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput, options: {} },
		},
	];
	const settings = { saveDataSuccessExecution: 'none' };
	const workflow = await createChain(environment(), 'Unsaved', parts, settings);
	await n8n.activate(workflow);
	const { data } = await axios.get<object>(`${n8n.url}/webhook/${path}`);
	await n8n.deactivate(workflow);
	expect(data).toEqual({ hasSecret: true });
	const secret = String(simulator.control.subscriptions()[0]!.secret_key);
	expect(secret).toHaveLength(44);
	// n8n answers first, and keeps the beginning of an execution until it cleans up.
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
	await until('the end of the execution', async () => {
		const { count } = await n8n.rest<{ count: number }>('GET', `/executions?filter=${filter}`);
		return count === 0 || undefined;
	});
	for (const { stored } of await n8n.executions({ workflowId: workflow.id }))
		expect(stored).not.toContain(secret);
});
