/**
 * What a real n8n does with deliveries and with what strangers send: its body parser, its own answers,
 * its database. Thousands of forged deliveries are in test/properties.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { until } from '../../dev/testbed/until.mts';
import { createChain, portalTrigger } from '../../dev/testbed/workflowBuilder.mts';
import { client, deliver, deliverAnother, post, signatureHeader } from './delivery.mts';
import { makeHeldStep } from './heldStep.mts';
import { sharedEnvironment } from './environments.mts';
import { activeWorkflow, EVENTS } from './subscribed.mts';

const environment = sharedEnvironment();
const { workflow, addressOf, subscriptionTo } = activeWorkflow(environment);
const subscription = () => subscriptionTo(addressOf(workflow()));
const executions = () => environment().n8n.executions({ workflowId: workflow().id });
const startedBy = (id: string) =>
	executions().filter((one) => itemsOf(one, 'Portal.io Trigger').some((item) => item.id === id));

test.for([undefined, 'text/json', 'application/json; charset=utf-8', 'text/plain'])(
	'starts an execution with the event as it came, with the content type %s',
	async (type) => {
		const { url, secret } = subscription();
		// White space and an umlaut: the signature is of the bytes, not of what they mean.
		const body = `{"id":"evt_1", "type":"proposal.status_changed",\n"data":{"id":1,"name":"Küche"}}`;
		const { status } = await client.post(url, Buffer.from(body), {
			headers: {
				'Content-Type': type ?? false,
				'X-Webhook-Signature': signatureHeader(body, secret),
			},
		});
		expect(status).toBe(200);
		const execution = await until('the execution', () => startedBy('evt_1')[0]);
		expect(execution.mode).toBe('webhook');
		expect(itemsOf(execution, 'Portal.io Trigger')).toEqual([JSON.parse(body)]);
	},
);

test('the sender gets an empty success before the workflow has ended', async () => {
	const { n8n } = environment();
	const { step, run, close } = await makeHeldStep();
	onTestFinished(close);
	const slow = await createChain(environment(), 'Slow', [portalTrigger([EVENTS[2]!]), step]);
	await n8n.activate(slow);
	onTestFinished(() => n8n.deactivate(slow));
	const { url, secret } = subscriptionTo(addressOf(slow));

	const body = JSON.stringify({ id: 'evt_slow', type: EVENTS[2], created: '', data: {} });
	const { status, data } = await client.post(url, body, {
		headers: { 'X-Webhook-Signature': signatureHeader(body, secret) },
	});
	expect({ status, data }).toEqual({ status: 200, data: '' });
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

const MB = 1024 * 1024;
const part = `Content-Disposition: form-data; name="file"; filename="a.json"\r\nContent-Type: application/json\r\n\r\n{"type":"${EVENTS[2]}"}`;

/** A body of a stranger, and what n8n answers by itself where it does not ask the trigger. */
const parcels: Record<string, { type: string; body: string; packed?: Buffer; byN8n?: number }> = {
	'JSON that is none': { type: 'application/json', body: '{"id":', byN8n: 422 },
	'JSON a million levels deep': {
		type: 'application/json',
		body: '['.repeat(1e6) + ']'.repeat(1e6),
	},
	'a prototype': { type: 'application/json', body: '{"__proto__":{"polluted":1}}' },
	'more than n8n accepts': {
		type: 'application/json',
		body: `"${'x'.repeat(17 * MB)}"`,
		byN8n: 500,
	},
	'little that unpacks to more than n8n accepts': {
		type: 'application/json',
		body: '',
		packed: gzipSync(Buffer.alloc(200 * MB, ' ')),
		byN8n: 500,
	},
	'XML with entities in entities': {
		type: 'application/xml',
		body: '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>',
		byN8n: 422,
	},
	'a form with a file': {
		type: 'multipart/form-data; boundary=b',
		body: `--b\r\n${part}\r\n--b--\r\n`,
	},
	'a body without a type': { type: '', body: '{"id":"evt_1"}' },
	nothing: { type: 'application/json', body: '' },
};

test.for(Object.entries(parcels))(
	'a stranger starts nothing and ends nothing with %s',
	async ([, { type, body, packed, byN8n }]) => {
		// As bytes: the client would turn text that is no JSON into JSON.
		const sending = client.post(addressOf(workflow()), packed ?? Buffer.from(body), {
			headers: {
				'Content-Type': type || false,
				...(packed && { 'Content-Encoding': 'gzip' }),
				'X-Webhook-Signature': signatureHeader('{}', 'a guess'),
			},
		});
		// n8n may hang up on a body that it refuses while it is still being sent.
		const answer = await sending.catch((error: NodeJS.ErrnoException) => {
			if (byN8n === undefined || !['EPIPE', 'ECONNRESET'].includes(error.code!)) throw error;
		});
		if (answer) expect(answer.status).toBe(byN8n ?? 401);
		if (byN8n === undefined) expect(answer!.data).toBe('');
		expect(await post(subscription().url, '{}', undefined)).toBe(401);
		expect(executions()).toEqual([]);
	},
);
