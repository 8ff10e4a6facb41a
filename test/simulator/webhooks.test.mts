import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { seed, type Settings, type Simulator } from '../../simulator/index.mts';
import { hmac } from '../vectors/hmac.mts';
import { Client, fieldsOf } from './client.mts';
import { startForTest } from './start.mts';

interface Received {
	headers: IncomingHttpHeaders;
	body: Buffer;
	at: number;
}

let simulator: Simulator;
let client: Client;
let receiver: Server;
let received: Received[];
/** What the receiver answers, one after the other; then 204. */
let answers: number[];
let hook: string;

async function start(options: Partial<Settings> = {}): Promise<void> {
	({ simulator, client } = await startForTest(options));
}

beforeEach(async () => {
	[received, answers] = [[], []];
	receiver = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk) => chunks.push(chunk));
		request.on('end', () => {
			received.push({ headers: request.headers, body: Buffer.concat(chunks), at: Date.now() });
			const status = answers.shift() ?? 204;
			response.writeHead(status, status === 302 ? { Location: `${hook}/elsewhere` } : {}).end();
		});
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterEach(() => {
	receiver.closeAllConnections();
	receiver.close();
});

const subscribe = async (fields: Record<string, string> = {}) =>
	(
		await client.form('/public/webhook/subscribe', {
			Url: hook,
			Events: 'proposal.status_changed',
			...fields,
		})
	).json;

test('a subscription shows its secret once', async () => {
	await start();
	const created = await subscribe({ Description: 'mine' });
	expect(created).toMatchObject({
		url: hook,
		description: 'mine',
		enabled: true,
		events: ['proposal.status_changed'],
	});
	expect(created.secretKey.length).toBeGreaterThan(30);
	const { secretKey, ...rest } = created;
	const list = await client.get('/public/webhook/subscriptions');
	expect(list.json).toEqual([rest]);
	const updated = await client.form(`/public/webhook/subscription/${created.subscriptionId}`, {
		Enabled: false,
		Events: 'proposal.outline.status_update',
	});
	expect(updated.json).toEqual({
		...rest,
		enabled: false,
		events: ['proposal.outline.status_update'],
	});
	expect((await client.get('/public/webhook/subscriptions')).json).toHaveLength(1);
	expect(simulator.control.subscriptions()[0]!.secret_key).toBe(secretKey);
	const other = await new Client(simulator, seed.otherDealer).signIn();
	expect((await other.get('/public/webhook/subscriptions')).json).toEqual([]);
	expect((await other.delete(`/public/webhook/unsubscribe/${created.subscriptionId}`)).status).toBe(
		400,
	);
	const gone = await client.delete(`/public/webhook/unsubscribe/${created.subscriptionId}`);
	expect(gone.json).toEqual({ success: true, subscriptionId: created.subscriptionId });
	expect(
		(await client.delete(`/public/webhook/unsubscribe/${created.subscriptionId}`)).status,
	).toBe(400);
});

test('events come repeated or comma-separated; unknown ones and empty updates are refused', async () => {
	await start();
	const repeated = await client.form('/public/webhook/subscribe', [
		['Url', ' https://hooks.example.com/a '],
		['Events', 'proposal.status_changed'],
		['Events', 'proposal.build.status_update'],
	]);
	expect(repeated.json).toMatchObject({
		url: 'https://hooks.example.com/a',
		events: ['proposal.status_changed', 'proposal.build.status_update'],
	});
	const joined = await subscribe({
		Events: 'proposal.status_changed, proposal.outline.status_update',
	});
	expect(joined.events).toEqual(['proposal.status_changed', 'proposal.outline.status_update']);
	const unknown = await client.form('/public/webhook/subscribe', {
		Url: hook,
		Events: 'ProposalStatusChanged',
	});
	expect([unknown.status, fieldsOf(unknown)]).toEqual([400, ['Events']]);
	const target = `/public/webhook/subscription/${joined.subscriptionId}`;
	expect((await client.form(target)).status).toBe(400);
	expect((await client.form('/public/webhook/subscription/1', { Enabled: true })).status).toBe(400);
});

test('only public https, loopback excepted', async () => {
	await start();
	for (const Url of [
		'http://hooks.example.com/',
		'ftp://hooks.example.com/',
		'/hook',
		'https://10.1.2.3/',
		'https://172.31.0.1/',
		'https://192.168.1.1/',
		'https://169.254.169.254/',
		'https://100.64.0.1/',
		'https://0.0.0.0/',
		'https://2130706434/',
		'https://[fe80::1]/',
		'https://[fd00::1]/',
		'https://[::ffff:10.0.0.1]/',
		'https://n8n/',
		'https://n8n.local/',
		'https://a.localhost/',
	]) {
		const reply = await client.form('/public/webhook/subscribe', {
			Url,
			Events: 'proposal.status_changed',
		});
		expect([Url, reply.status, fieldsOf(reply)]).toEqual([Url, 400, ['Url']]);
	}
	for (const Url of [
		'https://8.8.8.8/',
		'https://172.32.0.1/',
		'https://[2606:4700::1]/',
		'http://localhost:5678/x',
	]) {
		const reply = await client.form('/public/webhook/subscribe', {
			Url,
			Events: 'proposal.status_changed',
		});
		expect([Url, reply.status]).toEqual([Url, 200]);
	}
	await simulator.stop();
	await start({ allowLoopbackWebhooks: false });
	for (const Url of [
		'http://127.0.0.1/',
		'https://127.0.0.1/',
		'https://[::1]/',
		'https://localhost/',
	]) {
		const reply = await client.form('/public/webhook/subscribe', {
			Url,
			Events: 'proposal.status_changed',
		});
		expect([Url, reply.status]).toEqual([Url, 400]);
	}
});

function checkSignature({ headers, body, at }: Received, secretKey: string): void {
	const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-webhook-signature']))!;
	expect(Math.abs(Number(t) * 1000 - at)).toBeLessThan(2000);
	const expected = hmac(secretKey, Buffer.concat([Buffer.from(`${t}.`), body]));
	expect(v1).toBe(expected.toString('hex'));
}

test('a status change is delivered, signed, to whoever asked for it', async () => {
	await start();
	const { secretKey } = await subscribe();
	await subscribe({ Events: 'proposal.build.status_update', Url: `${hook}/not-this-one` });
	const other = await new Client(simulator, seed.otherDealer).signIn();
	await other.form('/public/webhook/subscribe', { Url: hook, Events: 'proposal.status_changed' });
	simulator.control.setStatus(seed.proposals.staleTheatre, 'Submitted');
	await simulator.control.whenDelivered();
	expect(received).toHaveLength(1);
	expect(received[0]!.headers['content-type']).toBe('application/json');
	checkSignature(received[0]!, secretKey);
	const envelope = JSON.parse(received[0]!.body.toString());
	expect(Object.keys(envelope)).toEqual(['id', 'type', 'created', 'data']);
	expect(envelope).toMatchObject({
		id: expect.stringMatching(/^evt_/),
		type: 'proposal.status_changed',
		data: {
			id: seed.proposals.staleTheatre,
			status: 'Submitted',
			financialSummary: { proposalTotal: 4517.75 },
		},
	});
	expect(simulator.control.deliveries()).toMatchObject([
		{ state: 'delivered', attempts: 1, last_status: 204 },
	]);
	// the same status again is no change
	simulator.control.setStatus(seed.proposals.staleTheatre, 'Submitted');
	await simulator.control.whenDelivered();
	expect(received).toHaveLength(1);
});

test('five retries at the stated distances, each with its own signature, then never again', async () => {
	// 1 min, 5 min, 30 min, 2 h, 12 h at this speed: 5, 25, 150, 600, 3600 ms
	await start({ clockSpeed: 12_000 });
	const { secretKey } = await subscribe();
	answers = [500, 302, 404, 503, 400, 500, 200];
	simulator.control.accept(seed.proposals.submitted);
	await simulator.control.whenDelivered();
	expect(received).toHaveLength(6);
	for (const one of received) checkSignature(one, secretKey);
	expect(new Set(received.map((one) => one.body.toString())).size).toBe(1);
	const waits = received.slice(1).map((one, index) => one.at - received[index]!.at);
	[5, 25, 150, 600, 3600].forEach((expected, index) => {
		expect(waits[index]).toBeGreaterThanOrEqual(expected - 2);
		expect(waits[index]).toBeLessThan(expected + 1500);
	});
	expect(simulator.control.deliveries()).toMatchObject([
		{ state: 'failed', attempts: 6, last_status: 500 },
	]);
});

test('deleting or disabling a subscription ends its pending deliveries', async () => {
	// The first retry is due after a second: time enough on a busy machine.
	await start({ clockSpeed: 60 });
	const [one, two] = [await subscribe(), await subscribe()];
	answers = [500, 500];
	simulator.control.accept(seed.proposals.submitted);
	await simulator.control.idle();
	expect(received).toHaveLength(2);
	expect((await client.delete(`/public/webhook/unsubscribe/${one.subscriptionId}`)).status).toBe(
		200,
	);
	simulator.control.disableSubscription(two.subscriptionId);
	await simulator.control.whenDelivered();
	expect(received).toHaveLength(2);
	expect(simulator.control.deliveries().map((row) => row.state)).toEqual([
		'cancelled',
		'cancelled',
	]);
});

test('pending deliveries survive a restart', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
	try {
		const database = join(folder, 'state.db');
		await start({ database, clockSpeed: 1 });
		const { secretKey } = await subscribe();
		answers = [500];
		simulator.control.accept(seed.proposals.submitted);
		await simulator.control.idle();
		await simulator.stop();
		await start({ database, clockSpeed: 1 });
		expect(simulator.control.proposal(seed.proposals.submitted).status).toBe('Accepted');
		expect(simulator.control.deliveries()).toMatchObject([{ state: 'pending', attempts: 1 }]);
		simulator.control.rescheduleDeliveries(0);
		await simulator.control.whenDelivered();
		expect(received).toHaveLength(2);
		expect(received[1]!.body).toEqual(received[0]!.body);
		checkSignature(received[1]!, secretKey);
		await simulator.stop();
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test('nothing is sent to other machines unless asked for', async () => {
	await start({ clockSpeed: 1e9 });
	await subscribe({ Url: 'https://hooks.example.com/a' });
	simulator.control.accept(seed.proposals.submitted);
	await simulator.control.whenDelivered();
	expect(simulator.control.deliveries()).toMatchObject([
		{
			state: 'failed',
			attempts: 6,
			last_status: null,
			last_error: expect.stringMatching(/not sent/),
		},
	]);
});
