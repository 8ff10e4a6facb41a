/** The user API key of a session: which one signs its requests, and when a rejected one is renewed. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readAccount, storedUserApiKey } from '../../client/account.ts';
import { newCredential, sessionsOver } from './playedSession.mts';
import { ok, outcomeOf, request, runPromises, unauthorized } from './timedRequests.mts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const keyIn = (credential: object, key: string) =>
	storedUserApiKey(readAccount(credential as never), key);
const withKey = (credential: ReturnType<typeof newCredential>, key: string) => ({
	...credential,
	userApiKey: keyIn(credential, key),
});

it('signs all requests with the key of the login that n8n makes before the first one', async () => {
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

it('does not use a stored key of another account', async () => {
	const credential = newCredential({ userApiKey: keyIn(newCredential(), 'theirs') });
	const keys: unknown[] = [];
	const session = sessionsOver((data) => (keys.push(data.userApiKey), ok), credential).open();
	await session.send(request);
	expect([session.userApiKey.value, ...keys]).toEqual(['', '']);
});

it('replaces a rejected key once by the key that another worker has stored', async () => {
	const credential = newCredential();
	const slowRead = Promise.withResolvers<object>();
	const reads = [slowRead.promise];
	const stored = () => reads.shift() ?? withKey(credential, 'new');
	const session = sessionsOver(() => ok, withKey(credential, 'old'), stored).open();
	const old = session.userApiKey;
	const [slow, fast] = [session.renewKey(old), session.renewKey(old)];
	expect(await fast).toBe(true);
	// The slow renewal has read the database before the other worker wrote to it.
	slowRead.resolve(withKey(credential, 'old'));
	expect(await slow).toBe(true);
	// A third request was signed with the old key, too.
	expect(await session.renewKey(old)).toBe(true);
	expect(session.userApiKey.value).toBe('new');
	// If the new key is rejected, too, the next request logs in.
	expect(await session.renewKey(session.userApiKey)).toBe(true);
	expect(session.userApiKey.value).toBe('');
});

it('renews a key up to four times, whatever the attempts, and waits longer each time', async () => {
	vi.spyOn(Math, 'random').mockReturnValue(0.5);
	const credential = newCredential();
	const times: number[] = [];
	// Another worker stores a new key after each request, and the service rejects it.
	const stored = () => withKey(credential, `key ${times.length}`);
	const { open } = sessionsOver(
		() => {
			times.push(Date.now() - start);
			return unauthorized;
		},
		stored(),
		stored,
	);
	const start = Date.now();
	await outcomeOf(open({ attempts: 4 }).send(request));
	// The first renewal waits for nothing, and the others for 0.5 * 250 ms times 2, 4 and 8.
	expect(times).toEqual([0, 0, 250, 750, 1750]);
});

it('does not use a key again that was replaced before its request succeeded', async () => {
	const response = Promise.withResolvers<object>();
	const session = sessionsOver(() => response.promise, withKey(newCredential(), 'key')).open();
	const outcome = session.send(request);
	await runPromises();
	await session.renewKey(session.userApiKey);
	response.resolve(ok);
	await outcome;
	expect(session.userApiKey.value).toBe('');
});

/** Opens a session with a stored key. The returned function sends requests that get a status, and counts. */
function countingSession(nextKey: (login: number) => string, storedKey = 'stored') {
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
	return async (status: number, count = 1) => {
		const before = { requests: asked.length, logins };
		statusCode = status;
		const sending = Array.from({ length: count }, async () => await session.send(request));
		await outcomeOf(Promise.allSettled(sending));
		return { requests: asked.length - before.requests, logins: logins - before.logins };
	};
}

it('logs in once if the new key is rejected too, and again after a request has succeeded', async () => {
	const countsFor = countingSession((login) => `key ${login}`);
	expect(await countsFor(401)).toEqual({ requests: 2, logins: 1 });
	expect(await countsFor(401)).toEqual({ requests: 1, logins: 0 });
	expect(await countsFor(200)).toEqual({ requests: 1, logins: 0 });
	expect(await countsFor(401)).toEqual({ requests: 2, logins: 1 });
});

it('logs in once if the login returns the rejected key', async () => {
	const countsFor = countingSession(() => 'stored');
	expect(await countsFor(401)).toEqual({ requests: 2, logins: 1 });
	await vi.advanceTimersByTimeAsync(60_000);
	expect(await countsFor(401)).toEqual({ requests: 1, logins: 0 });
	// The key is valid, so what is rejected after a success has another reason.
	expect(await countsFor(200)).toEqual({ requests: 1, logins: 0 });
	expect(await countsFor(401)).toEqual({ requests: 1, logins: 0 });
});

it('logs in once without a stored key, and does not repeat a request whose new key is rejected', async () => {
	const countsFor = countingSession(() => 'key', '');
	expect(await countsFor(401)).toEqual({ requests: 1, logins: 1 });
	expect(await countsFor(401)).toEqual({ requests: 1, logins: 0 });
});

it('logs in once for five simultaneous requests, and repeats each if the login returns the same key', async () => {
	const countsFor = countingSession(() => 'stored');
	expect(await countsFor(401, 5)).toEqual({ requests: 10, logins: 1 });
	expect(await countsFor(401, 5)).toEqual({ requests: 5, logins: 0 });
});

it('logs in again if the key of an earlier login, such as that of the credential test, is rejected', async () => {
	let logins = 0;
	const logIn = async () => `key ${++logins}`;
	const { open } = sessionsOver(async (data) => {
		if (data.userApiKey === '') data.userApiKey = keyIn(data, await state.logins.logIn(logIn));
		return data.userApiKey === keyIn(data, 'key 2') ? ok : unauthorized;
	});
	const { state } = open();
	await state.logins.logIn(logIn);
	expect(await outcomeOf(open().send(request))).toEqual({ id: 1 });
});

it.each([
	['an old key', 'old'],
	['no key', ''],
])(
	'uses the key that another worker stores if the key of a login is rejected, with %s before',
	async (_what, old) => {
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
					// The login of the other worker has ended the key `mine`, and n8n needs a moment to store `theirs`.
					setTimeout(() => (stored = 'theirs'), 100);
				}
				return data.userApiKey === keyIn(data, 'theirs') ? ok : unauthorized;
			},
			inDatabase(old),
			() => inDatabase(stored),
		);
		const session = open();
		expect(await outcomeOf(session.send(request))).toEqual({ id: 1 });
		expect(logins).toBe(1);
	},
);

it('does not repeat a request that n8n sent without a key', async () => {
	const { open, asked } = sessionsOver(() => unauthorized);
	expect(await outcomeOf(open().send(request))).toMatchObject({ facts: { status: '401' } });
	expect(asked).toHaveLength(1);
});
