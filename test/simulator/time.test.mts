/** What happens at the service as time passes: AI work, deliveries and their retries. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { Clock, seed, type Settings } from '../../dev/simulator/index.mts';
import type { Json } from '../../dev/simulator/json.mts';
import { hmac } from '../vectors/hmac.mts';
import { boundary, field, file, multipart } from './multipart.mts';
import { startForTest } from './start.mts';

const MINUTE = 60;
const { proposals } = seed;

const start = async (settings: Partial<Settings> = {}) => {
	const { simulator, client } = await startForTest({ clock: new Clock(true), ...settings });
	return { simulator, client, control: simulator.control };
};

interface Received {
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** A receiver that answers with these statuses, one after the other, and then with 204. */
async function startReceiver(...answers: number[]) {
	const received: Received[] = [];
	const server = createServer(async (request, response) => {
		const body = Buffer.concat(await request.toArray());
		received.push({ headers: request.headers, body });
		const status = answers.shift() ?? 204;
		response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => void server.close());
	return { received, Url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

function expectSigned({ headers, body }: Received, secretKey: string, now: number): void {
	const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-webhook-signature']))!;
	expect(Number(t)).toBe(Math.floor(now / 1000));
	const signed = Buffer.concat([Buffer.from(`${t}.`), body]);
	expect(v1).toBe(hmac(secretKey, signed).toString('hex'));
}

const Events = 'proposal.status_changed';

test('retries a delivery after 1, 5, 30, 120 and 720 minutes, each signed anew, and then no more', async () => {
	const { client, control } = await start();
	const { received, Url } = await startReceiver(500, 302, 404, 503, 400, 500, 200);
	const { json } = await client.form('/public/webhook/subscribe', { Url, Events });
	control.setStatus(proposals.submitted, 'Accepted');
	await control.idle();
	expectSigned(received[0]!, json.secretKey, control.now());
	for (const [index, minutes] of [1, 5, 30, 120, 720].entries()) {
		await control.advance(minutes * MINUTE - 1);
		expect(received).toHaveLength(index + 1);
		await control.advance(1);
		expect(received).toHaveLength(index + 2);
		expectSigned(received.at(-1)!, json.secretKey, control.now());
	}
	await control.advance(10_000 * MINUTE);
	expect(received).toHaveLength(6);
	expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1);
	expect(JSON.parse(received[0]!.body.toString())).toMatchObject({
		id: expect.stringMatching(/^evt_/),
		type: Events,
		data: { id: proposals.submitted, status: 'Accepted' },
	});
	expect(control.deliveries()).toMatchObject([{ state: 'failed', attempts: 6, last_status: 500 }]);
});

test('sends nothing to other machines, nor to addresses that are not public', async () => {
	const { client, control } = await start();
	const statusOf = async (Url: string) =>
		(await client.form('/public/webhook/subscribe', { Url, Events })).status;
	for (const Url of [
		'http://hooks.example.com/',
		'ftp://hooks.example.com/',
		'/hook',
		'https://10.1.2.3/',
		'https://172.31.0.1/',
		'https://192.168.1.1/',
		'https://169.254.169.254/',
		'https://[fd00::1]/',
		'https://n8n/',
		'https://n8n.local/',
	]) {
		expect([Url, await statusOf(Url)]).toEqual([Url, 400]);
	}
	control.deleteSubscriptions();
	await statusOf('https://hooks.example.com/a');
	control.setStatus(proposals.submitted, 'Accepted');
	await control.idle();
	expect(control.deliveries()).toMatchObject([
		{ attempts: 1, last_status: null, last_error: expect.stringMatching(/not sent/) },
	]);
});

test('does AI work a step at a time, and announces its end', async () => {
	const { client, control } = await start({ aiStepSeconds: 30 });
	const id = proposals.empty;
	const status = async (what: string): Promise<Json> =>
		(await client.get(`/public/api/proposals/${id}/ai/${what}`)).json;
	await client.form('/public/webhook/subscribe', {
		Url: 'https://receiver.example/hook',
		Events: ['proposal.outline.status_update', 'proposal.build.status_update'],
	});
	const contentType = `multipart/form-data; boundary=${boundary}`;
	const body = multipart([field('name', 'Walk'), file('walk.mp3', 'some sound')]);
	await client.raw('POST', `/public/api/proposals/${id}/ai/content`, body, { contentType });
	for (const [seconds, expected] of [
		[0, 'Uploaded'],
		[29, 'Uploaded'],
		[1, 'Processing'],
		[30, 'Transcribed'],
	] as const) {
		await control.advance(seconds);
		expect((await status('content')).items[0].status).toBe(expected);
	}
	await client.json('/public/ai/generate-outline', { proposalId: id });
	expect(await status('outline')).toMatchObject({ status: 'Generating', outline: null });
	await control.advance(30);
	expect(await status('outline')).toMatchObject({ status: 'Completed' });
	control.failNextBuild();
	for (const areas of [0, 2]) {
		await client.json('/public/ai/build-proposal', { proposalId: id });
		await control.advance(30);
		expect(control.proposal(id).areas).toHaveLength(areas);
	}
	const told = control.deliveries().map((one) => JSON.parse(String(one.body)).data.status);
	expect(told).toEqual(['Completed', 'Failed', 'Completed']);
});
