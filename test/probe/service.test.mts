import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Ended } from '../../probe/service.mts';
import { startSimulator } from '../../simulator/index.mts';
import { keys, probeOf } from './probing.mts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let stop: () => unknown = () => {};
afterEach(() => stop());

/** A service whose key exchange works; `answer` has everything else. */
async function serviceOf(answer: Answer) {
	let requests = 0;
	const server = createServer((request, response) => {
		if (!request.url!.startsWith('/authenticate')) {
			requests++;
			return answer(request, response);
		}
		response.setHeader('Content-Type', 'application/json');
		response.end(
			JSON.stringify({ meta: { apiKey: 'bUSQ1FdzSPa7bBP1KyHnPNvS5BzWqvVr5uKNLhTqGJk=' } }),
		);
	});
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	stop = () => {
		server.closeAllConnections();
		server.close();
	};
	const { service } = probeOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	await service.logIn();
	return { service, requests: () => requests };
}

const READ = { method: 'GET', path: '/public/users' };
const CHANGE = { method: 'POST', path: '/public/people' };

describe('an unknown route', () => {
	const found = async (answer: Answer, path = '/public/proposals/12/items/3/qty') => {
		const { service } = await serviceOf(answer);
		await service.learnMissingRoute();
		return (await service.send({ method: 'POST', path })).isMissingRoute;
	};
	const json = (message: string) => JSON.stringify({ responseStatus: { message } });
	const isKnown = ({ url = '' }: IncomingMessage) => url.endsWith('/qty');
	const respond = (text: (request: IncomingMessage) => string, status = 404) =>
		((request, response) => void response.writeHead(status).end(text(request))) as Answer;

	test.each<[string, boolean, Answer]>([
		['text with its path', true, respond(({ url }) => `Handler for Request not found: ${url}\n`)],
		[
			'text with its method, path and query',
			true,
			respond(({ method, url }) => `Request.HttpMethod: ${method}\nRequest.PathInfo: ${url}\n`),
		],
		['an error in JSON', true, respond(({ url }) => json(`No route ${url}`))],
		[
			'another error in JSON for a known one',
			false,
			respond((request) => json(isKnown(request) ? 'Item not found' : 'No such route')),
		],
		[
			'text, but an error in JSON for a known one',
			false,
			respond((request) => (isKnown(request) ? json('Not found') : 'Not found')),
		],
		['nothing', true, respond(() => '')],
		['a page that every unknown route gets', true, respond(() => '<html>Welcome</html>', 200)],
	])('is recognized: %s', async (_title, isMissing, answer) => {
		expect(await found(answer)).toBe(isMissing);
	});

	test('is told from an unknown record of the simulator', async () => {
		const simulator = await startSimulator();
		stop = async () => await simulator.stop();
		const { service } = probeOf(simulator.url);
		await service.logIn();
		await service.learnMissingRoute();
		const missing = async (path: string) => {
			const { status, isMissingRoute } = await service.send({ method: 'GET', path });
			return [status, isMissingRoute];
		};
		expect(await missing('/public/proposals/999999')).toEqual([404, false]);
		expect(await missing('/public/proposals/1/nothing')).toEqual([404, true]);
		expect(await missing('/public/webhook/subscribe')).toEqual([405, true]);
	});
});

describe('a service in trouble', () => {
	const endOf = async (sending: Promise<unknown>): Promise<string> =>
		await sending.then(
			() => 'did not end',
			(error: Ended) => error.message,
		);

	test('ends the probe when a read finds nobody', async () => {
		const { service, requests } = await serviceOf(({ socket }) => void socket.destroy());
		const message = await endOf(service.send(READ));
		expect(message).toBe('The service could not be reached any more (ECONNRESET).');
		expect(requests()).toBe(4);
	});

	test('is not asked again for a change that broke off, and ends the probe after three', async () => {
		const { service, requests } = await serviceOf(({ socket }) => void socket.destroy());
		expect(await service.send(CHANGE)).toMatchObject({ status: 0, data: '' });
		expect(await service.send(CHANGE)).toMatchObject({ status: 0 });
		expect(await endOf(service.send(CHANGE))).toMatch('could not be reached');
		expect(requests()).toBe(3);
	});

	test('may send something unreadable once', async () => {
		const { service } = await serviceOf((_, response) => {
			response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('this is no gzip');
		});
		expect(await service.send(READ)).toMatchObject({ status: 0, data: '' });
		expect(await service.send(READ)).toMatchObject({ status: 0 });
	});

	test('answers with redirects, which are not followed', async () => {
		const { service, requests } = await serviceOf((_, response) => {
			response.writeHead(302, { Location: '/elsewhere' }).end();
		});
		expect(await service.send(READ)).toMatchObject({
			status: 302,
			headers: { location: '/elsewhere' },
		});
		expect(requests()).toBe(1);
	});

	test('says how long to wait, and ends the probe when that is too long', async () => {
		const { service } = await serviceOf((_, response) => {
			response.writeHead(429, { 'Retry-After': '3600' }).end();
		});
		expect(await endOf(service.send(READ))).toBe('The service is too busy: status 429.');
		expect(service.retryAfter).toBe('3600');
	});

	test('gets a new key when it no longer knows the former one', async () => {
		const simulator = await startSimulator();
		stop = async () => await simulator.stop();
		const { service } = probeOf(simulator.url);
		await service.logIn();
		simulator.control.expireUserKeys();
		expect(await service.send(READ)).toMatchObject({ status: 200 });
	});

	test('shows no key in what it says', async () => {
		const { service } = await serviceOf((_, response) => void response.writeHead(402).end('{}'));
		const said = [await endOf(service.send(READ))];
		const { service: nowhere } = probeOf('http://127.0.0.1:9');
		said.push(await endOf(nowhere.logIn()));
		for (const secret of Object.values(keys)) expect(said.join()).not.toContain(secret);
		expect(said[0]).toMatch('(402)');
	});
});
