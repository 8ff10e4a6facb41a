import { afterEach, beforeEach, expect, test } from 'vitest';

import { operations } from '../../simulator/contract.mts';
import { seed, startSimulator, type Simulator } from '../../simulator/index.mts';
import type { Json } from '../../simulator/json.mts';
import { Client, send } from './client.mts';

let simulator: Simulator;
let client: Client;
let lines: string[];

beforeEach(async () => {
	lines = [];
	simulator = await startSimulator({ log: (line) => lines.push(line) });
	client = await new Client(simulator, seed.dealer).signIn();
});
afterEach(() => simulator.stop());

const { proposals } = seed;
const page = (path = '') => `${simulator.url}/customer${path}`;
const decide = (id: number, decision: string, headers: string[] = []) =>
	send(page(`/proposals/${id}/${decision}`), 'POST', headers);

test('every operation has a name, a mark, and an alternate only beside a first path', () => {
	for (const one of operations) {
		expect(one.id).toMatch(/^[a-zA-Z]+\.[a-zA-Z]+(\.byOutline)?(\.alternate)?$/);
		expect(one.isAlternate).toBe(one.id.endsWith('.alternate'));
		expect(operations.some((other) => other.id === one.name)).toBe(true);
	}
	expect(new Set(operations.map((one) => one.id)).size).toBe(operations.length);
});

test('requests are recorded as they came, and no secret is logged', async () => {
	simulator.control.clearRequests();
	await client.form(`/public/proposals/${proposals.empty}`, { Name: 'a b' });
	await client.exchange();
	await fetch(`${simulator.url}/nowhere?x=1`);
	await fetch(page());
	expect(simulator.control.requests).toMatchObject([
		{
			method: 'POST',
			path: '/public/proposals/48208',
			query: '',
			bodyText: 'Name=a+b',
			status: 200,
			operationId: 'proposal.update',
		},
		{
			method: 'GET',
			path: '/authenticate/apikeyexchange',
			status: 200,
			operationId: 'authentication.exchangeKey',
		},
		{ method: 'GET', path: '/nowhere', query: 'x=1', status: 404, operationId: undefined },
	]);
	expect(simulator.control.requests[0]!.rawHeaders).toContain('X-MSS-SIGNATURE');
	expect(simulator.control.requests[0]!.headers['x-mss-api-userkey']).toBe(client.userKey);
	expect(simulator.control.exchangeCount()).toBe(1);
	for (const secret of [
		encodeURIComponent(seed.dealer.password),
		seed.dealer.secretKey,
		client.userKey,
	]) {
		expect(lines.join('\n')).not.toContain(secret);
	}
});

test('an answer off the contract is a loud 500', async () => {
	simulator.control.setStatus(proposals.empty, 'Nonsense');
	const reply = await client.get(`/public/proposals/${proposals.empty}`);
	expect(reply.status).toBe(500);
	expect(simulator.control.contractViolations).toMatchObject([
		{ operationId: 'proposal.get', status: 200 },
	]);
	expect(lines.join('\n')).toContain('CONTRACT VIOLATION');
});

test('faults: before, after, with a body of their own, by operation, by disconnecting', async () => {
	const target = `/public/proposals/${proposals.empty}`;
	const name = () => simulator.control.proposal(proposals.empty).name;
	simulator.control.failNext({
		operationId: 'proposal.update',
		status: 429,
		headers: { 'Retry-After': '7' },
		times: 2,
	});
	expect((await client.get(target)).status).toBe(200);
	const first = await client.form(target, { Name: 'one' });
	expect([first.status, first.headers['retry-after'], first.json.errorCode]).toEqual([
		429,
		'7',
		'TooManyRequests',
	]);
	expect((await client.form(target, { Name: 'one' })).status).toBe(429);
	expect(name()).toBe('Untitled walkthrough');
	expect((await client.form(target, { Name: 'one' })).status).toBe(200);
	simulator.control.failNext({
		status: 502,
		when: 'after',
		body: '<h1>Bad Gateway</h1>',
		headers: { 'Content-Type': 'text/html' },
	});
	expect(await client.form(target, { Name: 'two' })).toMatchObject({
		status: 502,
		text: '<h1>Bad Gateway</h1>',
	});
	expect(name()).toBe('two');
	simulator.control.failNext({ disconnect: true });
	await expect(client.get(target)).rejects.toThrow();
	expect(simulator.control.requests.at(-1)!.status).toBe(0);
	expect(simulator.control.contractViolations).toEqual([]);
});

test('the customer opens and accepts a proposal', async () => {
	const list = await (await fetch(page())).text();
	expect(list).toContain('Holt bedroom televisions');
	expect(list).not.toContain('Holt theatre');
	const id = proposals.submitted;
	const text = await (await fetch(page(`/proposals/${id}`))).text();
	// 1799 + 389 + 3 x 125 + 1650 + 149.95 + 2.5 x 125 = 4675.45; tax 305.08 + 52.59
	expect(text).toContain('$5,033.12');
	expect(text).toContain('value="accept">Accept');
	expect(simulator.control.proposal(id).status).toBe('ViewedByClient');
	const byUser = simulator.control.proposal(id).lastModifiedByUserDate;
	const reply = await decide(id, 'accept', [
		'Origin',
		simulator.url,
		'Sec-Fetch-Site',
		'same-origin',
	]);
	expect([reply.status, reply.headers.location]).toEqual([303, `/customer/proposals/${id}`]);
	const after = simulator.control.proposal(id);
	expect(after).toMatchObject({ status: 'Accepted', lastModifiedByUserDate: byUser });
	expect(after.clientLastDecisionDate).toBe(after.lastModifiedDate);
	expect(after.areas.every((area: Json) => area.options[0].status === 'Accepted')).toBe(true);
	expect(await (await fetch(page(`/proposals/${id}`))).text()).not.toContain('name="decision"');
	expect((await decide(id, 'decline')).status).toBe(409);
	expect((await decide(proposals.viewed, 'decline')).status).toBe(303);
	expect(simulator.control.proposal(proposals.viewed).status).toBe('Declined');
});

test('the customer page is for this machine and its own forms', async () => {
	const id = proposals.submitted;
	for (const headers of [
		['Origin', 'https://evil.example'],
		['Origin', 'null'],
		['Sec-Fetch-Site', 'cross-site'],
		['Sec-Fetch-Site', 'same-site'],
		['Host', 'evil.example'],
	]) {
		for (const action of ['accept', 'decline', 'reopen', 'pay']) {
			expect((await decide(id, action, headers)).status, `${action} ${headers}`).toBe(403);
		}
	}
	expect((await send(page(), 'GET', ['Host', `evil.example:${simulator.port}`])).status).toBe(403);
	expect((await send(page(), 'GET', ['Host', `localhost:${simulator.port}`])).status).toBe(200);
	expect(simulator.control.proposal(id).status).toBe('Submitted');
	for (const path of [`/proposals/${proposals.staleTheatre}`, '/proposals/x', '/nothing']) {
		expect((await fetch(page(path))).status).toBe(404);
	}
	expect((await decide(proposals.staleTheatre, 'accept')).status).toBe(404);
	expect((await fetch(page())).headers.get('content-security-policy')).toContain(
		"default-src 'none'",
	);
});

test('text of others is escaped on the page', async () => {
	const { control } = simulator;
	control.updateProposal(proposals.submitted, { name: '<script>alert(1)</script>' });
	for (const path of ['', `/proposals/${proposals.submitted}`]) {
		const text = await (await fetch(page(path))).text();
		expect(text).toContain('&lt;script&gt;');
		expect(text).not.toContain('<script>');
	}
});
