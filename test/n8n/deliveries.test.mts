/**
 * Deliveries and foreign requests in a real n8n, with its body parser and its database.
 * Thousands of forged deliveries are in test/properties.
 */
import { expect, onTestFinished, test } from 'vitest';
import { firstFinished } from '../../dev/testbed/activeWorkflow.mts';
import { itemsOf, openSqlite } from '../../dev/testbed/n8n/database.mts';
import { until } from '../../dev/testbed/until.mts';
import { signedHeaders } from '../wire/deliver.mts';
import { deliver, send } from './delivery.mts';
import { hmac } from '../vectors/hmac.mts';
import { sharedEnvironment } from './environments.mts';
import { activeWorkflow, EVENTS } from './subscribed.mts';

const environment = sharedEnvironment();
const { workflow, addressOf, subscription, startedBy, deliverAnother, beginExecution } =
	activeWorkflow(environment, 'file');
const executions = () => environment().n8n.executions({ workflowId: workflow().id });

test.for<[type: string, encoding: BufferEncoding, mark: string]>([
	['', 'utf8', ''],
	['text/json', 'utf8', ''],
	['application/json; charset=utf-8', 'utf8', ''],
	['text/plain', 'utf8', '\ufeff'],
	['application/json', 'utf8', '\ufeff'],
	['application/json; charset=utf-16le', 'utf16le', '\ufeff'],
])(
	'starts an execution with the event as it came, of type %j in %s with the mark %j',
	async ([type, encoding, mark]) => {
		const { url, secret } = subscription();
		// White space and an umlaut: the signature is of the bytes, not of what they mean.
		const text = `{"id":"${type}", "type":"${EVENTS[2]}",\n"data":{"id":1,"name":"Küche"}}`;
		const body = Buffer.from(mark + text, encoding);
		const time = Math.floor(Date.now() / 1000);
		const signed = Buffer.concat([Buffer.from(`${time}.`), body]);
		const { status, data } = await send(url, body, {
			'Content-Type': type || false,
			'X-Webhook-Signature': `t=${time},v1=${hmac(secret, signed).toString('hex')}`,
		});
		expect({ status, data }).toEqual({ status: 200, data: '' });
		const execution = await until('the execution', async () => (await startedBy(type))[0]);
		expect(execution.mode).toBe('webhook');
		expect(itemsOf(execution, 'Portal.io Trigger')).toEqual([JSON.parse(text)]);
	},
);

test('acknowledges a delivery before the workflow has ended', async () => {
	const { gate, slow } = await beginExecution('evt_slow');
	gate.release();
	expect((await firstFinished(environment(), slow)).status).toBe('success');
});

test('starts one execution for ten simultaneous deliveries of an event', async () => {
	const sent = Array.from({ length: 10 }, () => deliver(subscription(), 'evt_at_once'));
	const statuses = await Promise.all(sent);
	// The trigger rejects an attempt while n8n has not answered an earlier one.
	expect(statuses.filter((status) => status !== 503)).toContain(200);
	expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([]);
	expect(await deliver(subscription(), 'evt_at_once')).toBe(200);
	await deliverAnother();
	expect(await startedBy('evt_at_once')).toHaveLength(1);
});

test('acknowledges no event that n8n cannot store, and starts one execution later', async () => {
	const database = openSqlite(environment().n8n.folder);
	onTestFinished(() => {
		database.exec('DROP TRIGGER IF EXISTS full');
		database.close();
	});
	database.exec(
		"CREATE TRIGGER full BEFORE INSERT ON execution_entity BEGIN SELECT RAISE(FAIL, 'full'); END",
	);
	for (let attempt = 0; attempt < 3; attempt++) {
		expect(await deliver(subscription(), 'evt_full')).toBe(500);
	}
	database.exec('DROP TRIGGER full');
	expect(await startedBy('evt_full')).toEqual([]);
	for (let attempt = 0; attempt < 3; attempt++) {
		expect(await deliver(subscription(), 'evt_full')).toBe(200);
	}
	await deliverAnother();
	expect(await startedBy('evt_full')).toHaveLength(1);
});

const file = `Content-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{"type":"${EVENTS[2]}"}`;

/** Bodies that n8n's own parser may reject before it calls the trigger. */
const bodies: Record<string, [type: string, body: string]> = {
	'JSON a million levels deep': ['application/json', '['.repeat(1e6) + ']'.repeat(1e6)],
	'a form with a file': ['multipart/form-data; boundary=b', `--b\r\n${file}\r\n--b--\r\n`],
	'a body without a type': ['', '{"id":"evt_1"}'],
	nothing: ['application/json', ''],
};

test.for(Object.entries(bodies))(
	'starts nothing for a stranger with %s',
	async ([, [type, body]]) => {
		const before = (await executions()).length;
		// As bytes: the client would turn text that is no JSON into JSON.
		const { status, data } = await send(addressOf(workflow()), Buffer.from(body), {
			'Content-Type': type || false,
			...signedHeaders('a guess', '{}'),
		});
		expect({ status, data }).toEqual({ status: 401, data: '' });
		expect(await executions()).toHaveLength(before);
	},
);
