import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { seed, startSimulator, type Simulator } from '../../dev/simulator/index.mts';
import { Client, type Parts } from './client.mts';

let simulator: Simulator;
let client: Client;

beforeAll(async () => {
	simulator = await startSimulator();
	client = await new Client(simulator, seed.dealer).signIn();
});
afterAll(() => simulator.stop());
afterEach(() => expect(simulator.control.contractViolations).toEqual([]));

const wrongHash = 'You are not authorized. Your request signature (hash) is invalid.';
const form = 'application/x-www-form-urlencoded';

test('answers a lapsed account with 402 everywhere, a restricted user with 403 on lists and writes', async () => {
	const lapsed = await new Client(simulator, seed.lapsed).signIn();
	expect((await lapsed.get('/public/proposals')).status).toBe(402);
	expect((await lapsed.form('/public/proposals', { SalesPersonId: 1 })).status).toBe(402);
	const restricted = await new Client(simulator, seed.restricted).signIn();
	const own = `/public/proposals/${seed.proposals.staleTheatre}`;
	expect((await restricted.get(own)).status).toBe(200);
	expect((await restricted.get('/public/proposals')).status).toBe(403);
	expect((await restricted.get('/public/catalog')).status).toBe(403);
	expect((await restricted.form(own, { Name: 'x' })).status).toBe(403);
	// Permission comes before the contract.
	expect((await restricted.form(own, { Nonsense: 'x' })).status).toBe(403);
});

test.each<[string, Parts]>([
	[
		'the secret is base64-decoded first',
		{ secretKey: Buffer.from(seed.dealer.secretKey, 'base64').toString('latin1') },
	],
	['nothing is signed', { message: '' }],
	[
		'another date is signed than sent',
		{
			headers: (all) =>
				all.map((one) => (one.endsWith(' GMT') ? new Date(Date.now() - 5000).toUTCString() : one)),
		},
	],
])('answers with 401 when %s', async (_name, parts) => {
	const reply = await client.raw('GET', '/public/users', undefined, parts);
	expect(reply.status).toBe(401);
	// As the documentation shows it: a bare quoted text.
	expect(reply.json).toBe(wrongHash);
});

test('leaves the query out of the signature', async () => {
	const date = new Date().toUTCString();
	const target = '/public/proposals?PageSize=1';
	expect((await client.raw('GET', target, undefined, { date })).status).toBe(200);
	const message = `GET${simulator.url}${target}${date}${client.userKey}`;
	const reply = await client.raw('GET', target, undefined, { date, message });
	expect(reply.status).toBe(401);
	expect(reply.json).toBe(wrongHash);
});

test('signs the content type byte for byte', async () => {
	const target = `/public/proposals/${seed.proposals.staleTheatre}/description`;
	const odd = 'application/X-WWW-form-urlencoded;charset=UTF-8';
	expect((await client.raw('POST', target, 'Description=a', { contentType: odd })).status).toBe(
		200,
	);
	const reply = await client.raw('POST', target, 'Description=a', {
		contentType: form,
		headers: (all) => [...all.slice(0, -1), odd],
	});
	expect(reply.json).toBe(wrongHash);
});

test('signs no content type of a DELETE without body, or the one it sends', async () => {
	const target = '/public/webhook/unsubscribe/999999';
	expect((await client.delete(target)).status).toBe(400);
	expect((await client.raw('DELETE', target, undefined, { contentType: form })).status).toBe(400);
	const date = new Date().toUTCString();
	const message = `DELETE${simulator.url}${target}${form}${date}${client.userKey}`;
	expect((await client.raw('DELETE', target, undefined, { date, message })).status).toBe(401);
});

const names = [
	'Accept',
	'X-MSS-API-APPID',
	'X-MSS-API-USERKEY',
	'X-MSS-CUSTOM-DATE',
	'X-MSS-SIGNATURE',
];

test.each(names)('requires %s exactly once', async (name) => {
	const without = await client.raw('GET', '/public/users', undefined, {
		headers: (all) => all.filter((_, index) => all[index - (index % 2)] !== name),
	});
	expect(without.status).toBe(401);
	const twice = await client.raw('GET', '/public/users', undefined, {
		headers: (all) => [...all, name, all[all.indexOf(name) + 1]!],
	});
	expect(twice.status).toBe(401);
	expect(twice.json.message).toContain(name);
});

test('accepts application/json in Accept and nothing else', async () => {
	const reply = await client.raw('GET', '/public/users', undefined, {
		headers: (all) =>
			all.map((one) => (one === 'application/json' ? 'application/json, */*' : one)),
	});
	expect(reply.status).toBe(400);
});

test('allows the date to be off by the skew and no more', async () => {
	const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
	const status = async (date: string) =>
		(await client.raw('GET', '/public/users', undefined, { date })).status;
	expect(await status(at(-890))).toBe(200);
	expect(await status(at(890))).toBe(200);
	expect(await status(at(-910))).toBe(401);
	expect(await status(at(910))).toBe(401);
	const now = new Date().toUTCString();
	for (const date of [
		new Date().toISOString(),
		now.replace('GMT', 'UTC'),
		now.replace(/^\w+, /, ''),
		// Another day of the week.
		now.replace(/^\w+/, now.startsWith('Mon') ? 'Tue' : 'Mon'),
	]) {
		expect([date, await status(date)]).toEqual([date, 401]);
	}
});

test('refuses a missing route before it checks anything, without an HttpError', async () => {
	const nowhere = await fetch(`${simulator.url}/public/nowhere`);
	expect(nowhere.status).toBe(404);
	expect(nowhere.headers.get('content-type')).toMatch(/text\/plain/);
	for (const path of ['/Public/users', '/public/users/', '/public//users']) {
		expect((await fetch(simulator.url + path)).status, path).toBe(404);
	}
	const method = await fetch(`${simulator.url}/public/users`, { method: 'POST' });
	expect(method.status).toBe(405);
	expect(method.headers.get('content-type')).toMatch(/text\/plain/);
});
