/** Tests the user API key that signs a session's requests, and its renewal. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAccount, toStoredKey } from '../../client/account.ts';
import { PortalError } from '../../client/errors.ts';
import type { SessionOptions } from '../../client/session.ts';
import { newCredential, sessionsOver } from './playedSession.mts';
import { ok, outcomeOf, request, runPromises, unauthorized } from './timedRequests.mts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const keyIn = (credential: object, key: string) =>
	toStoredKey(readAccount(credential as never), key);
const withKey = (credential: ReturnType<typeof newCredential>, key: string) => ({
	...credential,
	userApiKey: keyIn(credential, key),
});

describe('the key of a request', () => {
	it('comes from the login before the first request, in all sessions', async () => {
		const keys: unknown[] = [];
		const { open } = sessionsOver(async (data) => {
			keys.push(data.userApiKey);
			if (data.userApiKey === '') await session.state.logIn(async () => 'first');
			return ok;
		});
		const session = open();
		await session.send(request);
		await session.send(request);
		await open().send(request);
		expect(keys).toEqual(['', ...Array(2).fill(expect.stringMatching(/\.first$/))]);
	});

	it('is never a stored key of another account', async () => {
		const credential = newCredential({ userApiKey: keyIn(newCredential(), 'theirs') });
		const keys: unknown[] = [];
		const session = sessionsOver((data) => (keys.push(data.userApiKey), ok), credential).open();
		await session.send(request);
		expect([session.state.userApiKey, ...keys]).toEqual(['', '']);
	});

	it('is replaced only once with the key that another worker has stored', async () => {
		const credential = newCredential();
		const slowRead = Promise.withResolvers<object>();
		const reads = [slowRead.promise];
		const stored = () => reads.shift() ?? withKey(credential, 'new');
		const session = sessionsOver(() => ok, withKey(credential, 'old'), stored).open();
		const { generation } = session.state;
		const [slow, fast] = [session.renewKey(generation), session.renewKey(generation)];
		expect(await fast).toBe(true);
		// Let the slow renewal receive the key that was stored before the other worker replaced it.
		slowRead.resolve(withKey(credential, 'old'));
		expect(await slow).toBe(true);
		// Expect success, because a third request was also signed with the old key.
		expect(await session.renewKey(generation)).toBe(true);
		expect(session.state.userApiKey).toBe('new');
		// Expect the next request to log in, because the new key was also rejected.
		expect(await session.renewKey(session.state.generation)).toBe(true);
		expect(session.state.userApiKey).toBe('');
	});

	it('is renewed up to four times, after a longer wait each time', async () => {
		vi.spyOn(Math, 'random').mockReturnValue(0.5);
		const credential = newCredential();
		const times: number[] = [];
		// After each request, another worker stores a new key, which the service also rejects.
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
		// The first renewal has no wait, and the waits of the others are 0.5 × 250 ms times 2, 4, and 8.
		expect(times).toEqual([0, 0, 250, 750, 1750]);
	});

	it('is not restored by a late success after it was replaced', async () => {
		const response = Promise.withResolvers<object>();
		const session = sessionsOver(() => response.promise, withKey(newCredential(), 'key')).open();
		const outcome = session.send(request);
		await runPromises();
		await session.renewKey(session.state.generation);
		response.resolve(ok);
		await outcome;
		expect(session.state.userApiKey).toBe('');
	});
});

describe('a rejected key', () => {
	/**
	 * Opens a session with a stored key. Returns a function that sends requests to which the service responds with the
	 * given status, and that returns how many requests and logins were sent.
	 */
	function countingSession(nextKey: (login: number) => string, storedKey: string) {
		let logins = 0;
		let statusCode = 401;
		const credential = newCredential();
		const { open, asked } = sessionsOver(
			async (data) => {
				// If there is no key, n8n logs in before the request.
				const logIn = async () => nextKey(++logins);
				if (data.userApiKey === '') data.userApiKey = keyIn(data, await session.state.logIn(logIn));
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

	/** Status that `parallel` simultaneous requests receive, and the expected numbers of requests and logins. */
	type Step = [status: number, parallel: number, requests: number, logins: number];

	const EACH_TIME_ANOTHER = (login: number) => `key ${login}`;
	const ALWAYS_THE_SAME = () => 'stored';
	const HAS_WORKED: Step = [200, 1, 1, 0];

	it.each<[situation: string, nextKey: (login: number) => string, storedKey: string, Step[]]>([
		[
			'the new key is rejected',
			EACH_TIME_ANOTHER,
			'stored',
			[
				[401, 1, 2, 1],
				[401, 1, 1, 0],
			],
		],
		[
			'the new key has worked before it is rejected',
			EACH_TIME_ANOTHER,
			'stored',
			[[401, 1, 2, 1], HAS_WORKED, [401, 1, 2, 1]],
		],
		[
			'the login returns the rejected key',
			ALWAYS_THE_SAME,
			'stored',
			[
				[401, 1, 2, 1],
				[401, 1, 1, 0],
			],
		],
		[
			'the same key has worked before it is rejected again',
			ALWAYS_THE_SAME,
			'stored',
			[[401, 1, 2, 1], HAS_WORKED, [401, 1, 2, 1]],
		],
		[
			'the login returns the rejected key to five requests at the same time',
			ALWAYS_THE_SAME,
			'stored',
			[
				[401, 5, 10, 1],
				[401, 5, 5, 0],
			],
		],
		[
			'n8n has stored no key, and the new key is rejected',
			() => 'key',
			'',
			[
				[401, 1, 1, 1],
				[401, 1, 1, 0],
			],
		],
	])(
		'logs in and retries requests only if that can help: %s',
		async (_, nextKey, storedKey, steps) => {
			const countsFor = countingSession(nextKey, storedKey);
			for (const [status, parallel, requests, logins] of steps) {
				expect(await countsFor(status, parallel)).toEqual({ requests, logins });
				// Wait, because calls within two seconds would share a login.
				await vi.advanceTimersByTimeAsync(60_000);
			}
		},
	);

	it('logs in at most once for a request, even if others succeed with the new key', async () => {
		let logins = 0;
		const { open } = sessionsOver(
			async (data) => {
				if (data.userApiKey === '') await state.logIn(async () => `key ${++logins}`);
				state.confirmKey(state.generation);
				return unauthorized;
			},
			withKey(newCredential(), 'stored'),
		);
		const { state } = open();
		expect(await outcomeOf(open().send(request))).toMatchObject({ facts: { status: '401' } });
		expect(logins).toBe(1);
	});

	it('uses the key of a credential test for a request whose key the test has replaced', async () => {
		const response = Promise.withResolvers<object>();
		const keys: unknown[] = [];
		const respond = ({ userApiKey }: { userApiKey?: unknown }) =>
			keys.push(userApiKey) === 1 ? response.promise : ok;
		const session = sessionsOver(respond, withKey(newCredential(), 'old')).open();
		const outcome = session.send(request);
		await runPromises();
		await session.state.logIn(async () => 'of the test');
		response.resolve(unauthorized);
		expect(await outcomeOf(outcome)).toEqual({ id: 1 });
		expect(keys[1]).toMatch(/\.of the test$/);
	});

	it('logs in after the keys of its own login and of another process were rejected', async () => {
		const credential = newCredential();
		const { open } = sessionsOver(
			async (data) => {
				if (data.userApiKey === '') await state.logIn(async () => 'second');
				return data.userApiKey === '' ? ok : unauthorized;
			},
			credential,
			() => withKey(credential, 'theirs'),
		);
		const session = open();
		const { state } = session;
		await state.logIn(async () => 'first');
		expect(await outcomeOf(session.send(request))).toEqual({ id: 1 });
		expect(state.logins).toBe(2);
	});

	it('uses a newer key that another process has stored', async () => {
		const credential = newCredential();
		sessionsOver(() => ok, withKey(credential, 'first')).open();
		const { state } = sessionsOver(() => ok, withKey(credential, 'second')).open();
		expect(state.userApiKey).toBe('second');
		// Open another session with the first key, because n8n might read the credential before it has stored the
		// second key.
		sessionsOver(() => ok, withKey(credential, 'first')).open();
		expect(state.userApiKey).toBe('second');
	});

	it('logs in again if the key of an earlier login is rejected', async () => {
		let logins = 0;
		const logIn = async () => `key ${++logins}`;
		const { open } = sessionsOver(async (data) => {
			if (data.userApiKey === '') data.userApiKey = keyIn(data, await state.logIn(logIn));
			return data.userApiKey === keyIn(data, 'key 2') ? ok : unauthorized;
		});
		const { state } = open();
		await state.logIn(logIn);
		expect(await outcomeOf(open().send(request))).toEqual({ id: 1 });
	});

	it.each([
		['an old key', 'old'],
		['no key', ''],
	])(
		'with %s stored before, uses the key that another worker stores if the key of a login is rejected',
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
						data.userApiKey = keyIn(data, await session.state.logIn(async () => 'mine'));
						// The other worker's login has invalidated the key `mine`, and n8n needs a moment to store
						// `theirs`.
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

	it('does not retry a request that n8n sent without a key', async () => {
		const { open, asked } = sessionsOver(() => unauthorized);
		expect(await outcomeOf(open().send(request))).toMatchObject({ facts: { status: '401' } });
		expect(asked).toHaveLength(1);
	});

	describe('a rejected login', () => {
		const wrongPassword = { cause: { cause: 'credential-invalid' }, login: { isRejected: true } };
		const firewall = { cause: { cause: 'credential-invalid' }, login: { isRejected: false } };

		/** Returns sessions of an account whose logins fail, and counts the logins. */
		function failingLogins(facts: object, mode = 'trigger') {
			const seen = { logins: 0 };
			const fail = async () => {
				seen.logins++;
				throw new PortalError('Rejected', { facts: facts as never });
			};
			const { open } = sessionsOver(async () => await state.logIn(fail), undefined, undefined, {
				getMode: () => mode,
			});
			const { state } = open();
			return { open, seen, state };
		}

		const [second, hour] = [1000, 3600_000];
		it.each<[string, string, SessionOptions, object, number]>([
			['an execution', 'trigger', {}, wrongPassword, 10 * second],
			['a poll', 'trigger', { rejectionMs: hour }, wrongPassword, hour],
			[
				'a poll after the response of a firewall',
				'trigger',
				{ rejectionMs: hour },
				firewall,
				10_000,
			],
			['a manual run', 'manual', { rejectionMs: hour }, wrongPassword, 2 * second],
		])('is retried by %s (%s) only after the waiting time', async (...row) => {
			const [, mode, options, facts, wait] = row;
			const { open, seen } = failingLogins(facts, mode);
			await expect(open(options).send(request)).rejects.toThrow('Rejected');
			await vi.advanceTimersByTimeAsync(wait - 1);
			await expect(open(options).send(request)).rejects.toThrow('Rejected');
			expect(seen.logins).toBe(1);
			await vi.advanceTimersByTimeAsync(1);
			await expect(open(options).send(request)).rejects.toThrow('Rejected');
			expect(seen.logins).toBe(2);
		});

		it.each(['trigger', 'manual'])('is not retried within a session: %s', async (mode) => {
			const { open, seen } = failingLogins(wrongPassword, mode);
			const session = open();
			for (let input = 1; input <= 3; input++) {
				await vi.advanceTimersByTimeAsync(20 * second);
				await expect(session.send(request)).rejects.toThrow('Rejected');
			}
			expect(seen.logins).toBe(1);
		});

		it('is retried immediately after any success of the account', async () => {
			const { open, seen, state } = failingLogins(wrongPassword);
			await expect(open().send(request)).rejects.toThrow('Rejected');
			state.confirmKey(state.generation);
			await expect(open().send(request)).rejects.toThrow('Rejected');
			expect(seen.logins).toBe(2);
		});

		it('mentions in its error that an earlier attempt might have made the change', async () => {
			const responses = [{ statusCode: 502, headers: {}, body: '' }, unauthorized];
			const fail = async () => await Promise.reject(new PortalError('Rejected'));
			const { open } = sessionsOver(
				async () => responses.shift() ?? (await session.state.logIn(fail)),
				withKey(newCredential(), 'expired'),
			);
			const session = open({ attempts: 2 });
			const change = { ...request, method: 'POST', isRepeatable: true } as const;
			expect(await outcomeOf(session.send(change))).toMatchObject({
				message: 'Rejected',
				doubt: expect.stringContaining('might have processed the request'),
			});
		});
	});
});
