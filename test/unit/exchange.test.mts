/** What a process remembers of key exchanges, and for how long. */
import { randomUUID } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAccount, stateOf, storedUserApiKey } from '../../client/account.ts';
import { exchangeKey, type HttpRequest } from '../../client/login.ts';
import type { PortalError } from '../../client/errors.ts';
import { Session, type Context } from '../../client/session.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An account that no other test uses, and a service that issues keys 1, 2, 3 … for it. */
function setUp(status = 200, refusal?: unknown, headers = {}) {
	const credential = {
		appKey: 'app-key',
		secretKey: 'secret-key',
		username: `${randomUUID()}@example.com`,
		password: 'a password',
		userApiKey: '',
	};
	let exchanges = 0;
	const httpRequest = (async () => ({
		statusCode: status,
		headers,
		body: status === 200 ? { meta: { apiKey: `key ${++exchanges}` } } : (++exchanges, refusal),
	})) as unknown as HttpRequest;
	const exchange = (changes: object = {}) =>
		exchangeKey(readAccount({ ...credential, ...changes }), httpRequest);
	return { account: readAccount(credential), credential, exchange, count: () => exchanges };
}

/** A session that finds in the database what is read there at that moment. */
function sessionOf(credential: ICredentialDataDecryptedObject, stored: () => Promise<string>) {
	const getCredentials = async () => ({ ...credential, userApiKey: await stored() });
	const context = { getNode: () => ({}), getCredentials };
	return new Session(context as unknown as Context, credential, {});
}

describe('a key exchange', () => {
	it('shares a key exchange among those who ask within ten seconds, and forgets it after them', async () => {
		const { exchange } = setUp();
		expect([await exchange(), await exchange()]).toEqual(['key 1', 'key 1']);
		await vi.advanceTimersByTimeAsync(10_000);
		expect(await exchange()).toBe('key 2');
	});

	it('gives another key after one was refused', async () => {
		const { account, exchange } = setUp();
		expect(await exchange()).toBe('key 1');
		stateOf(account.fingerprint).discardKey('an older key');
		expect(await exchange()).toBe('key 1');
		stateOf(account.fingerprint).discardKey('key 1');
		expect(await exchange()).toBe('key 2');
		// The HTTP Request node still has the key that was refused.
		const userApiKey = storedUserApiKey(account, 'key 2');
		expect(await exchange({ userApiKey })).toBe('key 3');
	});

	it.each([true, false])(
		'exchanges once more when the database has no other key than the one that was refused',
		async (isStored) => {
			const { account, credential, exchange } = setUp();
			const userApiKey = storedUserApiKey(account, await exchange());
			const stored = isStored ? userApiKey : '';
			const session = sessionOf({ ...credential, userApiKey }, async () => stored);
			await session.renewKey('key 1');
			expect(session.userApiKey).toBe('');
			expect(await exchange()).toBe('key 2');
		},
	);

	it('keeps the key that another request has got while the database was read', async () => {
		const { account, credential } = setUp();
		const [first, second] = ['key 1', 'key 2'].map((key) => storedUserApiKey(account, key));
		const slow = Promise.withResolvers<string>();
		const reads = [slow.promise, Promise.resolve(second!)];
		const session = sessionOf(
			{ ...credential, userApiKey: first! },
			async () => await reads.shift()!,
		);
		const both = [session.renewKey('key 1'), session.renewKey('key 1')];
		await both[1];
		slow.resolve(first!);
		await both[0];
		expect(session.userApiKey).toBe('key 2');
	});

	it('shares a key for ten seconds although one before it is forgotten meanwhile', async () => {
		const { account, exchange } = setUp();
		await exchange();
		await vi.advanceTimersByTimeAsync(5000);
		stateOf(account.fingerprint).discardKey('key 1');
		expect(await exchange()).toBe('key 2');
		await vi.advanceTimersByTimeAsync(5000);
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

const notTheAddress = 'api.portal.io is not the address of the Portal.io API';
const inBetween = (status: number) =>
	`Something between n8n and Portal.io rejected the login (status ${status})`;
const saying = (message: string) => ({ responseStatus: { message } });
it.each<[number, unknown, message: string, description?: string]>([
	[401, 'Your signature is invalid', 'Portal.io refused the signature of the login: check'],
	[401, saying('Your signature is invalid'), 'Portal.io refused the signature of the login: check'],
	[401, 'Not verified', 'The email address of this Portal.io account is not verified yet'],
	[401, '', 'Portal.io refused the email or password'],
	[401, saying('Invalid UserName or Password'), 'Portal.io refused the email or password', 'Inv'],
	[
		401,
		saying('This account has been locked'),
		'Portal.io refused the login: This account has been locked',
	],
	[401, '<html>', inBetween(401)],
	[401, { message: 'Unauthorized' }, inBetween(401)],
	[402, saying('Over'), 'Your Portal.io subscription is inactive or expired'],
	[402, '', inBetween(402)],
	[403, saying('Your signature is invalid'), 'This Portal.io user does not have access to the API'],
	[403, saying('Not verified'), 'This Portal.io user does not have access to the API'],
	[403, { message: 'Forbidden' }, inBetween(403)],
	[404, '', notTheAddress, 'Check the'],
	[405, saying('Could not find method named Get'), notTheAddress, 'Check the'],
	[307, '', notTheAddress, 'Check the'],
	[
		400,
		{
			message: 'Bad',
			responseStatus: { errors: [{ fieldName: 'UserName', message: 'is empty' }] },
		},
		'Portal.io rejected the login (status 400)',
		'Bad\nUserName: is empty',
	],
	[429, '', 'Portal.io rate limit reached', 'Wait a moment'],
	[500, '', 'Portal.io could not process the login (status 500)', 'Try again after a moment.'],
	[418, '', inBetween(418), 'A proxy or firewall'],
])('says why a login with status %i failed that returned %j', async (status, body, ...said) => {
	const [message, description = ''] = said;
	const outcome = setUp(status, body).exchange();
	const error: PortalError = await outcome.then(expect.unreachable, (reason) => reason);
	expect(error.message).toContain(message);
	expect(error.description ?? '').toContain(description);
});

it.each([{}, { meta: {} }, { meta: { apiKey: '' } }, { meta: { apiKey: 5 } }])(
	'takes no login for one that brings no key: %j',
	async (body) => {
		const httpRequest = async () => ({ statusCode: 200, headers: {}, body });
		const account = { ...setUp().account, baseUrl: 'http://127.0.0.1:9/v2' };
		await expect(exchangeKey(account, httpRequest as never)).rejects.toThrow(
			'127.0.0.1:9/v2 responded to the login, but not with a Portal.io user key',
		);
	},
);

it.each([
	['Your signature is invalid', /'Secret Key'\. The clock .* ahead of/],
	['X-MSS-CUSTOM-DATE is too old', /^Portal\.io refused the login\. The clock .* ahead of/],
	['Invalid password', /^Portal\.io refused the email or password$/],
	['This account has been locked', /^Portal\.io refused the login: This account has been locked$/],
])(
	'names a clock that is off, and blames it for nothing else than signature and date: %s',
	async (words, message) => {
		const date = new Date(Date.now() - 3600_000).toUTCString();
		const error = (await setUp(401, words, { date })
			.exchange()
			.catch((reason: Error) => reason)) as PortalError;
		expect(error.message).toMatch(message);
		expect(`${error.message} ${error.description}`).toContain(' ahead of');
	},
);

it('keeps of a failed login what decides about another attempt', async () => {
	const limited = setUp(429, '', { 'retry-after': '7', date: 'now' });
	await expect(limited.exchange()).rejects.toMatchObject({
		facts: { login: { status: '429', code: '', headers: { 'retry-after': '7' } } },
	});
	const failing = async (error: object) =>
		await exchangeKey(setUp().account, async () => await Promise.reject(error));
	await expect(failing({ code: 'ENOTFOUND' })).rejects.toMatchObject({
		message: 'api.portal.io cannot be reached',
		facts: { login: { status: '', code: 'ENOTFOUND', headers: {} } },
	});
	const local = { ...setUp().credential, environment: 'custom', baseUrl: 'http://localhost:9/v1' };
	const refuse = async () => await Promise.reject(new Error('refused'));
	await expect(exchangeKey(readAccount(local), refuse)).rejects.toMatchObject({
		message: 'localhost:9/v1 cannot be reached',
	});
	await expect(failing({ name: 'SsrfBlockedIpError' })).rejects.toThrow('n8n blocked the request');
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
