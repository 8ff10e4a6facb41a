/** How a login that fails is reported, and how far apart requests arrive. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../probe/model.mts';
import { freePort } from '../../testbed/ports.mts';
import { keys } from './probing.mts';
import { run } from './running.mts';

/** A service that responds like this to everything. */
async function serve(listener: RequestListener): Promise<string> {
	const server = createServer(listener).listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function expectLogin({ endedEarly, endpoints }: Report, verdict: string, words: RegExp): void {
	expect(endedEarly).toMatch(words);
	const [login, ...others] = endpoints.toSorted(
		(one, other) =>
			Number(other.operation === 'authentication.exchangeKey') -
			Number(one.operation === 'authentication.exchangeKey'),
	);
	expect(login).toMatchObject({ verdict, note: endedEarly });
	for (const one of others) {
		expect(one).toMatchObject({ verdict: 'not tried', note: 'Not tried, as the login failed.' });
	}
}

describe('a login that fails', () => {
	test.each([
		['password', { password: 'another 1' }, /^Portal\.io refused the email or password\.$/],
		['application key', { appKey: 'another' }, /check 'Application Key' and 'Secret Key'\.$/],
		['secret key', { secretKey: 'another' }, /check 'Application Key' and 'Secret Key'\.$/],
	])('says that it is about the %s', async (_, wrong, words) => {
		const { report } = await run({}, { keys: { ...keys, ...wrong } });
		expectLogin(report, 'refused', words);
	});

	test('says that nobody listens', async () => {
		const { report } = await run({}, { baseUrl: `http://127.0.0.1:${await freePort()}` });
		expectLogin(report, 'not tried', /^127\.0\.0\.1:\d+ cannot be reached\.$/);
	});

	test.each<[string, RequestListener, RegExp]>([
		[
			'a page',
			(_, response) => void response.setHeader('Content-Type', 'text/html').end('<p>Hello</p>'),
			/responded to the login, but not with a Portal\.io user key\.$/,
		],
		[
			'a redirect',
			(_, response) => void response.writeHead(302, { Location: '/login' }).end(),
			/is not the address of the Portal\.io API\.$/,
		],
	])('says that another service responded: %s', async (_, listener, words) => {
		const { report } = await run({}, { baseUrl: await serve(listener) });
		expectLogin(report, 'refused', words);
	});
});

test('no six requests arrive within a second, key exchanges and repeated ones included', async () => {
	const arrivals: number[] = [];
	const controller = new AbortController();
	const baseUrl = await serve(({ url = '' }, response) => {
		arrivals.push(performance.now());
		if (arrivals.length === 9) controller.abort();
		response.setHeader('Content-Type', 'application/json');
		if (arrivals.length === 3) response.writeHead(503, { 'Retry-After': '0' });
		const key = 'bUSQ1FdzSPa7bBP1KyHnPNvS5BzWqvVr5uKNLhTqGJk=';
		response.end(
			url.startsWith('/authenticate') ? JSON.stringify({ meta: { apiKey: key } }) : '{}',
		);
	});
	await run({}, { baseUrl, intervalMs: undefined, signal: controller.signal });
	expect(arrivals.length).toBeGreaterThanOrEqual(9);
	for (const [index, time] of arrivals.slice(5).entries()) {
		expect(time - arrivals[index]!).toBeGreaterThanOrEqual(999);
	}
});
