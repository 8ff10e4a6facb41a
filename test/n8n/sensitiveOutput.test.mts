/**
 * What n8n does with the secret of a subscription that a workflow has created. The node marks it as
 * sensitive output; docs/n8n-internals.md#what-is-stored-and-shown says what that is worth.
 */
import axios from 'axios';
import { randomUUID } from 'node:crypto';
import { parse } from 'flatted';
import { afterEach, describe, expect, test } from 'vitest';
import { type Execution, itemsOf } from '../../dev/testbed/n8n/database.mts';
import { until } from '../../dev/testbed/until.mts';
import { createChain, manualStart, portal, type Part } from '../../dev/testbed/workflowBuilder.mts';
import { sharedEnvironment } from './environments.mts';

const environment = sharedEnvironment();
const url = 'https://receiver.example.com/secret';
const subscribe: Part = {
	...portal({
		resource: 'webhookSubscription',
		operation: 'create',
		url,
		events: ['proposal.status_changed'],
	}),
	name: 'Subscribe',
};
const use: Part = {
	name: 'Use',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: '={{ { hasSecret: typeof $json.secretKey === "string" } }}',
		options: {},
	},
};

/** The secret of the subscription that was made here. */
const secretOf = () => {
	const [{ secret_key: secret }] = environment().simulator.control.subscriptions() as [
		{ secret_key: string },
	];
	return secret;
};

/** What n8n's editor and API show of an execution. */
const shown = async ({ id }: Pick<Execution, 'id'>) =>
	parse((await environment().n8n.rest<{ data: string }>('GET', `/executions/${id}`)).data);

afterEach(() => environment().simulator.control.deleteSubscriptions(() => true));

describe('the secret of a subscription that a workflow created', () => {
	test('reaches the next step, and is shown with the execution by n8n 2.40', async () => {
		const workflow = await createChain(environment(), 'Subscribe', [manualStart, subscribe, use]);
		const execution = await environment().n8n.runManually(workflow, manualStart.name);
		expect(itemsOf(execution, 'Use')).toEqual([{ hasSecret: true }]);
		// If this fails, n8n has taken up what it had disconnected: say so in SECURITY.md.
		expect(JSON.stringify(await shown(execution))).toContain(secretOf());
	});

	test('is not kept where the workflow saves no executions', async () => {
		const { n8n } = environment();
		const path = randomUUID();
		const start: Part = {
			name: 'Call',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { path, responseMode: 'lastNode', options: {} },
			webhookId: path,
		};
		const workflow = await createChain(environment(), 'Unsaved', [start, subscribe, use], {
			saveDataSuccessExecution: 'none',
		});
		await n8n.activate(workflow);
		const { data } = await axios.get<object>(`${n8n.url}/webhook/${path}`);
		await n8n.deactivate(workflow);
		expect(data).toEqual({ hasSecret: true });
		expect(secretOf()).toHaveLength(44);
		// n8n answers first. What it keeps of the execution until it cleans up is the beginning of it.
		const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
		await until('the end of the execution', async () => {
			const { count } = await n8n.rest<{ count: number }>('GET', `/executions?filter=${filter}`);
			return count === 0 || undefined;
		});
		for (const { stored } of n8n.executions({ workflowId: workflow.id }))
			expect(stored).not.toContain(secretOf());
	});
});
