/** What the webhook trigger lets in, and what it refuses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../testbed/until.mts';
import type { StoredWorkflow } from '../../testbed/n8n/n8n.mts';
import { itemsOf } from '../../testbed/n8n/database.mts';
import { findSecrets } from '../../testbed/secrets.mts';
import { client, deliverAnother, onlySubscription, post, signatureHeader } from './delivery.mts';
import { createChain, noOp, portalTrigger } from '../../testbed/workflowBuilder.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();

describe('a delivery', () => {
	// White space and an umlaut: what is signed are the bytes, not what they mean.
	const body = `{"id":"evt_1", "type":"proposal.status_changed",\n"data":{"id":1,"name":"Küche"}}`;
	const now = () => Math.floor(Date.now() / 1000);
	let workflow: StoredWorkflow;
	let subscription: ReturnType<typeof onlySubscription>;
	const executions = () => stage().n8n.executions({ workflowId: workflow.id });

	beforeAll(async () => {
		workflow = await createChain(stage(), 'Deliveries', [
			portalTrigger(['proposal.status_changed']),
			noOp,
		]);
		await stage().n8n.activate(workflow);
		subscription = onlySubscription(stage());
	});
	afterAll(() => stage().n8n.deactivate(workflow));

	test('that is rightly signed starts an execution with the event as it came', async () => {
		const { url, secret } = subscription;
		expect(await post(url, body, signatureHeader(body, secret))).toBe(200);
		const execution = await until('the execution', () =>
			executions().find(
				(one) => one.stoppedAt !== null && itemsOf(one, 'Portal.io Trigger')[0]?.id === 'evt_1',
			),
		);
		expect(execution).toMatchObject({ status: 'success', mode: 'webhook' });
		expect(itemsOf(execution, 'Portal.io Trigger')).toEqual([JSON.parse(body)]);
		expect(findSecrets(execution.stored, { secret })).toEqual([]);
	});

	test('that comes ten times at the same instant starts one execution', async () => {
		const { url, secret } = subscription;
		const id = 'evt_at_once';
		const sent = JSON.stringify({ id, type: 'proposal.status_changed', created: '', data: {} });
		const signature = signatureHeader(sent, secret);
		const statuses = await Promise.all(
			Array.from({ length: 10 }, async () => await post(url, sent, signature)),
		);
		expect(statuses).toEqual(Array(10).fill(200));
		await deliverAnother(stage(), workflow, subscription);
		const started = executions().filter((one) =>
			itemsOf(one, 'Portal.io Trigger').some((item) => item.id === id),
		);
		expect(started).toHaveLength(1);
	});

	test.for([undefined, 'text/json', 'application/json; charset=utf-8', 'text/plain'])(
		'whose body is called %s is taken all the same',
		async (type) => {
			const { url, secret } = subscription;
			const id = `evt of ${type}`;
			const sent = JSON.stringify({ id, type: 'proposal.status_changed', data: {} });
			const { status } = await client.post(url, Buffer.from(sent), {
				headers: {
					'Content-Type': type ?? false,
					'X-Webhook-Signature': signatureHeader(sent, secret),
				},
			});
			expect(status).toBe(200);
			await until('the execution', () =>
				executions().find((one) => itemsOf(one, 'Portal.io Trigger')[0]?.id === id),
			);
		},
	);

	const refused: Record<string, () => [body: string, signature?: string]> = {
		'signed with another secret': () => [body, signatureHeader(body, 'another secret')],
		'with a signature that is no signature': () => [body, `t=${now()},v1=nonsense`],
		'whose body was changed': () => [
			body.replace('"id":1', '"id":2'),
			signatureHeader(body, subscription.secret),
		],
		'whose time was changed': () => {
			const header = signatureHeader(body, subscription.secret, now() - 1);
			return [body, header.replace(/t=\d+/, `t=${now()}`)];
		},
		'without the header': () => [body],
		'with an empty header': () => [body, ''],
		'that is six minutes old': () => [
			body,
			signatureHeader(body, subscription.secret, now() - 360),
		],
	};
	test.for(Object.keys(refused))('%s is refused with 401 and starts nothing', async (which) => {
		const before = executions().length;
		const [sent, signature] = refused[which]!();
		expect(await post(subscription.url, sent, signature)).toBe(401);
		await deliverAnother(stage(), workflow, subscription);
		expect(executions()).toHaveLength(before + 1);
	});
});
