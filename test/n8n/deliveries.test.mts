/**
 * Sends deliveries and other requests to a real n8n, with its own body parser and database. For thousands of
 * forged deliveries, see test/properties.
 */
import { expect, it, onTestFinished } from 'vitest';
import { firstFinished } from '../../dev/testbed/activeWorkflow.mts';
import { itemsOf, openSqlite } from '../../dev/testbed/n8n/database.mts';
import { until } from '../../dev/testbed/until.mts';
import { signedHeaders } from '../wire/deliver.mts';
import { deliver, send } from './delivery.mts';
import { hmac } from '../vectors/hmac.mts';
import { sharedEnvironment } from './environments.mts';
import { useActiveWorkflow, EVENTS } from './activeWorkflow.mts';

const environment = sharedEnvironment();
const { workflow, webhookUrl, subscription, executionsStartedBy, deliverAnother, beginExecution } =
	useActiveWorkflow(environment, 'file');
const executions = () => environment().n8n.executions({ workflowId: workflow().id });

it.for<[type: string, encoding: BufferEncoding, mark: string]>([
	['', 'utf8', ''],
	['text/json', 'utf8', ''],
	['application/json; charset=utf-8', 'utf8', ''],
	['text/plain', 'utf8', '\ufeff'],
	['application/json', 'utf8', '\ufeff'],
	['application/json; charset=utf-16le', 'utf16le', '\ufeff'],
])(
	'starts an execution with the unchanged event: type %j, encoding %s, byte order mark %j',
	async ([type, encoding, mark]) => {
		const { url, secret } = subscription();
		// Include white space and an umlaut, because the signature covers the bytes, not the parsed value.
		const text = `{"id":"${type}", "type":"${EVENTS[2]}",\n"data":{"id":1,"name":"Küche"}}`;
		const body = Buffer.from(mark + text, encoding);
		const time = Math.floor(Date.now() / 1000);
		const signed = Buffer.concat([Buffer.from(`${time}.`), body]);
		const { status, data } = await send(url, body, {
			'Content-Type': type || false,
			'X-Webhook-Signature': `t=${time},v1=${hmac(secret, signed).toString('hex')}`,
		});
		expect({ status, data }).toEqual({ status: 200, data: '' });
		const execution = await until(
			'the execution',
			async () => (await executionsStartedBy(type))[0],
		);
		expect(execution.mode).toBe('webhook');
		expect(itemsOf(execution, 'Portal.io Trigger')).toEqual([JSON.parse(text)]);
	},
);

it('acknowledges a delivery before the workflow ends', async () => {
	const { gate, slow } = await beginExecution('evt_slow');
	gate.release();
	expect((await firstFinished(environment(), slow)).status).toBe('success');
});

it('starts only one execution for ten simultaneous deliveries of an event', async () => {
	const sent = Array.from({ length: 10 }, () => deliver(subscription(), 'evt_at_once'));
	const statuses = await Promise.all(sent);
	// Allow 503, with which the trigger rejects a delivery if n8n has not responded to an earlier one yet.
	expect(statuses.filter((status) => status !== 503)).toContain(200);
	expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([]);
	expect(await deliver(subscription(), 'evt_at_once')).toBe(200);
	await deliverAnother();
	expect(await executionsStartedBy('evt_at_once')).toHaveLength(1);
});

it('starts exactly one execution for an event that n8n could not store at first', async () => {
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
	expect(await executionsStartedBy('evt_full')).toEqual([]);
	for (let attempt = 0; attempt < 3; attempt++) {
		expect(await deliver(subscription(), 'evt_full')).toBe(200);
	}
	await deliverAnother();
	expect(await executionsStartedBy('evt_full')).toHaveLength(1);
});

const file = `Content-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{"type":"${EVENTS[2]}"}`;

/** Bodies that n8n's own parser might reject before it calls the trigger. */
const bodies: Record<string, [type: string, body: string]> = {
	'JSON a million levels deep': ['application/json', '['.repeat(1e6) + ']'.repeat(1e6)],
	'a file in a form': ['multipart/form-data; boundary=b', `--b\r\n${file}\r\n--b--\r\n`],
	'a body without a content type': ['', '{"id":"evt_1"}'],
	'an empty body': ['application/json', ''],
};

it.for(Object.entries(bodies))(
	'rejects a wrongly signed request with %s',
	async ([, [type, body]]) => {
		const before = (await executions()).length;
		// Send bytes, because the HTTP client would turn text that isn't JSON into JSON.
		const { status, data } = await send(webhookUrl(workflow()), Buffer.from(body), {
			'Content-Type': type || false,
			...signedHeaders('a guess', '{}'),
		});
		expect({ status, data }).toEqual({ status: 401, data: '' });
		expect(await executions()).toHaveLength(before);
	},
);
