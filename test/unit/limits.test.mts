/** How long the client waits for what, by a clock that the tests move. */
import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountState, readAccount, storedUserApiKey } from '../../client/account.ts';
import { PortalIoApi } from '../../credentials/PortalIoApi.credentials.ts';
import { exchangeKey, isKeyRefused, type HttpRequest } from '../../client/login.ts';
import { send } from '../../client/request.ts';
import { toOutcome } from '../../client/response.ts';
import { Session, type Context } from '../../client/session.ts';
import { pause } from '../../client/concurrency.ts';
import { sendUpload } from '../../client/upload.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const login = () => ({
	...{ environment: 'custom', baseUrl: 'https://service.example.com', appKey: 'a', secretKey: 'b' },
	...{ username: `${randomUUID()}@example.com`, password: 'c', userApiKey: '' },
});
/** The time limits that were set, which the test lets pass. */
function catchLimits() {
	const limits: Array<{ ms: number; pass: () => void }> = [];
	vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const controller = new AbortController();
		limits.push({ ms, pass: () => controller.abort() });
		return controller.signal;
	});
	return limits;
}
const endless = () => new Readable({ read: () => {} });
const turns = async () => {
	for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

/** What has come of something by now; waiting for what never ends would keep a broken test for minutes. */
async function resultOf<T>(promise: Promise<T>): Promise<T | string> {
	await vi.advanceTimersByTimeAsync(0);
	return await Promise.race([promise, Promise.resolve('still pending')]);
}

/**
 * A session over a service whose responses the test gives, and what it was asked.
 *
 * @param respond is given the credential as n8n reads and completes it
 */
function sessionWith(
	respond: (data: ReturnType<typeof login>) => object,
	credential = login(),
	stored = credential,
) {
	const asked: IHttpRequestOptions[] = [];
	let reads = 0;
	const context = {
		getNode: () => ({ name: 'Portal.io' }),
		getCredentials: async () => (reads++, stored),
		helpers: {
			httpRequestWithAuthentication: async (
				_type: string,
				options: IHttpRequestOptions,
				{ credentialsDecrypted: { data } }: { credentialsDecrypted: { data: typeof credential } },
			) => {
				asked.push(options);
				return respond(data);
			},
		},
	} as unknown as Context;
	const open = (options = {}) => new Session(context, credential, { attempts: 1, ...options });
	return { open, asked, reads: () => reads };
}
const ok = { statusCode: 200, headers: {}, body: { id: 1 } };
const request = { method: 'GET', path: '/x' } as const;

describe('the login', () => {
	it('gives up a login after 30 seconds, its response included', async () => {
		const limits = catchLimits();
		const timeouts: unknown[] = [];
		const httpRequest = (async ({ timeout }: IHttpRequestOptions) => {
			timeouts.push(timeout);
			return { statusCode: 200, headers: {}, body: endless() };
		}) as unknown as HttpRequest;
		const outcome = exchangeKey(readAccount(login()), httpRequest).catch((error: Error) => error);
		await turns();
		expect(timeouts).toEqual([30_000]);
		expect(limits.map(({ ms }) => ms)).toEqual([30_000]);
		limits[0]!.pass();
		expect(await resultOf(outcome)).toMatchObject({
			message: 'service.example.com cannot be reached',
			description: expect.stringContaining('ETIMEDOUT'),
		});
	});

	it.each([
		[200, false],
		[403, false],
		[500, false],
		[401, true],
	])(
		'logs in again for a key in place if a read with it gives %i: that is %s',
		async (status, expected) => {
			const asked: IHttpRequestOptions[] = [];
			const httpRequest = (async (options: IHttpRequestOptions) => {
				asked.push(options);
				return { statusCode: status, headers: {}, body: '' };
			}) as unknown as HttpRequest;
			const credential = login();
			const userApiKey = storedUserApiKey(readAccount(credential), 'the key');
			const account = readAccount({ ...credential, userApiKey });
			expect(await isKeyRefused(account, httpRequest)).toBe(expected);
			expect(asked).toMatchObject([
				{
					method: 'GET',
					url: 'https://service.example.com/public/proposals?PageNumber=1&PageSize=1',
					headers: { 'X-MSS-API-USERKEY': 'the key' },
				},
			]);
			// n8n sends a request once more, a POST too, when it gets a key.
			const helper = { helpers: { httpRequest } } as never;
			const renewed = new PortalIoApi().preAuthentication.call(helper, {
				...credential,
				userApiKey,
			});
			if (expected) await expect(renewed).rejects.toThrow('Portal.io refused the');
			else expect(await renewed).toEqual({});
		},
	);
});

describe('a response', () => {
	it('gives up a request after five minutes, its response included', async () => {
		const limits = catchLimits();
		const { open, asked } = sessionWith(() => ({ ...ok, body: endless() }));
		const outcome = send(open(), request).catch((error: Error) => error);
		await turns();
		expect(limits.map(({ ms }) => ms)).toEqual([300_000]);
		expect(asked.map(({ timeout }) => timeout)).toEqual([300_000]);
		limits[0]!.pass();
		expect(await resultOf(outcome)).toMatchObject({
			description: expect.stringContaining('ETIMEDOUT'),
		});
		expect(asked[0]!.abortSignal!.aborted).toBe(true);
	});

	it('reads nothing more of a response that was given up', async () => {
		const limits = catchLimits();
		const body = new PassThrough();
		const send = async () => ({ statusCode: 200, headers: {}, body });
		const outcome = toOutcome(send, 'GET', 1000);
		await turns();
		limits[0]!.pass();
		expect(await resultOf(outcome)).toMatchObject({ failure: { code: 'ETIMEDOUT' } });
		body.on('error', () => {});
		body.write('{');
		await new Promise((resolve) => void body.on('close', resolve));
		expect(body.destroyed).toBe(true);
	});
});

describe('a wait', () => {
	it('ends a wait with the stop of the execution', async () => {
		const stop = new AbortController();
		const waiting = pause(60_000, stop.signal);
		stop.abort();
		expect(await resultOf(waiting)).toBeUndefined();
		expect(await resultOf(pause(60_000, stop.signal))).toBeUndefined();
	});

	it('leaves nothing behind on the signal of an execution, which may wait often', async () => {
		const { signal } = new AbortController();
		const waiting = pause(1, signal);
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		await vi.runAllTimersAsync();
		await waiting;
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

describe('a refused key', () => {
	it('waits longer before each further renewal of a key, by a half of what it may be', async () => {
		vi.spyOn(Math, 'random').mockReturnValue(0.5);
		const credential = login();
		const keyed = (key: number) => storedUserApiKey(readAccount(credential), `key ${key}`);
		const stored = { ...credential, userApiKey: keyed(0) };
		let keys = 0;
		const times: number[] = [];
		const refuse = () => {
			times.push(Date.now() - start);
			stored.userApiKey = keyed(++keys);
			return { statusCode: 401, headers: {}, body: '' };
		};
		const session = sessionWith(refuse, { ...stored }, stored).open();
		const start = Date.now();
		const outcome = send(session, request).catch((error: Error) => error);
		await vi.runAllTimersAsync();
		expect(await outcome).toMatchObject({ facts: { status: '401' } });
		// At once, and then after 0.5 * 250 ms * 2, 4 and 8.
		expect(times).toEqual([0, 0, 250, 750, 1750]);
	});
});

it('does not bring back a key that was given up while a request was under way', async () => {
	const credential = login();
	const stored = { ...credential, userApiKey: storedUserApiKey(readAccount(credential), 'key') };
	const { promise, resolve } = Promise.withResolvers<object>();
	const session = sessionWith(() => promise, { ...stored }, stored).open();
	const outcome = send(session, request);
	await turns();
	await session.renewKey('key');
	resolve(ok);
	await outcome;
	expect(session.userApiKey).toBe('');
});

it('knows how far the clock of the service is ahead, from the last response that says it', async () => {
	let headers: object = { date: new Date(Date.now() + 3600_000).toUTCString() };
	const { open } = sessionWith(() => ({ ...ok, headers }));
	const session = open();
	await send(session, request);
	headers = {};
	await send(session, request);
	expect(session.clockLeadMs).toBeGreaterThan(3590_000);
});

it('asks no second time where there is no key that could be renewed', async () => {
	const { open, asked } = sessionWith(() => ({ statusCode: 401, headers: {}, body: '' }));
	await expect(send(open(), request)).rejects.toMatchObject({ facts: { status: '401' } });
	expect(asked).toHaveLength(1);
});

describe('a broken connection', () => {
	it.each([
		[{ method: 'GET' }, 2],
		[{ method: 'POST', isRepeatable: true }, 2],
		[{ method: 'POST' }, 1],
	] as const)('sends %j %i times', async (kind, times) => {
		const { open, asked } = sessionWith(() => {
			throw Object.assign(new Error(), { code: 'ECONNRESET' });
		});
		const outcome = send(open({ attempts: 2 }), { ...request, ...kind }).catch(() => undefined);
		await vi.runAllTimersAsync();
		await outcome;
		expect(asked).toHaveLength(times);
	});
});

describe('a stopped execution', () => {
	it('sends nothing after the stop of the execution', async () => {
		const { open, asked } = sessionWith(() => ok);
		const session = open({ signal: AbortSignal.abort() });
		await expect(send(session, request)).rejects.toThrow('The execution was stopped');
		expect(asked).toEqual([]);
	});

	it('says what the request may have done that the stop has broken', async () => {
		const stop = new AbortController();
		const { open } = sessionWith(() => {
			stop.abort();
			throw Object.assign(new Error(), { code: 'ECONNRESET' });
		});
		const session = open({ attempts: 2, signal: stop.signal });
		const change = { ...request, method: 'POST', isRepeatable: true } as const;
		await expect(send(session, change)).rejects.toMatchObject({
			message: 'The execution was stopped',
			description: 'Portal.io may have processed the request. Running the step again does no harm.',
		});
	});
});

describe('an account', () => {
	it.each([
		['119', 2],
		// With its share of chance, the wait would be longer than two minutes.
		['120', 1],
	])(
		'asks again after a Retry-After of %s seconds, or reports it: %i requests',
		async (seconds, count) => {
			const headers = { 'retry-after': seconds };
			const { open, asked } = sessionWith(() => ({ statusCode: 429, headers, body: '' }));
			const outcome = send(open({ attempts: 2 }), request).catch((error: Error) => error);
			await vi.runAllTimersAsync();
			expect(await outcome).toMatchObject({ facts: { status: '429' } });
			expect(asked).toHaveLength(count);
		},
	);

	it.each([
		[120_000, 1],
		[120_001, 0],
	])('waits up to two minutes as the service asks, and tells of more: %i ms', async (ms, sent) => {
		const { open, asked } = sessionWith(() => ok);
		const session = open();
		session.state.throttle(ms);
		const outcome = send(session, request).catch((error: Error) => error);
		await vi.runAllTimersAsync();
		expect(await outcome).toMatchObject(sent === 1 ? { id: 1 } : { facts: { status: '429' } });
		expect(asked).toHaveLength(sent);
	});

	it('starts the requests of a throttled account one after another, when the rest is over', async () => {
		const account = new AccountState();
		const start = Date.now();
		// What is refused at the same moment is one incident.
		for (let refusal = 0; refusal < 3; refusal++) account.throttle(1000);
		const slots = [1, 2, 3].map(async () => {
			await account.waitForSlot(undefined);
			return Date.now() - start;
		});
		await vi.runAllTimersAsync();
		// The least interval is 25 ms.
		expect(await Promise.all(slots)).toEqual([1000, 1025, 1050]);
		await vi.advanceTimersByTimeAsync(100);
		const late = account.waitForSlot(undefined);
		expect(vi.getTimerCount()).toBe(0);
		await late;
	});

	it.each([
		[1000, 25],
		[1001, 50],
	])(
		'slows an account down once for what is refused within a second: after %i ms to %i',
		async (ms, interval) => {
			const account = new AccountState();
			account.throttle(0);
			await vi.advanceTimersByTimeAsync(ms);
			account.throttle(0);
			const start = Date.now();
			const slots = [1, 2].map(async () => {
				await account.waitForSlot(undefined);
				return Date.now() - start;
			});
			await vi.runAllTimersAsync();
			expect(await Promise.all(slots)).toEqual([0, interval]);
		},
	);

	it('restores the speed of an account after enough requests have succeeded', async () => {
		let response: object = { statusCode: 429, headers: {}, body: '' };
		const { open } = sessionWith(() => response);
		const session = open();
		const read = async () => {
			const outcome = send(session, request).catch((error: Error) => error);
			await vi.runAllTimersAsync();
			return await outcome;
		};
		for (let limit = 0; limit < 5; limit++) {
			expect(await read()).toBeInstanceOf(Error);
			await vi.advanceTimersByTimeAsync(1001);
		}
		response = ok;
		const start = Date.now();
		for (let count = 0; count < 60; count++) expect(await read()).toEqual({ id: 1 });
		// The interval doubled from 25 to 400 ms, and each success takes a fifth of it: 400 / (1 - 0.8).
		const time = Date.now() - start;
		expect(time).toBeLessThanOrEqual(2_000);
		// Little by little, not with the first that succeeds.
		expect(time).toBeGreaterThanOrEqual(1_500);
	});
});

describe('an upload', () => {
	it.each([
		[1024, 301],
		[64 * 1024 * 1024, 300 + 1025],
	])(
		'lets an upload of %i bytes take %i seconds: five minutes, and half a megabit a second',
		async (bytes, seconds) => {
			const { open, asked } = sessionWith(() => ok);
			const form = { fields: {}, files: [{ name: 'walk.txt', bytes }] };
			const file = async () => Buffer.alloc(bytes);
			const upload = { request: { method: 'POST', path: '/x' }, form, open: file } as const;
			await sendUpload(open(), { ...upload, check: async () => {} });
			expect(asked.map(({ timeout }) => timeout)).toEqual([seconds * 1000]);
		},
	);
});

describe('a session', () => {
	const keyOf = (credential: ReturnType<typeof login>, key: string) => ({
		...credential,
		userApiKey: storedUserApiKey(readAccount(credential), key),
	});

	it('limits each request of a session as it was opened', async () => {
		const { open, asked } = sessionWith(() => ok);
		await send(open({ timeoutMs: 5000 }), request);
		await send(open(), request);
		expect(asked.map(({ timeout }) => timeout)).toEqual([5000, 300_000]);
	});

	it('goes on with the key that n8n got for its first request', async () => {
		const keys: string[] = [];
		const { open } = sessionWith((data) => {
			keys.push(data.userApiKey);
			data.userApiKey ||= keyOf(data, 'first').userApiKey;
			return ok;
		});
		const session = open();
		await send(session, request);
		await send(session, request);
		expect(keys).toEqual(['', expect.stringMatching(/\.first$/)]);
		expect(session.userApiKey).toBe('first');
	});

	it('renews a refused key by the one that another worker has stored', async () => {
		const credential = login();
		const { open, reads } = sessionWith(
			() => ok,
			keyOf(credential, 'old'),
			keyOf(credential, 'new'),
		);
		const session = open();
		await session.renewKey('old');
		expect(session.userApiKey).toBe('new');
		await session.renewKey('old');
		expect([session.userApiKey, reads()]).toEqual(['new', 1]);
	});

	it('drops the key of a session after the one that all workers have was refused', async () => {
		const credential = keyOf(login(), 'old');
		const session = sessionWith(() => ok, credential).open();
		await session.renewKey('old');
		expect(session.userApiKey).toBe('');
	});

	it('does not use the key of another account', () => {
		const credential = { ...login(), userApiKey: keyOf(login(), 'theirs').userApiKey };
		const session = sessionWith(() => ok, credential).open();
		expect(session.userApiKey).toBe('');
		expect(credential.userApiKey).toBe('');
	});
});
