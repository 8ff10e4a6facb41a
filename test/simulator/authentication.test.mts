import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { seed, startSimulator, type Simulator } from '../../dev/simulator/index.mts';
import { canonicalMessage, isSignedWith, parseHttpDate } from '../../dev/simulator/signature.mts';
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

test('the canonical message, by fixed vectors', () => {
	const parts = {
		method: 'post',
		baseUrl: 'https://sandbox.api.portal.io/public/proposals/7',
		contentType: form,
		timestamp: 'Mon, 06 Apr 2026 00:22:19 GMT',
		userKey: 'dXNlci1rZXk=',
	};
	expect(canonicalMessage(parts)).toBe(
		'POSThttps://sandbox.api.portal.io/public/proposals/7application/x-www-form-urlencoded' +
			'Mon, 06 Apr 2026 00:22:19 GMTdXNlci1rZXk=',
	);
	expect(canonicalMessage({ ...parts, method: 'GET', contentType: 'ignored' })).toBe(
		'GEThttps://sandbox.api.portal.io/public/proposals/7Mon, 06 Apr 2026 00:22:19 GMTdXNlci1rZXk=',
	);
	// RFC 4231 test case 2: key "Jefe", data "what do ya want for nothing?"
	const rfc = {
		method: '',
		baseUrl: 'what do ya want ',
		contentType: '',
		timestamp: 'for ',
		userKey: 'nothing?',
	};
	expect(isSignedWith('Jefe', rfc, 'W9zKW9nnMk1ZRXtQGX5ukSo3i0ULB2PZmA9+Kyi6Q0M=')).toBe(false);
	const digest = Buffer.from(
		'5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
		'hex',
	).toString('base64');
	expect(isSignedWith('Jefe', rfc, digest)).toBe(true);
});

test('only IMF-fixdate is a date', () => {
	expect(parseHttpDate('Mon, 06 Apr 2026 00:22:19 GMT')).toBe(Date.UTC(2026, 3, 6, 0, 22, 19));
	for (const text of [
		'Tue, 06 Apr 2026 00:22:19 GMT',
		'Mon, 6 Apr 2026 00:22:19 GMT',
		'Mon, 06 Apr 2026 00:22:19 UTC',
		'Mon, 06 Apr 2026 00:22:19 GMT ',
		'Mon, 31 Feb 2026 00:22:19 GMT',
		'2026-04-06T00:22:19Z',
		'Monday, 06-Apr-26 00:22:19 GMT',
	]) {
		expect(parseHttpDate(text), text).toBeUndefined();
	}
});

test('who cannot exchange', async () => {
	const wrong = await client.exchange({ ...seed.dealer, password: 'wrong' });
	expect(wrong.status).toBe(401);
	expect(wrong.json.message).toMatch(/user name or password/);
	const unverified = await client.exchange(seed.unverified);
	expect(unverified.status).toBe(401);
	expect(unverified.json.message).toMatch(/not verified/);
	const withKey = await client.raw('GET', '/authenticate/apikeyexchange?UserName=a&Password=b');
	expect(withKey.status).toBe(401);
	const nameless = await client.raw('GET', '/authenticate/apikeyexchange?Password=b', undefined, {
		userKey: '',
	});
	expect(nameless.status).toBe(400);
	expect(nameless.json.responseStatus.errors[0].fieldName).toBe('UserName');
});

test('a lapsed account is a 402 everywhere, a restricted user a 403 on lists and writes', async () => {
	const lapsed = await new Client(simulator, seed.lapsed).signIn();
	expect((await lapsed.get('/public/proposals')).status).toBe(402);
	expect((await lapsed.form('/public/proposals', { SalesPersonId: 1 })).status).toBe(402);
	const restricted = await new Client(simulator, seed.restricted).signIn();
	const own = `/public/proposals/${seed.proposals.staleTheatre}`;
	expect((await restricted.get(own)).status).toBe(200);
	expect((await restricted.get('/public/proposals')).status).toBe(403);
	expect((await restricted.get('/public/catalog')).status).toBe(403);
	expect((await restricted.form(own, { Name: 'x' })).status).toBe(403);
	// permission comes before the contract
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
])('401 when %s', async (_name, parts) => {
	const reply = await client.raw('GET', '/public/users', undefined, parts);
	expect(reply.status).toBe(401);
	expect(reply.json).toMatchObject({ status: 401, statusDescription: 'Unauthorized' });
});

test('the query is never signed', async () => {
	const date = new Date().toUTCString();
	const target = '/public/proposals?PageSize=1';
	expect((await client.raw('GET', target, undefined, { date })).status).toBe(200);
	const message = `GET${simulator.url}${target}${date}${client.userKey}`;
	const reply = await client.raw('GET', target, undefined, { date, message });
	expect(reply.status).toBe(401);
	expect(reply.json.message).toBe(wrongHash);
});

test('the content type is signed byte for byte', async () => {
	const target = `/public/proposals/${seed.proposals.staleTheatre}/description`;
	const odd = 'application/X-WWW-form-urlencoded;charset=UTF-8';
	expect((await client.raw('POST', target, 'Description=a', { contentType: odd })).status).toBe(
		200,
	);
	const reply = await client.raw('POST', target, 'Description=a', {
		contentType: form,
		headers: (all) => [...all.slice(0, -1), odd],
	});
	expect(reply.json.message).toBe(wrongHash);
});

test('a DELETE without body signs no content type, or the one it sends', async () => {
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

test.each(names)('%s is needed exactly once', async (name) => {
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

test('Accept must be application/json and nothing else', async () => {
	const reply = await client.raw('GET', '/public/users', undefined, {
		headers: (all) =>
			all.map((one) => (one === 'application/json' ? 'application/json, */*' : one)),
	});
	expect(reply.status).toBe(400);
});

test('the date may be off by the skew and no more', async () => {
	const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
	const status = async (date: string) =>
		(await client.raw('GET', '/public/users', undefined, { date })).status;
	expect(await status(at(-890))).toBe(200);
	expect(await status(at(890))).toBe(200);
	expect(await status(at(-910))).toBe(401);
	expect(await status(at(910))).toBe(401);
	expect(await status(new Date().toISOString())).toBe(401);
});

test('unknown and expired user keys are a 401 that says so', async () => {
	const unknown = await client.raw('GET', '/public/users', undefined, { userKey: 'nobody' });
	expect(unknown.status).toBe(401);
	expect(unknown.json.message).toMatch(/user key/);
	const other = await new Client(simulator, seed.dealer).signIn();
	expect(simulator.control.expireUserKeys()).toBeGreaterThan(0);
	expect((await other.get('/public/users')).status).toBe(401);
	await client.signIn();
	expect((await client.get('/public/users')).status).toBe(200);
});

test('keys end with their lifetime', async () => {
	const brief = await startSimulator({ keyLifetimeSeconds: 60 });
	try {
		const visitor = await new Client(brief, seed.dealer).signIn();
		expect((await visitor.get('/public/users')).status).toBe(200);
		await brief.control.advance(61);
		expect((await visitor.get('/public/users')).status).toBe(401);
	} finally {
		await brief.stop();
	}
});

test('a missing route is refused before anything is checked, without an HttpError', async () => {
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
