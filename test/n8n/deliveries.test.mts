/**
 * What a real n8n does with deliveries and with what strangers send: its body parser, its database. Thousands of forged deliveries are in test/properties.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { until } from '../../dev/testbed/until.mts';
import { createChain, portalTrigger } from '../../dev/testbed/workflowBuilder.mts';
import { client, deliver, deliverAnother, signatureHeader } from './delivery.mts';
import { makeHeldStep } from './heldStep.mts';
import { sharedEnvironment } from './environments.mts';
import { activeWorkflow, EVENTS } from './subscribed.mts';

const environment = sharedEnvironment();
const { workflow, addressOf, subscriptionTo } = activeWorkflow(environment);
const subscription = () => subscriptionTo(workflow());
const executions = () => environment().n8n.executions({ workflowId: workflow().id });
const startedBy = (id: string) =>
	executions().filter((one) => itemsOf(one, 'Portal.io Trigger').some((item) => item.id === id));

test.for([undefined, 'text/json', 'application/json; charset=utf-8', 'text/plain'])(
	'starts an execution with the event as it came, with the content type %s',
	async (type) => {
		const { url, secret } = subscription();
		// White space and an umlaut: the signature is of the bytes, not of what they mean.
		const body = `{"id":"evt_1", "type":"proposal.status_changed",\n"data":{"id":1,"name":"Küche"}}`;
		const { status, data } = await client.post(url, Buffer.from(body), {
			headers: {
				'Content-Type': type ?? false,
				'X-Webhook-Signature': signatureHeader(body, secret),
			},
		});
		expect({ status, data }).toEqual({ status: 200, data: '' });
		const execution = await until('the execution', () => startedBy('evt_1')[0]);
		expect(execution.mode).toBe('webhook');
		expect(itemsOf(execution, 'Portal.io Trigger')).toEqual([JSON.parse(body)]);
	},
);

test('the sender gets success before the workflow has ended', async () => {
	const { n8n } = environment();
	const { step, run, close } = await makeHeldStep();
	onTestFinished(close);
	const slow = await createChain(environment(), 'Slow', [portalTrigger([EVENTS[2]!]), step]);
	await n8n.activate(slow);
	onTestFinished(() => n8n.deactivate(slow));
	// n8n answers while the workflow waits for its last step.
	expect(await deliver(subscriptionTo(slow), 'evt_slow')).toBe(200);
	const end = await run(1);
	end();
	const ended = await until('the end of the execution', () =>
		n8n.executions({ workflowId: slow.id }).find(({ stoppedAt }) => stoppedAt !== null),
	);
	expect(ended.status).toBe('success');
});

test('ten deliveries of an event at the same instant start one execution', async () => {
	const sent = Array.from({ length: 10 }, () => deliver(subscription(), 'evt_at_once'));
	expect(await Promise.all(sent)).toEqual(Array(10).fill(200));
	await deliverAnother(environment(), workflow(), subscription());
	expect(startedBy('evt_at_once')).toHaveLength(1);
});

test('an event that n8n cannot store is not acknowledged, and starts one execution later', async () => {
	const database = new DatabaseSync(join(environment().n8n.folder, '.n8n', 'database.sqlite'));
	onTestFinished(() => {
		database.exec('DROP TRIGGER IF EXISTS full');
		database.close();
	});
	database.exec('PRAGMA busy_timeout = 10000');
	database.exec(
		"CREATE TRIGGER full BEFORE INSERT ON execution_entity BEGIN SELECT RAISE(FAIL, 'full'); END",
	);
	const send = () => deliver(subscription(), 'evt_full');
	expect(await Promise.all([send(), send(), send()])).toEqual([500, 500, 500]);
	database.exec('DROP TRIGGER full');
	expect(startedBy('evt_full')).toEqual([]);
	expect(await Promise.all([send(), send(), send()])).toEqual([200, 200, 200]);
	await deliverAnother(environment(), workflow(), subscription());
	expect(startedBy('evt_full')).toHaveLength(1);
});

/** Bodies that n8n parses before it asks the trigger, or does not. */
const file = `Content-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{"type":"${EVENTS[2]}"}`;
const bodies: Record<string, [type: string, body: string]> = {
	'JSON a million levels deep': ['application/json', '['.repeat(1e6) + ']'.repeat(1e6)],
	'a form with a file': ['multipart/form-data; boundary=b', `--b\r\n${file}\r\n--b--\r\n`],
	'a body without a type': ['', '{"id":"evt_1"}'],
	nothing: ['application/json', ''],
};

test.for(Object.entries(bodies))('a stranger starts nothing with %s', async ([, [type, body]]) => {
	// As bytes: the client would turn text that is no JSON into JSON.
	const { status, data } = await client.post(addressOf(workflow()), Buffer.from(body), {
		headers: {
			'Content-Type': type || false,
			'X-Webhook-Signature': signatureHeader('{}', 'a guess'),
		},
	});
	expect({ status, data }).toEqual({ status: 401, data: '' });
	expect(executions()).toEqual([]);
});
