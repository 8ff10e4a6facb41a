/** What a process remembers of key exchanges, and for how long. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAccount, storedUserApiKey } from '../../client/account.ts';
import { discardKey, exchangeKey, type HttpRequest } from '../../client/keyExchange.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let users = 0;
/** An account that no other test uses, and a service that issues keys 1, 2, 3 … for it. */
function setUp(status = 200) {
	const credential = {
		appKey: 'app-key',
		secretKey: 'secret-key',
		username: `user-${++users}@example.com`,
		password: 'a password',
		userApiKey: '',
	};
	let exchanges = 0;
	const httpRequest = (async () => ({
		statusCode: status,
		headers: {},
		body: status === 200 ? { meta: { apiKey: `key ${++exchanges}` } } : `refusal ${++exchanges}`,
	})) as unknown as HttpRequest;
	const exchange = (changes: object = {}) =>
		exchangeKey(readAccount({ ...credential, ...changes }), httpRequest);
	return { account: readAccount(credential), exchange, count: () => exchanges };
}

describe('a key exchange', () => {
	it('shares a key exchange among those who ask within ten seconds, and forgets it after them', async () => {
		const { exchange } = setUp();
		expect([await exchange(), await exchange()]).toEqual(['key 1', 'key 1']);
		expect(vi.getTimerCount()).toBe(1);
		await vi.advanceTimersByTimeAsync(10_000);
		expect(vi.getTimerCount()).toBe(0);
		expect(await exchange()).toBe('key 2');
	});

	it('gives another key after one was refused', async () => {
		const { account, exchange } = setUp();
		expect(await exchange()).toBe('key 1');
		discardKey(account.fingerprint, 'an older key');
		expect(await exchange()).toBe('key 1');
		discardKey(account.fingerprint, 'key 1');
		expect(await exchange()).toBe('key 2');
	});

	it('exchanges another password anew', async () => {
		const { exchange } = setUp();
		expect(await exchange()).toBe('key 1');
		expect(await exchange({ password: 'nonsense' })).toBe('key 2');
	});

	it('repeats no exchange within ten seconds that was refused', async () => {
		const { exchange, count } = setUp(401);
		await expect(exchange()).rejects.toThrow('Portal.io refused the email or password');
		await expect(exchange()).rejects.toThrow('Portal.io refused the email or password');
		expect(count()).toBe(1);
		await vi.advanceTimersByTimeAsync(10_000);
		await expect(exchange()).rejects.toThrow('Portal.io refused the email or password');
		expect(count()).toBe(2);
	});
});

describe('a stored user API key', () => {
	const credential = {
		environment: 'sandbox',
		baseUrl: '',
		appKey: 'app-key',
		secretKey: 'secret-key',
		username: 'dealer@example.com',
		password: 'a password',
	};

	it.each([
		['environment', 'production'],
		['appKey', 'another'],
		['secretKey', 'another'],
		['username', 'other@example.com'],
		['password', 'nonsense'],
	])('ignores a stored key once %s was changed', (field, value) => {
		const userApiKey = storedUserApiKey(readAccount(credential), 'the.key=');
		expect(readAccount({ ...credential, userApiKey }).userApiKey).toBe('the.key=');
		expect(readAccount({ ...credential, userApiKey, [field]: value }).userApiKey).toBe('');
	});

	it('stores a key with neither secret nor password', () => {
		const stored = storedUserApiKey(readAccount(credential), 'the key');
		expect(stored).not.toMatch(/secret-key|a password|dealer/);
	});
});
