/** The requests of a session: keys, waits and time limits, by a clock that the tests move. */
import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readAccount, storedUserApiKey } from '../../client/account.ts';
import { accountStateOf } from '../../client/accountState.ts';
import { pause } from '../../client/concurrency.ts';
import { RateLimit } from '../../client/rateLimit.ts';
import { openSession } from '../../client/session.ts';
import { sendUpload } from '../../client/upload.ts';
import { newCredential, sessionsOver } from './playedSession.mts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const ok = { statusCode: 200, headers: {}, body: { id: 1 } };
const refused = { statusCode: 401, headers: {}, body: '' };
const request = { method: 'GET', path: '/x' } as const;
const turns = async () => {
	for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};
const keyIn = (credential: object, key: string) =>
	storedUserApiKey(readAccount(credential as never), key);
const withKey = (credential: ReturnType<typeof newCredential>, key: string) => ({
	...credential,
	userApiKey: keyIn(credential, key),
});
async function outcomeOf(sending: Promise<unknown>) {
	const outcome = sending.catch((error: Error) => error);
	await vi.runAllTimersAsync();
	return await outcome;
}

it('gives up a request after five minutes, including its response, which it then closes', async () => {
	const controller = new AbortController();
	const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
	const body = new PassThrough();
	const { open, asked } = sessionsOver(() => ({ ...ok, body }));
	const outcome = open()
		.send(request)
		.catch((error: Error) => error);
	await turns();
	expect([limit.mock.calls, asked[0]!.timeout]).toEqual([[[300_000]], 300_000]);
	controller.abort();
	expect(await outcome).toMatchObject({ description: expect.stringContaining('ETIMEDOUT') });
	body.on('error', () => {}).write('{');
	await new Promise((resolve) => void body.on('close', resolve));
	expect(body.destroyed).toBe(true);
});

it('gives an upload a second more for each 64 KiB', async () => {
	const { open, asked } = sessionsOver(() => ok);
	const bytes = 1024 * 1024;
	const form = { fields: {}, files: [{ name: 'walk.txt', bytes }] };
	const file = { form, open: async () => Buffer.alloc(bytes), check: async () => {} };
	await sendUpload(open(), { request: { method: 'POST', path: '/x' }, ...file });
	// Of the file, and of the form around it.
	expect(asked[0]!.timeout).toBe(300_000 + 16_000 + 1000);
});

it('passes on the error of n8n about a credential that it cannot read', async () => {
	const context = { getCredentials: async () => await Promise.reject(new Error('It is gone')) };
	await expect(openSession(context as never)).rejects.toThrow(/^It is gone$/);
});

it('leaves no listener on the signal of an execution, and ends a wait when it stops', async () => {
	const stop = new AbortController();
	const waits = [pause(1, stop.signal), pause(60_000, stop.signal)] as const;
	await vi.advanceTimersByTimeAsync(1);
	await waits[0];
	expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
	stop.abort();
	await waits[1];
	await pause(60_000, stop.signal);
	expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

it('keeps the key that n8n exchanged for its first request', async () => {
	const keys: unknown[] = [];
	const { open } = sessionsOver((data) => {
		keys.push(data.userApiKey);
		data.userApiKey ||= keyIn(data, 'first');
		return ok;
	});
	const session = open();
	await session.send(request);
	await session.send(request);
	expect(keys).toEqual(['', expect.stringMatching(/\.first$/)]);
	expect(session.userApiKey.value).toBe('first');
});

it('does not use the key of another account', async () => {
	const credential = newCredential({ userApiKey: keyIn(newCredential(), 'theirs') });
	const keys: unknown[] = [];
	const session = sessionsOver((data) => (keys.push(data.userApiKey), ok), credential).open();
	await session.send(request);
	expect([session.userApiKey.value, ...keys]).toEqual(['', '']);
});

it('renews a rejected key once, by the one that another worker has stored', async () => {
	const credential = newCredential();
	const slow = Promise.withResolvers<object>();
	const reads = [slow.promise];
	const stored = () => reads.shift() ?? withKey(credential, 'new');
	const session = sessionsOver(() => ok, withKey(credential, 'old'), stored).open();
	const old = session.userApiKey;
	const both = [session.renewKey(old), session.renewKey(old)];
	const second = await both[1];
	// The first of them has read the database before the other worker wrote.
	slow.resolve(withKey(credential, 'old'));
	expect([await both[0], second, await session.renewKey(old)]).toEqual([true, true, true]);
	expect(session.userApiKey.value).toBe('new');
	// The next request logs in if that one is rejected, too.
	expect([await session.renewKey(session.userApiKey), session.userApiKey.value]).toEqual([
		true,
		'',
	]);
});

it('does not bring back a key that was given up while a request was under way', async () => {
	const response = Promise.withResolvers<object>();
	const session = sessionsOver(() => response.promise, withKey(newCredential(), 'key')).open();
	const outcome = session.send(request);
	await turns();
	await session.renewKey(session.userApiKey);
	response.resolve(ok);
	await outcome;
	expect(session.userApiKey.value).toBe('');
});

it.each([
	// At once, and then after 0.5 * 250 ms * 2, 4 and 8.
	[401, [0, 0, 250, 750, 1750]],
	// After 400 ms * 1, 2 and 4.
	[502, [0, 400, 1200, 2800]],
])('waits longer before each further attempt after status %i', async (statusCode, expected) => {
	vi.spyOn(Math, 'random').mockReturnValue(0.5);
	const credential = newCredential();
	let keys = 0;
	const times: number[] = [];
	const refuse = () => {
		times.push(Date.now() - start);
		keys++;
		return { ...refused, statusCode };
	};
	const stored = () => withKey(credential, `key ${keys}`);
	const session = sessionsOver(refuse, stored(), stored).open({ attempts: 4 });
	const start = Date.now();
	await outcomeOf(session.send(request));
	expect(times).toEqual(expected);
});

it.each([
	// A random share of 0.5 to 1.5 of 400 ms, so that executions do not all come back at once.
	[0, 200],
	[0.25, 300],
	[0.75, 500],
])(
	'waits before a second attempt for a random time: with the share %d for %i ms',
	async (...row) => {
		const [share, ms] = row;
		vi.spyOn(Math, 'random').mockReturnValue(share);
		const times: number[] = [];
		const start = Date.now();
		const { open } = sessionsOver(() => {
			times.push(Date.now() - start);
			return { ...refused, statusCode: 502 };
		});
		await outcomeOf(open({ attempts: 2 }).send(request));
		expect(times).toEqual([0, ms]);
	},
);

/** A session with a stored key, whose logins return the next of these. */
function sessionWithLogins(nextKey: (login: number) => string, storedKey = 'stored') {
	let logins = 0;
	let statusCode = 401;
	const credential = newCredential();
	const { open, asked } = sessionsOver(
		async (data) => {
			// As n8n does before a request without a key.
			const logIn = async () => nextKey(++logins);
			if (data.userApiKey === '')
				data.userApiKey = keyIn(data, await session.state.logins.logIn(logIn));
			return { ...ok, statusCode };
		},
		storedKey === '' ? credential : withKey(credential, storedKey),
	);
	const session = open();
	return {
		send: async (status: number, requests = 1) => {
			const before = { requests: asked.length, logins };
			statusCode = status;
			const sending = Array.from({ length: requests }, async () => await session.send(request));
			await outcomeOf(Promise.allSettled(sending));
			return { requests: asked.length - before.requests, logins: logins - before.logins };
		},
	};
}

it('logs in once for a status 401 that a new key does not end, until a request succeeds', async () => {
	const { send } = sessionWithLogins((login) => `key ${login}`);
	expect(await send(401)).toEqual({ requests: 2, logins: 1 });
	expect(await send(401)).toEqual({ requests: 1, logins: 0 });
	expect(await send(200)).toEqual({ requests: 1, logins: 0 });
	expect(await send(401)).toEqual({ requests: 2, logins: 1 });
});

it('logs in once for a status 401 if the login returns the rejected key', async () => {
	const { send } = sessionWithLogins(() => 'stored');
	expect(await send(401)).toEqual({ requests: 2, logins: 1 });
	await vi.advanceTimersByTimeAsync(60_000);
	expect(await send(401)).toEqual({ requests: 1, logins: 0 });
	// The key is valid, so what is rejected after a success has another reason.
	expect(await send(200)).toEqual({ requests: 1, logins: 0 });
	expect(await send(401)).toEqual({ requests: 1, logins: 0 });
});

it('logs in once without a stored key, and sends once what the new key does not help', async () => {
	const { send } = sessionWithLogins(() => 'key', '');
	expect(await send(401)).toEqual({ requests: 1, logins: 1 });
	expect(await send(401)).toEqual({ requests: 1, logins: 0 });
});

it('logs in once for several requests, and sends each twice if the login returns their key', async () => {
	const { send } = sessionWithLogins(() => 'stored');
	expect(await send(401, 5)).toEqual({ requests: 10, logins: 1 });
	expect(await send(401, 5)).toEqual({ requests: 5, logins: 0 });
});

it('logs in again if an earlier login, as of the credential test, returned a key that has ended', async () => {
	let logins = 0;
	const logIn = async () => `key ${++logins}`;
	const { open } = sessionsOver(async (data) => {
		if (data.userApiKey === '') data.userApiKey = keyIn(data, await state.logins.logIn(logIn));
		return data.userApiKey === keyIn(data, 'key 2') ? ok : refused;
	});
	const { state } = open();
	await state.logins.logIn(logIn);
	expect(await outcomeOf(open().send(request))).toEqual({ id: 1 });
});

it.each(['old', ''])(
	'uses the key of another worker if that of a login is rejected: %j',
	async (old) => {
		vi.spyOn(Math, 'random').mockReturnValue(0.5);
		const credential = newCredential();
		const inDatabase = (key: string) => (key === '' ? credential : withKey(credential, key));
		let stored = old;
		let logins = 0;
		const { open } = sessionsOver(
			async (data) => {
				if (data.userApiKey === '') {
					logins++;
					data.userApiKey = keyIn(data, await session.state.logins.logIn(async () => 'mine'));
					// The login of the other worker has ended this key, and n8n takes a moment to store theirs.
					setTimeout(() => (stored = 'theirs'), 100);
				}
				return data.userApiKey === keyIn(data, 'theirs') ? ok : refused;
			},
			inDatabase(old),
			() => inDatabase(stored),
		);
		const session = open();
		expect(await outcomeOf(session.send(request))).toEqual({ id: 1 });
		expect(logins).toBe(1);
	},
);

it('does not repeat a request without a key to renew', async () => {
	const { open, asked } = sessionsOver(() => refused);
	expect(await outcomeOf(open().send(request))).toMatchObject({ facts: { status: '401' } });
	expect(asked).toHaveLength(1);
});

it('knows how far the clock of the service is ahead, from the last response that says it', async () => {
	let headers: object = { date: new Date(Date.now() + 3600_000).toUTCString() };
	const session = sessionsOver(() => ({ ...ok, headers })).open();
	await session.send(request);
	headers = {};
	await session.send(request);
	expect(session.clockLeadMs).toBeGreaterThan(3590_000);
});

const broken = Object.assign(new Error(), { code: 'ECONNRESET' });

it('sends nothing after the stop of the execution', async () => {
	const { open, asked } = sessionsOver(() => ok);
	const session = open({ signal: AbortSignal.abort() });
	session.state.rateLimit.holdRequests(1000);
	await expect(session.send(request)).rejects.toThrow('The execution was stopped');
	expect(asked).toEqual([]);
});

it.each([
	[{ method: 'POST', isRepeatable: true }, 'You can safely run the step again.'],
	[
		{ method: 'DELETE' },
		'You can safely run the step again: if it then finds no record, the first run deleted it.',
	],
	[{ method: 'POST' }, 'Check in Portal.io before you run the step again, to avoid duplicates.'],
] as const)('says what %j may have done when a stop closed its connection', async (...row) => {
	const [change, advice] = row;
	const stop = new AbortController();
	const { open } = sessionsOver(async () => {
		stop.abort();
		throw broken;
	});
	const session = open({ attempts: 2, signal: stop.signal });
	await expect(session.send({ ...request, ...change })).rejects.toMatchObject({
		message: 'The execution was stopped',
		description: `Portal.io may have processed the request. ${advice}`,
	});
});

it.each([
	[429, '119', 2],
	// With its share of chance, the wait would be longer than two minutes.
	[429, '120', 1],
	[503, '121', 1],
])('sends after status %i with Retry-After %s, or reports it: %i requests', async (...row) => {
	const [statusCode, seconds, count] = row;
	const limited = { statusCode, headers: { 'retry-after': seconds }, body: '' };
	const { open, asked } = sessionsOver(() => limited);
	const outcome = await outcomeOf(open({ attempts: 2 }).send(request));
	expect(outcome).toMatchObject({ facts: { status: String(statusCode) } });
	expect(asked).toHaveLength(count);
});

it('holds back requests that wait for a rate limit when another meets it again', async () => {
	const times: number[] = [];
	const limited = { statusCode: 429, headers: { 'retry-after': '10' }, body: '' };
	const { open } = sessionsOver(() => (times.push(Date.now()) === 1 ? limited : ok));
	const session = open();
	session.state.rateLimit.holdRequests(1000);
	await outcomeOf(Promise.allSettled([1, 2, 3].map(async () => await session.send(request))));
	expect(times).toHaveLength(3);
	expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(10_000);
});

/** The times at which several requests may start, in milliseconds from `start`. */
async function startsOf(rateLimit: RateLimit, count: number, start = Date.now()) {
	const waits = Array.from({ length: count }, async () => await rateLimit.waitForStart());
	return await Promise.all(waits.map(async (wait) => await wait.then(() => Date.now() - start)));
}

it('starts requests that waited for a rate limit 50 ms apart, and later ones at once', async () => {
	const rateLimit = new RateLimit();
	rateLimit.holdRequests(1000);
	// A shorter pause does not end the longer one.
	rateLimit.holdRequests(10);
	const starts = startsOf(rateLimit, 3);
	await vi.runAllTimersAsync();
	expect(await starts).toEqual([1000, 1050, 1100]);
	expect(await startsOf(rateLimit, 3)).toEqual([0, 0, 0]);
});

it('starts a request that met the rate limit again before those that still wait', async () => {
	const rateLimit = new RateLimit();
	rateLimit.holdRequests(1000);
	const waiting = startsOf(rateLimit, 3);
	await vi.advanceTimersByTimeAsync(1020);
	rateLimit.holdRequests(1000);
	const first = startsOf(rateLimit, 1);
	await vi.runAllTimersAsync();
	expect(await first).toEqual([1000]);
	expect(await waiting).toEqual([1000, 2070, 2120]);
});

it('ends a rate limit in time although the clock of the n8n server is set back', async () => {
	const rateLimit = new RateLimit();
	rateLimit.holdRequests(1000);
	await vi.advanceTimersByTimeAsync(1000);
	vi.setSystemTime(Date.now() - 60_000);
	expect(await startsOf(rateLimit, 2)).toEqual([0, 0]);
});

it('keeps the state of an account for a day after its last use', async () => {
	const hour = 3600_000;
	const state = accountStateOf('account');
	await vi.advanceTimersByTimeAsync(23 * hour);
	expect(accountStateOf('account')).toBe(state);
	await vi.advanceTimersByTimeAsync(23 * hour);
	accountStateOf('another account');
	expect(accountStateOf('account')).toBe(state);
});

it('drops the state of an account that was not used for a day', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	// The clock of an earlier test was ahead, which that of a process never is.
	vi.resetModules();
	const fresh = await import('../../client/accountState.ts');
	const state = new WeakRef(fresh.accountStateOf('account'));
	await vi.advanceTimersByTimeAsync(24 * 3600_000);
	fresh.accountStateOf('another account');
	vi.useRealTimers();
	// A reference that was made stays until the end of the task.
	await new Promise(setImmediate);
	collectGarbage();
	expect(state.deref()).toBeUndefined();
});
