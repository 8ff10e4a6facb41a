/** What the sender of a delivery gets from a real n8n, and when. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../testbed/until.mts';
import { createChain, portalTrigger, type Part } from '../../testbed/workflowBuilder.mts';
import { client, onlySubscription, signatureHeader } from './delivery.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();
const EVENT = 'proposal.status_changed';

test('the sender gets an empty success before the workflow has ended', async () => {
	const { n8n } = stage();
	// The workflow asks it and gets its response when the sender has got one.
	const held: ServerResponse[] = [];
	const server = createServer((_request, response) => void held.push(response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.close();
		server.closeAllConnections();
	});
	const { port } = server.address() as AddressInfo;
	const asking: Part = {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url: `http://127.0.0.1:${port}/`, options: {} },
	};
	const workflow = await createChain(stage(), 'Slow', [portalTrigger([EVENT]), asking]);
	await n8n.activate(workflow);
	onTestFinished(() => n8n.deactivate(workflow));
	const { url, secret } = onlySubscription(stage());

	const body = JSON.stringify({ id: 'evt_slow', type: EVENT, created: '', data: {} });
	const { status, data } = await client.post(url, body, {
		headers: {
			'Content-Type': 'application/json',
			'X-Webhook-Signature': signatureHeader(body, secret),
		},
		timeout: 30_000,
		timeoutErrorMessage: 'n8n did not answer while the workflow was running',
	});
	expect({ status, data }).toEqual({ status: 200, data: '' });

	const response = await until('the request of the workflow', () => held[0]);
	response.end('{}');
	const ended = await until('the end of the execution', () =>
		n8n.executions({ workflowId: workflow.id }).find(({ stoppedAt }) => stoppedAt !== null),
	);
	expect(ended).toMatchObject({ status: 'success', mode: 'webhook' });
});
