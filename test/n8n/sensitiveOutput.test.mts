/** Searches n8n's database for the secret of a subscription that a workflow created with the node. */
import axios from 'axios';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../dev/testbed/until.mts';
import { createChain, editFields, portal, webhook } from '../../dev/testbed/workflowBuilder.mts';
import { sharedEnvironment } from './environments.mts';

const environment = sharedEnvironment();

it('stores no secret if the workflow saves no executions', async () => {
	const { n8n, simulator } = environment();
	onTestFinished(() => simulator.control.deleteSubscriptions({}));
	const call = webhook({ responseMode: 'lastNode' });
	const parts = [
		call,
		portal({
			resource: 'webhookSubscription',
			operation: 'create',
			url: 'https://receiver.example.com/secret',
			events: ['proposal.status_changed'],
		}),
		editFields('={{ { length: $json.secretKey.length } }}'),
	];
	const settings = { saveDataSuccessExecution: 'none' };
	const workflow = await createChain(environment(), 'Unsaved', parts, settings);
	await n8n.activate(workflow);
	onTestFinished(() => n8n.deactivate(workflow));
	const { data } = await axios.post<object>(`${n8n.url}/webhook/${call.webhookId}`);
	expect(data).toEqual({ length: 44 });
	const secret = String(simulator.control.subscriptions()[0]!.secret_key);
	expect(secret).toHaveLength(44);
	// Wait, because n8n stores an execution when it starts, and might respond before it deletes this one.
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
	await until('the end of the execution', async () => {
		const { count } = await n8n.rest<{ count: number }>('GET', `/executions?filter=${filter}`);
		return count === 0 || undefined;
	});
	for (const { stored } of await n8n.executions({ workflowId: workflow.id }))
		expect(stored).not.toContain(secret);
});
