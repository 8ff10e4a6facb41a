/** What the sender of a delivery gets from a real n8n, and when. */
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../testbed/until.mts';
import { createChain, portalTrigger } from '../../testbed/workflowBuilder.mts';
import { client, onlySubscription, signatureHeader } from './delivery.mts';
import { makeHeldStep } from './heldStep.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();
const EVENT = 'proposal.status_changed';

test('the sender gets an empty success before the workflow has ended', async () => {
	const { n8n } = stage();
	const { step, run, close } = await makeHeldStep();
	onTestFinished(close);
	const workflow = await createChain(stage(), 'Slow', [portalTrigger([EVENT]), step]);
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

	const end = await run(1);
	end();
	const ended = await until('the end of the execution', () =>
		n8n.executions({ workflowId: workflow.id }).find(({ stoppedAt }) => stoppedAt !== null),
	);
	expect(ended).toMatchObject({ status: 'success', mode: 'webhook' });
});
