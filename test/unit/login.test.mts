/** Logins: what a process shares of them and for how long, and what a user reads when one fails. */
import { Readable } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAccount, stateOf, storedUserApiKey } from '../../client/account.ts';
import type { PortalError } from '../../client/errors.ts';
import { exchangeKey, isKeyRefused, type HttpRequest } from '../../client/login.ts';
import { PortalIoApi } from '../../credentials/PortalIoApi.credentials.ts';
import { newCredential, sessionsOver } from './playedSession.mts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

/** A service that issues keys 1, 2, 3 … for an account, or refuses it. */
function setUp(statusCode = 200, refusal?: unknown, headers: object = {}) {
	const credential = newCredential({
		baseUrl: 'https://service.example.com',
		username: Math.random(),
	});
	let exchanges = 0;
	const httpRequest = (async () => {
		const key = `key ${++exchanges}`;
		return { statusCode, headers, body: statusCode === 200 ? { meta: { apiKey: key } } : refusal };
	}) as unknown as HttpRequest;
	const exchange = async (changes: object = {}) =>
		await exchangeKey(readAccount({ ...credential, ...changes }), httpRequest);
	return { account: readAccount(credential), credential, exchange, count: () => exchanges };
}

describe('a key exchange', () => {
	it('shares a key among those who ask within ten seconds, unless their account differs', async () => {
		const { exchange } = setUp();
		expect(await Promise.all([exchange(), exchange()])).toEqual(['key 1', 'key 1']);
		expect(await exchange({ password: 'another' })).toBe('key 2');
		await vi.advanceTimersByTimeAsync(9_999);
		expect(await exchange()).toBe('key 1');
		await vi.advanceTimersByTimeAsync(1);
		expect(await exchange()).toBe('key 3');
	});

	it('issues another key after one was refused', async () => {
		const { account, exchange } = setUp();
		expect(await exchange()).toBe('key 1');
		stateOf(account.fingerprint).discardKey('an older key');
		expect(await exchange()).toBe('key 1');
		stateOf(account.fingerprint).discardKey('key 1');
		expect(await exchange()).toBe('key 2');
		// The HTTP Request node still has the key that was refused.
		expect(await exchange({ userApiKey: storedUserApiKey(account, 'key 2') })).toBe('key 3');
	});

	it('exchanges once more when the database has only the key that was refused', async () => {
		const { account, credential, exchange } = setUp();
		const userApiKey = storedUserApiKey(account, await exchange());
		const session = sessionsOver(() => ({}), { ...credential, userApiKey }).open();
		await session.renewKey('key 1');
		expect(session.userApiKey).toBe('');
		expect(await exchange()).toBe('key 2');
	});

	it('repeats no exchange that was refused within ten seconds, unless a request succeeds', async () => {
		const { account, exchange, count } = setUp(401);
		const fail = async () =>
			await expect(exchange()).rejects.toThrow('Portal.io rejected the email or password');
		await fail();
		await fail();
		expect(count()).toBe(1);
		await vi.advanceTimersByTimeAsync(10_000);
		await fail();
		expect(count()).toBe(2);
		stateOf(account.fingerprint).recover();
		await fail();
		expect(count()).toBe(3);
	});

	it('repeats an exchange at once that may succeed now', async () => {
		const { exchange, count } = setUp(503);
		await exchange().catch(() => {});
		await exchange().catch(() => {});
		expect(count()).toBe(2);
	});

	it('gives up a login after 30 seconds, including its response', async () => {
		const controller = new AbortController();
		const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
		const body = new Readable({ read: () => {} });
		const httpRequest = vi.fn(async () => ({ statusCode: 200, headers: {}, body }));
		const outcome = exchangeKey(setUp().account, httpRequest as never).catch((error) => error);
		await vi.advanceTimersByTimeAsync(0);
		expect(httpRequest).toHaveBeenCalledWith(expect.objectContaining({ timeout: 30_000 }));
		expect(limit).toHaveBeenCalledWith(30_000);
		controller.abort();
		expect(await outcome).toMatchObject({
			message: 'service.example.com cannot be reached',
			description: expect.stringContaining('ETIMEDOUT'),
		});
	});
});

it.each([
	[200, false],
	[403, false],
	[500, false],
	[401, true],
])(
	'logs in again for a key in place if a read with it returns %i: that is %s',
	async (statusCode, expected) => {
		const asked: IHttpRequestOptions[] = [];
		const httpRequest = (async (options: IHttpRequestOptions) => {
			asked.push(options);
			return { statusCode, headers: {}, body: '' };
		}) as unknown as HttpRequest;
		const { account, credential } = setUp();
		const userApiKey = storedUserApiKey(account, 'the key');
		expect(await isKeyRefused({ ...account, userApiKey: 'the key' }, httpRequest)).toBe(expected);
		expect(asked).toMatchObject([
			{
				method: 'GET',
				url: 'https://service.example.com/public/proposals?PageNumber=1&PageSize=1',
				headers: { 'X-MSS-API-USERKEY': 'the key' },
			},
		]);
		// n8n sends a request once more, a POST too, when it gets a key.
		const renewed = new PortalIoApi().preAuthentication.call(
			{ helpers: { httpRequest } } as never,
			{ ...credential, userApiKey },
		);
		if (expected) await expect(renewed).rejects.toThrow('Portal.io rejected the');
		else expect(await renewed).toEqual({});
	},
);

const signature = 'Portal.io rejected the signature of the login: check';
const noAccess = 'This Portal.io user does not have access to the API';
const notTheAddress = 'service.example.com is not the address of the Portal.io API';
const inBetween = (status: number) =>
	`Something between n8n and Portal.io rejected the login (status ${status})`;
const saying = (message: string) => ({ responseStatus: { message } });
const fields = { errors: [{ fieldName: 'UserName', message: 'is empty' }] };
it.each<[number, unknown, message: string, description?: string]>([
	[401, 'Your signature is invalid', signature],
	[401, 'Not verified', 'The email address of this Portal.io account is not verified yet'],
	[401, '', 'Portal.io rejected the email or password'],
	[401, saying('Invalid UserName or Password'), 'Portal.io rejected the email or password', 'Inv'],
	[401, saying('It is locked'), 'Portal.io rejected the login: It is locked'],
	[401, '<html>', inBetween(401)],
	[401, { message: 'Unauthorized' }, inBetween(401)],
	[402, saying('Over'), 'Your Portal.io subscription is inactive or expired'],
	[402, '', inBetween(402)],
	[403, saying('Your signature is invalid'), noAccess],
	[403, { message: 'Forbidden' }, inBetween(403), 'A proxy or firewall'],
	[404, saying('Not found'), notTheAddress, 'Check the'],
	[405, saying('Could not find method named Get'), notTheAddress, 'Check the'],
	[400, { message: 'Bad', responseStatus: fields }, '(status 400)', 'Bad\nUserName: is empty'],
	[429, '', 'Portal.io rate limit reached', 'Wait a moment'],
	[500, '', 'Portal.io could not process the login (status 500)', 'Try again after a moment.'],
])('says why a login with status %i failed that returned %j', async (status, body, ...said) => {
	const [message, description = ''] = said;
	const outcome = setUp(status, body).exchange();
	const error: PortalError = await outcome.then(expect.unreachable, (reason) => reason);
	expect(error.message).toContain(message);
	expect(error.description ?? '').toContain(description);
});

it.each([
	[404, (url: string) => ({ message: `Route GET:${url} not found`, error: 'Not Found' })],
	[404, (url: string) => `Handler for Request not found: \n\nRequest.RawUrl: ${url}`],
	[500, (url: string) => ({ responseStatus: { errorCode: 'Error', message: `GET ${url}` } })],
])(
	'never shows the password of a URL that a response with status %i repeats',
	async (status, say) => {
		const password = 'swordfish';
		const location = `/authenticate/apikeyexchange?UserName=a&Password=${password}`;
		const outcome = setUp(status, say(location), { location }).exchange({ password });
		const error: PortalError = await outcome.then(expect.unreachable, (reason) => reason);
		expect(`${error.message} ${error.description} ${JSON.stringify(error)}`).not.toContain(
			password,
		);
	},
);

it.each([{}, { meta: { apiKey: '' } }, { meta: { apiKey: 5 } }])(
	'fails for a login without a key, naming the address with its path: %j',
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
	['X-MSS-CUSTOM-DATE is too old', /^Portal\.io rejected the login\. The clock .* ahead of/],
	['Invalid password', /^Portal\.io rejected the email or password$/],
	['It is locked', /^Portal\.io rejected the login: It is locked$/],
])(
	'names a clock that is off, and blames it only for signature and date: %s',
	async (words, message) => {
		const date = new Date(Date.now() - 3600_000).toUTCString();
		const outcome = setUp(401, words, { date }).exchange();
		const error: PortalError = await outcome.then(expect.unreachable, (reason) => reason);
		expect(error.message).toMatch(message);
		expect(`${error.message} ${error.description}`).toContain(' ahead of');
	},
);

it('keeps the facts of a failed login that decide about another attempt', async () => {
	const limited = setUp(429, '', { 'retry-after': '7' });
	await expect(limited.exchange()).rejects.toMatchObject({
		facts: { login: { status: '429', code: '', headers: { 'retry-after': '7' } } },
	});
	const failing = async (error: object) =>
		await exchangeKey(setUp().account, async () => await Promise.reject(error));
	await expect(failing({ code: 'ENOTFOUND' })).rejects.toMatchObject({
		description: expect.stringMatching(/^The address \S+ does not exist \(ENOTFOUND\)\. /),
		facts: { login: { status: '', code: 'ENOTFOUND', headers: {} } },
	});
	await expect(failing({ name: 'SsrfBlockedIpError' })).rejects.toThrow('n8n blocked the request');
});
